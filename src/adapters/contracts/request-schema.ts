/**
 * Request schemas, as JSON Schema: they accept exactly the JSON that the service reads, values that count as absent included. Rules
 * that no schema can say (RFC 8265, the size of the whole, names that are taken) stand beside them in words.
 */
import type { TObject, TSchema } from 'typebox';
import { kindOf } from '../formats/xml-shape.ts';
import type { Components } from './components.ts';
import { requiredOf, type Schema, toPlain, typeNameOf } from './names.ts';
import { keyPatternOf, keywordsOf } from './response-schema.ts';

/** The characters of XML 1.0, which are those of every text here. Lone surrogates, which no UTF-8 has, go without saying. */
export const textPattern = '^[^\\u0000-\\u0008\\u000B\\u000C\\u000E-\\u001F\\uFFFE\\uFFFF]*$';

/** The schema of values that count as absent. */
const nothing = 'Nothing';

/**
 * Written so that generators of types can follow: from `maxLength` they would make any string, from `const` the empty one; and of a
 * list that refers to itself in `items` a type that TypeScript refuses, in `allOf` one that it takes.
 */
const emptyValues = (to: Components): Readonly<Record<string, Schema>> => ({
  null: { type: 'null' },
  string: { type: 'string', const: '' },
  array: { type: 'array', allOf: [{ items: to.reference(nothing) }] },
  object: { type: 'object', additionalProperties: to.reference(nothing) },
});

/** Null, an empty string, and lists and objects of nothing but these. */
export function addNothing(to: Components): void {
  to.add(nothing, {
    description: 'Means the same as leaving it out; in a PATCH it removes what was there.',
    anyOf: Object.values(emptyValues(to)),
  });
}

/** In the place of a list or an object: empty values of the other kinds, since its own schema takes an empty one. */
function otherEmptyValues(own: 'array' | 'object', to: Components): Schema[] {
  const { [own]: _own, ...others } = emptyValues(to);
  return Object.values(others);
}

const allowNothing = (schema: Schema, to: Components): Schema => ({ anyOf: [schema, to.reference(nothing)] });

/** A UUID may come in either case of letters (RFC 9562 §4). */
const allowBothCases = (pattern: unknown): string => String(pattern).replaceAll('a-f', 'a-fA-F');

/** Of a text or another value by itself, which must be there. @param name of the member or item */
export function textSchemaOf(schema: TSchema, name: string): Schema {
  const { type, pattern } = toPlain(schema);
  const own = keywordsOf(schema);
  if (type !== 'string') return own;
  if (pattern === undefined) return { ...own, pattern: textPattern };
  return {
    ...own,
    pattern: name === 'id' ? allowBothCases(pattern) : pattern,
    allOf: [{ pattern: textPattern }],
  };
}

/** @param name of the member, item or entry that the schema is of */
function requestSchemaOf(schema: TSchema, name: string, to: Components): Schema {
  const kind = kindOf(schema);
  if (kind.is === 'value') return allowNothing(textSchemaOf(schema, name), to);
  if (kind.is === 'list') {
    const items = requestSchemaOf(kind.of, kind.item, to);
    return { anyOf: [{ ...keywordsOf(schema, ['minItems']), items }, ...otherEmptyValues('array', to)] };
  }
  if (kind.is === 'map') {
    const values = { [keyPatternOf(schema)]: requestSchemaOf(kind.of, kind.entry, to) };
    const rest = { patternProperties: values, additionalProperties: to.reference(nothing) };
    return {
      anyOf: [{ ...keywordsOf(schema, ['minProperties']), ...rest }, ...otherEmptyValues('object', to)],
    };
  }
  const reference = to.add(
    `${typeNameOf(schema, name)}Input`,
    closedObject(schema, kind.members, requiredOf(schema), to),
  );
  return { anyOf: [reference, ...otherEmptyValues('object', to), ...emptyObject(schema, kind.members, to)] };
}

function closedObject(
  schema: TSchema,
  members: ReadonlyMap<string, TSchema>,
  required: readonly string[],
  to: Components,
): Schema {
  const properties = [...members].map(([name, member]): [string, Schema] => [
    name,
    requiredOf(schema).includes(name) ? requiredMember(member, name, to) : requestSchemaOf(member, name, to),
  ]);
  return {
    ...keywordsOf(schema, ['minProperties']),
    properties: Object.fromEntries(properties),
    ...(required.length > 0 ? { required } : {}),
    additionalProperties: false,
  };
}

/** Without Nothing: it has to be there. */
function requiredMember(schema: TSchema, name: string, to: Components): Schema {
  return kindOf(schema).is === 'value' ? textSchemaOf(schema, name) : requestSchemaOf(schema, name, to);
}

/** An object may stand without its required members when all members that it has are Nothing. */
function emptyObject(schema: TSchema, members: ReadonlyMap<string, TSchema>, to: Components): Schema[] {
  if (requiredOf(schema).length === 0) return [];
  const properties = Object.fromEntries([...members.keys()].map((name) => [name, to.reference(nothing)]));
  return [{ type: 'object', properties, additionalProperties: false }];
}

export interface RequestSchemaParts {
  readonly name: string;
  readonly description: string;
  readonly required: readonly string[];
  /** Members that may be there, with any value. */
  readonly ignored: readonly string[];
}

/** The schema of a whole document. */
export function addRequestSchema(schema: TObject, parts: RequestSchemaParts, to: Components): Schema {
  const kind = kindOf(schema);
  if (kind.is !== 'object') throw new Error('a document is an object');
  const { properties, ...rest } = closedObject(schema, kind.members, parts.required, to);
  const ignored = parts.ignored.map((name) => [name, { description: 'Ignored.' }]);
  const { name, description } = parts;
  const all = { ...(properties as Schema), ...Object.fromEntries(ignored) };
  return to.add(name, { type: 'object', description, properties: all, ...rest });
}
