/** The valid user of the most members, made from the schema: every list and map is full, each text as short as it may be. */
import type { TSchema } from 'typebox';
import { shapeOf } from '../../src/adapters/formats/port/schema-shapes.ts';
import { User } from '../../src/domain/kinds/user/user.ts';

/** One of them matches each pattern that there is. */
const shortTexts = ['NL', 'AA', 'a:b', 'a@b', '00000000-0000-7000-8000-000000000000'];
const aDate = '2026-01-02T03:04:05.678Z';

/** Another for each index where it is free. */
function aValue(schema: TSchema, index: number): unknown {
  const { type, pattern, format } = schema as Readonly<Record<string, string | undefined>>;
  if (type === 'boolean') return false;
  if (pattern === undefined) return format === undefined ? index.toString(36) : aDate;
  const found = shortTexts.find((text) => new RegExp(pattern, 'u').test(text));
  if (found === undefined) throw new Error(`no short text for ${pattern}`);
  return found;
}

const times = <T>(count: unknown, make: (index: number) => T): T[] =>
  Array.from({ length: Number(count) }, (_, index) => make(index));

function fullest(schema: TSchema, index: number): unknown {
  const kind = shapeOf(schema);
  const { maxItems, maxProperties } = schema as Readonly<Record<string, unknown>>;
  if (kind.is === 'value') return aValue(schema, index);
  if (kind.is === 'list') return times(maxItems, (item) => fullest(kind.of, item));
  if (kind.is === 'map')
    return Object.fromEntries(
      times(maxProperties, (entry) => [`a${entry.toString(36)}`, fullest(kind.of, entry)]),
    );
  return Object.fromEntries([...kind.members].map(([name, of]) => [name, fullest(of, index)]));
}

export const fullestUser = (): User => fullest(User, 0) as User;
