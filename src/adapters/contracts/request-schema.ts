/**
 * What the service accepts in JSON, as JSON Schema: exactly what it reads, with what counts as absent. Rules that no schema
 * can say (RFC 8265, the size of the whole, what is taken) stand beside it in words.
 */
import type { TObject, TSchema } from 'typebox';
import { kindOf } from '../formats/xml-shape.ts';
import type { Components } from './components.ts';
import { plain, requiredOf, type Schema, typeName } from './names.ts';
import { keyPattern, keywordsOf } from './response-schema.ts';

/** The characters of XML 1.0, which are those of every text here. Lone surrogates, which no UTF-8 has, go without saying. */
export const textPattern = '^[^\\u0000-\\u0008\\u000B\\u000C\\u000E-\\u001F\\uFFFE\\uFFFF]*$';

const nothing = 'Nothing';

/**
 * Said so that generators of types can follow: `const` makes a type, `maxLength` doesn't, and any string would do for a
 * boolean; a list that names itself in `items` makes a type that TypeScript refuses, one that does in `allOf` doesn't.
 */
const kinds = (to: Components): Readonly<Record<string, Schema>> => ({
  null: { type: 'null' },
  string: { type: 'string', const: '' },
  array: { type: 'array', allOf: [{ items: to.reference(nothing) }] },
  object: { type: 'object', additionalProperties: to.reference(nothing) },
});

/** Null, an empty string, and lists and objects that hold nothing else. */
export function addNothing(to: Components): void {
  to.add(nothing, {
    description: 'Means the same as leaving it out; in a PATCH it removes what was there.',
    anyOf: Object.values(kinds(to)),
  });
}

/** In the place of a list or an object: whatever is nothing of another kind, since its own says itself when it is empty. */
function otherNothing(own: 'array' | 'object', to: Components): Schema[] {
  const { [own]: _said, ...others } = kinds(to);
  return Object.values(others);
}

const orNothing = (schema: Schema, to: Components): Schema => ({ anyOf: [schema, to.reference(nothing)] });

/** An id may come in either case of letters (RFC 9562 §4). */
const inAnyCase = (pattern: unknown): string => String(pattern).replaceAll('a-f', 'a-fA-F');

function value(schema: TSchema, name: string): Schema {
  const { type, pattern } = plain(schema);
  const own = keywordsOf(schema);
  if (type !== 'string') return own;
  if (pattern === undefined) return { ...own, pattern: textPattern };
  return { ...own, pattern: name === 'id' ? inAnyCase(pattern) : pattern, allOf: [{ pattern: textPattern }] };
}

/** @param name what stands over it: a member, an item or an entry */
function accepted(schema: TSchema, name: string, to: Components): Schema {
  const kind = kindOf(schema);
  if (kind.is === 'value') return orNothing(value(schema, name), to);
  if (kind.is === 'list') {
    const items = accepted(kind.of, kind.item, to);
    return { anyOf: [{ ...keywordsOf(schema, ['minItems']), items }, ...otherNothing('array', to)] };
  }
  if (kind.is === 'map') {
    const values = { [keyPattern(schema)]: accepted(kind.of, kind.entry, to) };
    const rest = { patternProperties: values, additionalProperties: to.reference(nothing) };
    return { anyOf: [{ ...keywordsOf(schema, ['minProperties']), ...rest }, ...otherNothing('object', to)] };
  }
  const reference = to.add(
    `${typeName(schema, name)}Input`,
    closed(schema, kind.members, requiredOf(schema), to),
  );
  return { anyOf: [reference, ...otherNothing('object', to), ...hollow(schema, kind.members, to)] };
}

function closed(
  schema: TSchema,
  members: ReadonlyMap<string, TSchema>,
  required: readonly string[],
  to: Components,
): Schema {
  const properties = [...members].map(([name, member]): [string, Schema] => [
    name,
    requiredOf(schema).includes(name) ? needed(member, name, to) : accepted(member, name, to),
  ]);
  return {
    ...keywordsOf(schema, ['minProperties']),
    properties: Object.fromEntries(properties),
    ...(required.length > 0 ? { required } : {}),
    additionalProperties: false,
  };
}

/** What has to be there can't be nothing. */
function needed(schema: TSchema, name: string, to: Components): Schema {
  return kindOf(schema).is === 'value' ? value(schema, name) : accepted(schema, name, to);
}

/** An object that would need a member may stand without it when all of it is nothing. */
function hollow(schema: TSchema, members: ReadonlyMap<string, TSchema>, to: Components): Schema[] {
  if (requiredOf(schema).length === 0) return [];
  const properties = Object.fromEntries([...members.keys()].map((name) => [name, to.reference(nothing)]));
  return [{ type: 'object', properties, additionalProperties: false }];
}

export interface AcceptedParts {
  readonly name: string;
  readonly description: string;
  readonly required: readonly string[];
  /** Members that are read over, whatever they hold: what a client can't set it may send back. */
  readonly ignored: readonly string[];
}

export function acceptedDocument(schema: TObject, parts: AcceptedParts, to: Components): Schema {
  const kind = kindOf(schema);
  if (kind.is !== 'object') throw new Error('a document is an object');
  const { properties, ...rest } = closed(schema, kind.members, parts.required, to);
  const ignored = parts.ignored.map((name) => [name, { description: 'Ignored.' }]);
  const { name, description } = parts;
  const all = { ...(properties as Schema), ...Object.fromEntries(ignored) };
  return to.add(name, { type: 'object', description, properties: all, ...rest });
}
