/**
 * Schemas of bodies, as JSON Schema. Those of responses are the schemas that validate, without `additionalProperties: false` and our own keywords.
 * Those of requests are the recommended input, in plain types that client generators understand. The service accepts more
 * (null, and empty values of another type), as descriptions state. Descriptions also state the rules that a schema can't express (RFC 8265,
 * the size of the whole, names that are taken).
 */

import type { TObject, TSchema } from 'typebox';
import type { Naming } from '../formats/port/format.ts';
import { type Shape, shapeOf } from '../formats/port/schema-shapes.ts';
import { type Components, keywordsOf, requiredOf, type Schema, toPlain, typeNameOf } from './names.ts';

/** Characters that XML 1.0 lacks, which texts of the service therefore can't have. Lone surrogates are not listed, since UTF-8 has none. */
const foreign = '\\u0000-\\u0008\\u000B\\u000C\\u000E-\\u001F\\uFFFE\\uFFFF';

export const textPattern = `^[^${foreign}]*$`;

/** A UUID may come in either case of letters (RFC 9562 §4). */
const allowBothCases = (pattern: string): string => pattern.replaceAll('a-f', 'a-fA-F');

/** Only a negated class can match a foreign character. */
const excludeForeign = (pattern: string): string => pattern.replaceAll('[^', `[^${foreign}`);

/** The schema of a required text or other simple value. @param name of the member or item */
function textSchemaOf(schema: TSchema, name: string): Schema {
  const { type, pattern } = toPlain(schema);
  const own = keywordsOf(schema);
  if (type !== 'string') return own;
  if (pattern === undefined) return { ...own, pattern: textPattern };
  const ofText = excludeForeign(String(pattern));
  return { ...own, pattern: name === 'id' ? allowBothCases(ofText) : ofText };
}

/** The schema of an optional value: an empty text counts as absent, and lets a typed client remove a value by PATCH. */
function optionalSchemaOf(schema: TSchema, name: string, to: Components): Schema {
  if (shapeOf(schema).is !== 'value') return requestSchemaOf(schema, name, to);
  const { minLength: _least, pattern, ...own } = textSchemaOf(schema, name);
  if (pattern === undefined || pattern === textPattern)
    return { ...own, ...(pattern === undefined ? {} : { pattern }) };
  return { ...own, pattern: String(pattern).replace(/^\^(.*)\$$/, '^(?:$1)?$') };
}

/** @param name of the member, item or entry */
function requestSchemaOf(schema: TSchema, name: string, to: Components): Schema {
  const kind = shapeOf(schema);
  if (kind.is === 'value') return textSchemaOf(schema, name);
  if (kind.is === 'list') {
    const items = requestSchemaOf(kind.of, kind.item, to);
    return { ...to.listKeywords(schema, ['minItems']), items };
  }
  if (kind.is === 'map') {
    const keywords = keywordsOf(schema, ['minProperties']);
    const schemaOf = (of: TSchema, its: string): Schema => {
      const value = optionalSchemaOf(of, its, to);
      return kind.declared.has(its) ? { ...withoutEnumeration(value), ...formKeywords(of) } : value;
    };
    return mapSchemaOf(kind, keywords, schemaOf, kind.isClosed);
  }
  return to.add(`${typeNameOf(schema, name)}Input`, closedObject(schema, kind.members, to));
}

function closedObject(schema: TSchema, members: ReadonlyMap<string, TSchema>, to: Components) {
  const required = requiredOf(schema);
  const properties = [...members].map(([name, member]): [string, Schema] => {
    const schemaOf = required.includes(name) ? requestSchemaOf : optionalSchemaOf;
    return [name, schemaOf(member, name, to)];
  });
  return {
    ...keywordsOf(schema, ['minProperties']),
    properties: Object.fromEntries(properties),
    ...(required.length > 0 ? { required } : {}),
    additionalProperties: false,
  };
}

interface RequestSchemaParts {
  readonly name: string;
  readonly description: string;
  readonly isPatch: boolean;
  /** Members that may have any value: read-only members that clients send back. */
  readonly ignored: readonly string[];
}

/** Null lets generators for Java distinguish a missing list from an empty one, which removes the stored list. */
const patchMember = (schema: Schema): Schema =>
  schema.type === 'array' ? { ...schema, type: ['array', 'null'] } : schema;

/** The schema of a whole document. */
export function addRequestSchema(schema: TObject, parts: RequestSchemaParts, to: Components): Schema {
  const { name, description, isPatch, ignored } = parts;
  const kind = shapeOf(schema);
  if (kind.is !== 'object') throw new Error('a document is an object');
  const { properties, required, ...rest } = closedObject(schema, kind.members, to);
  const own = Object.entries(properties).map(([member, its]) => [member, isPatch ? patchMember(its) : its]);
  const beside = ignored.map((member) => [member, { type: 'object', description: 'Ignored.' }]);
  return to.add(name, {
    type: 'object',
    description,
    properties: Object.fromEntries([...own, ...beside]),
    ...(isPatch ? {} : { required }),
    ...rest,
  });
}

