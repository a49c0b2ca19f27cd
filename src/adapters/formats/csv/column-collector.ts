/**
 * Finds the columns that users need, in the schema's order: required members, and members that at least one user has. maxColumns bounds the
 * memory.
 */
import type { TObject, TSchema } from 'typebox';
import type { ColumnCollector } from '../core/file-format.ts';
import { kindOf } from '../core/schema-kinds.ts';
import { maxColumns, printPath, type Step } from './columns.ts';

/** The columns found in a part of the schema. */
interface Found {
  add(value: unknown): void;
  paths(before: readonly Step[]): readonly string[];
}

/** Counts a new column. @throws Error above maxColumns */
type Count = () => void;

function trackCell(count: Count, isRequired: boolean): Found {
  let isUsed = isRequired;
  if (isUsed) count();
  return {
    add: () => {
      if (!isUsed) count();
      isUsed = true;
    },
    paths: (before) => (isUsed ? [printPath(before)] : []),
  };
}

function trackMembers(
  schema: TSchema,
  members: ReadonlyMap<string, TSchema>,
  count: Count,
  isRequired: boolean,
): Found {
  const { required = [] } = schema as { readonly required?: readonly string[] };
  const found = [...members].map(
    ([name, of]) => [name, trackPart(of, count, isRequired && required.includes(name))] as const,
  );
  return {
    add: (value) => {
      const user = value as Readonly<Record<string, unknown>>;
      for (const [name, member] of found) if (user[name] !== undefined) member.add(user[name]);
    },
    paths: (before) => found.flatMap(([name, member]) => member.paths([...before, name])),
  };
}

function trackItems(of: TSchema, count: Count): Found {
  const items: Found[] = [];
  return {
    add: (value) => {
      for (const [index, item] of (value as readonly unknown[]).entries()) {
        items[index] ??= trackPart(of, count);
        items[index].add(item);
      }
    },
    paths: (before) => items.flatMap((item, index) => item.paths([...before, index])),
  };
}

/** Keys are sorted by code units, whatever the order of the users. */
function trackEntries(of: TSchema, count: Count): Found {
  const entries = new Map<string, Found>();
  return {
    add: (value) => {
      for (const [key, entry] of Object.entries(value as object)) {
        const found = entries.get(key) ?? trackPart(of, count);
        entries.set(key, found);
        found.add(entry);
      }
    },
    paths: (before) =>
      [...entries.keys()].sort().flatMap((key) => entries.get(key)?.paths([...before, key]) ?? []),
  };
}

function trackPart(schema: TSchema, count: Count, isRequired = false): Found {
  const kind = kindOf(schema);
  if (kind.is === 'object') return trackMembers(schema, kind.members, count, isRequired);
  if (kind.is === 'map') return trackEntries(kind.of, count);
  if (kind.is === 'value' || kindOf(kind.of).is === 'value') return trackCell(count, isRequired);
  return trackItems(kind.of, count);
}

export function collectColumns<T>(schema: TObject): ColumnCollector<T> {
  let size = 0;
  const found = trackPart(
    schema,
    () => {
      size += 1;
      if (size > maxColumns)
        throw new Error(`these users need more than ${maxColumns} columns: choose some with --columns`);
    },
    true,
  );
  return {
    add: (user) => found.add(user),
    columns: () => found.paths([]),
    get size() {
      return size;
    },
  };
}
