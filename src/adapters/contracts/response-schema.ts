/** Response schemas, as JSON Schema: the schemas that validate, without `additionalProperties: false` and our own keywords. */
import type { TObject, TSchema } from 'typebox';
import type { Naming } from '../formats/port/format.ts';
import { shapeOf } from '../formats/port/schema-shapes.ts';
import type { Components } from './components.ts';
import { keywordsOf, requiredOf, type Schema, toPlain, typeNameOf } from './names.ts';

/** The pattern of the keys in a map. */
export const keyPatternOf = (schema: TSchema): string =>
  Object.keys(toPlain(schema).patternProperties as Readonly<Record<string, unknown>>)[0] ?? '';

/** @param keywords of the map itself @param values the schema of each */
export const mapSchemaOf = (schema: TSchema, keywords: Schema, values: Schema): Schema => ({
  ...keywords,
  propertyNames: { pattern: keyPatternOf(schema) },
  additionalProperties: values,
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
    return mapSchemaOf(schema, keywordsOf(schema), responseSchemaOf(kind.of, kind.entry, to));
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
