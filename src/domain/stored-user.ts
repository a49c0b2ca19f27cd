/**
 * What lies in a store may have been put there by something else than the service: by hand, or by a script. It is taken for a
 * user when it has a user's shape. How long a text may be and what it may look like isn't asked again, since those rules may
 * have grown stricter after it was stored.
 */
import type { TObject } from 'typebox';
import { Compile } from 'typebox/compile';
import { codePoints, label } from './code-points.ts';
import { DomainError } from './errors.ts';
import { isObject } from './plain-values.ts';
import { User } from './user.ts';
import { foreignCharacter } from './validation.ts';

/** The keywords of the schema that say what a value is, rather than how much of it there may be. */
const shapeKeywords: ReadonlySet<string> = new Set([
  ...['type', 'properties', 'required', 'items', 'additionalProperties', 'format'],
  ...['minLength', 'minItems', 'minProperties'],
]);

interface Shape {
  readonly type?: string;
  readonly properties?: Readonly<Record<string, Shape>>;
  readonly required?: readonly string[];
  readonly items?: Shape;
  /** Of a map: what each of its entries is. */
  readonly additionalProperties?: Shape;
  readonly format?: string;
  readonly minLength?: number;
}

function shapeOf(schema: unknown): Shape {
  if (!isObject(schema)) return {};
  const { properties, items, patternProperties } = schema;
  return {
    ...Object.fromEntries(Object.entries(schema).filter(([keyword]) => shapeKeywords.has(keyword))),
    ...(isObject(properties) ? { properties: shapesOf(properties) } : {}),
    ...(items === undefined ? {} : { items: shapeOf(items) }),
    // Whatever its entries are called.
    ...(isObject(patternProperties)
      ? { additionalProperties: shapeOf(Object.values(patternProperties)[0]) }
      : {}),
  };
}

function shapesOf(properties: Record<string, unknown>): Record<string, Shape> {
  return Object.fromEntries(Object.entries(properties).map(([name, of]) => [name, shapeOf(of)]));
}

const shape = shapeOf(User);
/** A date's pattern would take ten times as long to look at as all the rest. */
const withoutFormats = JSON.parse(
  JSON.stringify(shape, (key, value) => (key === 'format' ? undefined : value)),
);
const hasShape = Compile(withoutFormats as TObject);
const isDate = (value: string): boolean => !Number.isNaN(Date.parse(value));

const isShaped = (found: unknown): found is User => hasShape.Check(found);

/** JSON writes a character that XML can't carry as an escape that isn't one of a line end, tab, quote or backslash; but for these two. */
const suspicious = /\\[bfu]|[\uFFFE\uFFFF]/;

/** What is stored under the id is no user. Says where that shows, and nothing of what is there. */
export const damaged = (id: string, why: string): DomainError =>
  new DomainError('damaged-user', `What is stored of user ${id} is damaged: ${why}`);

export interface Sound {
  readonly user: User;
  /** Canonical JSON. */
  readonly text: string;
}

/**
 * @param found what lies there, as values of JSON
 * @returns the user, without members that no user has
 * @throws DomainError `damaged-user`
 */
export function soundUser(id: string, found: unknown): Sound {
  if (isShaped(found) && found.id === id && isDate(found.meta.created) && isDate(found.meta.lastModified)) {
    const text = JSON.stringify(found);
    if (!suspicious.test(text)) return { user: found, text };
  }
  const user = reader(id)(shape, found, '') as User;
  if (user.id !== id) throw damaged(id, '/id is another');
  return { user, text: JSON.stringify(user) };
}

/** Slower than the compiled check, leaves out what no user has, and knows where it fails. */
function reader(id: string) {
  const broken = (at: string, why: string): DomainError => damaged(id, `${at || 'the whole'} ${why}`);

  function text(value: unknown, { minLength = 0, format }: Shape, at: string): string {
    if (typeof value !== 'string') throw broken(at, 'must be a string');
    if (value.length < minLength) throw broken(at, 'is empty');
    if (format !== undefined && !isDate(value)) throw broken(at, 'must be a date');
    const found = foreignCharacter.exec(value)?.[0];
    if (found === undefined) return value;
    throw broken(at, `has ${label(codePoints(found)[0] ?? 0)}, which XML 1.0 cannot carry`);
  }

  function members(
    { properties, required = [], additionalProperties = {} }: Shape,
    value: unknown,
    at: string,
  ) {
    if (!isObject(value)) throw broken(at, 'must be an object');
    const names = Object.keys(properties ?? value);
    const result: [string, unknown][] = [];
    for (const name of names) {
      // What a map's entries are called is not for the log.
      const below = properties === undefined ? at : `${at}/${name}`;
      text(name, {}, below);
      const of = properties?.[name] ?? additionalProperties;
      if (Object.hasOwn(value, name)) result.push([name, read(of, value[name], below)]);
      else if (required.includes(name)) throw broken(below, 'is missing');
    }
    if (result.length === 0) throw broken(at, 'is empty');
    return Object.fromEntries(result);
  }

  function read(of: Shape, value: unknown, at: string): unknown {
    if (of.type === 'object') return members(of, value, at);
    if (of.type === 'string') return text(value, of, at);
    if (of.type === 'array') {
      if (!Array.isArray(value)) throw broken(at, 'must be a list');
      if (value.length === 0) throw broken(at, 'is empty');
      return value.map((item, index) => read(of.items ?? {}, item, `${at}/${index}`));
    }
    if (of.type === 'boolean' && typeof value !== 'boolean') throw broken(at, 'must be true or false');
    return value;
  }

  return read;
}