/** Generators turn an enumeration into a type: values that were read can't be assigned to it, and it refuses values that a later declaration adds. */
const withoutEnumeration = ({ enum: values, items, ...schema }: Schema): Schema => ({
  ...schema,
  ...(values !== undefined && { 'x-values': values }),
  ...(items !== undefined && { items: withoutEnumeration(items as Schema) }),
});

/**
 * What a form needs to know of a declared entry: its labels, its declared type, whether lists can be filtered and sorted by it; and what the check of
 * a file needs: its pattern and description as declared, whether it is unique.
 */
function formKeywords(schema: TSchema): Schema {
  const { labels, items, isFilter, isUnique, isRetired, sort, said } = toPlain(schema);
  const { typed, pattern } = toPlain((items ?? schema) as TSchema);
  const words = Object.entries((labels ?? {}) as Readonly<Record<string, readonly string[]>>);
  return {
    ...(words.length > 0 && {
      'x-labels': Object.fromEntries(
        words.flatMap(([language, [label]]) => (label ? [[language, label]] : [])),
      ),
    }),
    'x-type': typed,
    ...(typed === 'string' && pattern !== undefined && { 'x-pattern': pattern }),
    ...(said !== undefined && { 'x-description': said }),
    ...(isUnique === true && { 'x-unique': true }),
    ...(isFilter === true && { 'x-filter': true }),
    ...(sort !== undefined && { 'x-sort': true }),
    ...(isRetired === true && { readOnly: true }),
  };
}

/** @param keywords of the map itself @param schemaOf that of a value @param isClosed without undeclared entries */
function mapSchemaOf(
  { keys, of, entry, declared }: Extract<Shape, { is: 'map' }>,
  keywords: Schema,
  schemaOf: (schema: TSchema, name: string) => Schema,
  isClosed = false,
): Schema {
  const propertyNames = { pattern: keys };
  if (declared.size === 0 && !isClosed)
    return { ...keywords, propertyNames, additionalProperties: schemaOf(of, entry) };
  const properties = [...declared].map(([name, member]) => [name, schemaOf(member, name)]);
  // Without a type: in some languages, the type of undeclared entries would have to suit the declared ones, too.
  const others = { description: 'A text: this attribute is not declared.' };
  return {
    ...keywords,
    properties: Object.fromEntries(properties),
    propertyNames,
    additionalProperties: isClosed ? false : others,
  };
}

const limits = ['minLength', 'maxLength', 'minimum', 'maximum', 'pattern', 'enum', 'maxItems', 'uniqueItems'];

/** For a declared entry: values that were stored before its limits became stricter are shown. */
const withoutLimits = ({ items, ...schema }: Schema): Schema => ({
  ...Object.fromEntries(Object.entries(schema).filter(([keyword]) => !limits.includes(keyword))),
  ...(items === undefined ? {} : { items: withoutLimits(items as Schema) }),
});

/** Objects stay open: a later release may add members. @param name of the member, item or entry with this schema */
function responseSchemaOf(schema: TSchema, name: string, to: Components): Schema {
  const kind = shapeOf(schema);
  if (kind.is === 'value') return keywordsOf(schema);
  if (kind.is === 'list') {
    const item = responseSchemaOf(kind.of, kind.item, to);
    // A referenced schema has its own name.
    const items = '$ref' in item ? item : { ...item, ...to.xml({ name: kind.item }) };
    return { ...to.listKeywords(schema), items, ...to.xml({ wrapped: true }) };
  }
  if (kind.is === 'map')
    return mapSchemaOf(kind, keywordsOf(schema), (of, its) => {
      const shown = responseSchemaOf(of, its, to);
      return kind.declared.has(its) ? withoutLimits(shown) : shown;
    });
  return to.add(typeNameOf(schema, name), {
    ...keywordsOf(schema),
    properties: membersOf(kind.members, to),
    ...(requiredOf(schema).length > 0 ? { required: requiredOf(schema) } : {}),
    ...to.xml({ name }),
  });
}

const membersOf = (members: ReadonlyMap<string, TSchema>, to: Components): Schema =>
  Object.fromEntries([...members].map(([name, member]) => [name, responseSchemaOf(member, name, to)]));

/** The schema of a whole document. @param name the name in the components; the XML element has the name in the naming */
export function addResponseSchema(
  schema: TObject,
  { one, namespace }: Naming,
  to: Components,
  name: string,
): Schema {
  const kind = shapeOf(schema);
  if (kind.is !== 'object') throw new Error('a document is an object');
  return to.add(name, {
    ...keywordsOf(schema),
    properties: membersOf(kind.members, to),
    required: requiredOf(schema),
    ...to.xml({ name: one, namespace }),
  });
}
