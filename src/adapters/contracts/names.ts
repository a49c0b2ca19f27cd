/** Names for the unnamed parts of our schemas, and their plain keywords. */
import type { TSchema } from 'typebox';

/** Plain JSON: a JSON Schema, or another object of OpenAPI's. */
export type Schema = Readonly<Record<string, unknown>>;

/** Without TypeBox's types. */
export const toPlain = (schema: TSchema): Schema => schema as unknown as Schema;

export const capitalize = (name: string): string => name.charAt(0).toUpperCase() + name.slice(1);

/** From its `title`, otherwise from the name of the member, item or entry: `email` is an `Email`. */
export const typeNameOf = (schema: TSchema, name: string): string => {
  const { title } = toPlain(schema);
  return typeof title === 'string' ? title : capitalize(name);
};

export const requiredOf = (schema: TSchema): readonly string[] =>
  (toPlain(schema).required as readonly string[] | undefined) ?? [];

/** These are copied unchanged; all others are generated or our own. */
const copiedKeywords = [
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
  const from = toPlain(schema);
  return Object.fromEntries(
    copiedKeywords.flatMap((keyword) =>
      keyword in from && !without.includes(keyword) ? [[keyword, from[keyword]]] : [],
    ),
  );
}
