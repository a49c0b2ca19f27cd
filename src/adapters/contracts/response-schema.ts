/** What the service shows, as JSON Schema: the schema that validates, without its closed doors and our own keywords. */
import type { TObject, TSchema } from 'typebox';
import type { Naming } from '../formats/format.ts';
import { kindOf } from '../formats/xml-shape.ts';
import type { Components } from './components.ts';
import { plain, requiredOf, type Schema, typeName } from './names.ts';

/** Keywords that stand here as they are; the rest is made anew or is ours alone. */
const kept = [
  'type',
  'title',
  'description',
  'format',
  'enum',
  'minLength',
  'maxLength',
  'minimum',
  'maximum',
  'pattern',
  'readOnly',
  'minItems',
  'maxItems',
  'uniqueItems',
  'contains',
  'minContains',
  'maxContains',
  'minProperties',
  'maxProperties',
];

export function keywordsOf(schema: TSchema, without: readonly string[] = []): Schema {
  const from = plain(schema);
  return Object.fromEntries(
    kept.flatMap((keyword) =>
      keyword in from && !without.includes(keyword) ? [[keyword, from[keyword]]] : [],
    ),
  );
}

/** What the names in a map look like. */
export const keyPattern = (schema: TSchema): string =>
  Object.keys(plain(schema).patternProperties as Readonly<Record<string, unknown>>)[0] ?? '';

/**
 * Members that aren't named here may come with a later release, so nothing is closed.
 * @param name what stands over it: a member, an item or an entry
 */
export function shown(schema: TSchema, name: string, to: Components): Schema {
  const kind = kindOf(schema);
  if (kind.is === 'value') return keywordsOf(schema);
  if (kind.is === 'list') {
    const item = shown(kind.of, kind.item, to);
    // What is referred to says its own name.
    const items = '$ref' in item ? item : { ...item, ...to.xml({ name: kind.item }) };
    return { ...keywordsOf(schema), items, ...to.xml({ wrapped: true }) };
  }
  if (kind.is === 'map') {
    const names = { pattern: keyPattern(schema) };
    return {
      ...{ ...keywordsOf(schema), propertyNames: names },
      additionalProperties: shown(kind.of, kind.entry, to),
    };
  }
  return to.add(typeName(schema, name), {
    ...keywordsOf(schema),
    properties: membersOf(kind.members, to),
    ...(requiredOf(schema).length > 0 ? { required: requiredOf(schema) } : {}),
    ...to.xml({ name }),
  });
}

const membersOf = (members: ReadonlyMap<string, TSchema>, to: Components): Schema =>
  Object.fromEntries([...members].map(([name, member]) => [name, shown(member, name, to)]));

/** A whole document, by its name: the element that it is in XML. */
export function shownDocument(
  schema: TObject,
  { one, namespace }: Naming,
  to: Components,
  name: string,
): Schema {
  const kind = kindOf(schema);
  if (kind.is !== 'object') throw new Error('a document is an object');
  return to.add(name, {
    ...keywordsOf(schema),
    properties: membersOf(kind.members, to),
    required: requiredOf(schema),
    ...to.xml({ name: one, namespace }),
  });
}
