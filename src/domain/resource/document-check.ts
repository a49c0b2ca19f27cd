/**
 * Checks that a document from a store has its schema's shape: another program may have written it. Lengths and patterns are not checked
 * again, since those rules may have become stricter after it was stored.
 */
import type { TObject } from 'typebox';
import { Compile } from 'typebox/compile';
import { type DomainError, damagedResource, type ResourceName } from '../base/errors.ts';
import { isObject } from '../base/plain-values.ts';
import { foreignCharacter } from '../base/schema-validator.ts';
import { codePoints, label } from '../unicode/code-points.ts';
import type { Resource } from './resource.ts';

/** JSON Schema keywords that are checked: those for types and presence, not those for limits and patterns. */
const shapeKeywords: ReadonlySet<string> = new Set([
  ...['type', 'properties', 'required', 'items', 'additionalProperties', 'format'],
  ...['minLength', 'minItems', 'minProperties'],
]);

interface Shape {
  readonly type?: string;
  readonly properties?: Readonly<Record<string, Shape>>;
  readonly required?: readonly string[];
  readonly items?: Shape;
  /** Of each entry of a map. */
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
    // Regardless of its entries' names.
    ...(isObject(patternProperties)
      ? { additionalProperties: shapeOf(Object.values(patternProperties)[0]) }
      : {}),
  };
}

function shapesOf(properties: Record<string, unknown>): Record<string, Shape> {
  return Object.fromEntries(Object.entries(properties).map(([name, of]) => [name, shapeOf(of)]));
}

const isDate = (value: string): boolean => !Number.isNaN(Date.parse(value));

/** JSON escapes every character that XML can't carry, except U+FFFE and U+FFFF. Escapes of a line end, tab, quote or backslash are fine. */
const mayHaveForeignCharacters = /\\[bfu]|[\uFFFE\uFFFF]/;

export interface CheckedDocument<T> {
  readonly value: T;
  /** Canonical JSON. */
  readonly text: string;
}

/**
 * @param id of the row @param found the document as values of JSON; undefined when it isn't JSON
 * @returns the resource, without members that the schema does not have
 * @throws DomainError `damaged-…`
 */
export type CheckDocument<T> = (id: string, found: unknown) => CheckedDocument<T>;

export function documentChecker<T extends Resource>(name: ResourceName, schema: TObject): CheckDocument<T> {
  const shape = shapeOf(schema);
  // Without `format`: the pattern of a date would take ten times as long as everything else.
  const withoutFormats = JSON.parse(
    JSON.stringify(shape, (key, value) => (key === 'format' ? undefined : value)),
  );
  const hasShape = Compile(withoutFormats as TObject);
  const isShaped = (found: unknown): found is T => hasShape.Check(found);
  return (id, found) => {
    if (found === undefined) throw damagedResource(name, id, 'it is not JSON');
    if (isShaped(found) && found.id === id && isDate(found.meta.created) && isDate(found.meta.lastModified)) {
      const text = JSON.stringify(found);
      if (!mayHaveForeignCharacters.test(text)) return { value: found, text };
    }
    const value = makeReader(name, id)(shape, found, '') as T;
    if (value.id !== id) throw damagedResource(name, id, '/id is another');
    return { value, text: JSON.stringify(value) };
  };
}

/** The slow path: it drops unknown members, and names the place of a failure. */
function makeReader(name: ResourceName, id: string) {
  const broken = (at: string, why: string): DomainError =>
    damagedResource(name, id, `${at || 'the whole'} ${why}`);

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
      // The names in a map are clients' data, and not for the log.
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
