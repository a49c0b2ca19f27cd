/** Names for the unnamed parts of our schemas, their plain keywords, and the schemas by name, as JSON Schema 2020-12 (`Components`). */
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

interface Dialect {
  /** The beginning of references, such as `#/$defs/`. */
  readonly place: string;
  /** With OpenAPI's own keyword `xml`. */
  readonly withXml: boolean;
  /**
   * Includes the rules between the items of a list. Client generators don't support these rules: they turn `uniqueItems` into a set, which loses the
   * order, and some can't read a list with `contains`. Without the rules, descriptions state them.
   */
  readonly withItemRules: boolean;
}

const itemRules: readonly string[] = ['uniqueItems', 'contains', 'minContains', 'maxContains'];

/** Each object of our schemas is a schema of its own, with references to it. */
export class Components {
  readonly #named = new Map<string, Schema>();
  readonly #dialect: Dialect;

  constructor(dialect: Dialect) {
    this.#dialect = dialect;
  }

  /** @returns a reference to it @throws Error when another schema has the name */
  add(name: string, schema: Schema): Schema {
    const known = this.#named.get(name);
    if (known !== undefined && JSON.stringify(known) !== JSON.stringify(schema))
      throw new Error(`two schemas would be called ${name}`);
    this.#named.set(name, schema);
    return this.reference(name);
  }

  reference(name: string): Schema {
    return { $ref: this.#dialect.place + name };
  }

  /** Empty without `withXml`: to be spread into a schema. */
  xml(annotation: Schema): Schema {
    return this.#dialect.withXml ? { xml: annotation } : {};
  }

  /** The keywords of a list's schema in this dialect, except `items`. */
  listKeywords(schema: TSchema, without: readonly string[] = []): Schema {
    return keywordsOf(schema, this.#dialect.withItemRules ? without : [...without, ...itemRules]);
  }

  all(): Readonly<Record<string, Schema>> {
    return Object.fromEntries([...this.#named].sort(([one], [other]) => (one < other ? -1 : 1)));
  }
}
