/**
 * The contract plus what the service tolerates. The published request schemas state what a client should send; their descriptions state
 * that null and empty values count as left out. Together they are exactly what the service accepts, which the tests hold it to.
 */
type Schema = Readonly<Record<string, unknown>>;
type Schemas = Readonly<Record<string, Schema>>;

const isSchema = (value: unknown): value is Schema => typeof value === 'object' && value !== null;

/** Of documents, and of the objects in them. */
const isRequest = (name: string): boolean => /(?:Input|Patch)$/.test(name);

class Tolerance {
  readonly #schemas: Schemas;
  readonly #nothing: Schema;

  constructor(schemas: Schemas, place: string) {
    [this.#schemas, this.#nothing] = [schemas, { $ref: `${place}Nothing` }];
  }

  /** Null, an empty text, and lists and objects of nothing but these. */
  get #empty(): Readonly<Record<'null' | 'string' | 'array' | 'object', Schema>> {
    return {
      null: { type: 'null' },
      string: { type: 'string', const: '' },
      array: { type: 'array', items: this.#nothing },
      object: { type: 'object', additionalProperties: this.#nothing },
    };
  }

  all(): Schemas {
    const requests = Object.entries(this.#schemas).filter(([name]) => isRequest(name));
    return {
      ...this.#schemas,
      ...Object.fromEntries(requests.map(([name, schema]) => [name, this.#members(name, schema)])),
      Nothing: { anyOf: Object.values(this.#empty) },
    };
  }

  /** No patch removes what the document must have. */
  #members(name: string, schema: Schema): Schema {
    const whole = this.#schemas[name.replace(/Patch$/, 'Input')];
    const required = ((whole ?? schema).required ?? []) as readonly string[];
    const properties = Object.entries(schema.properties as Schemas).map(([name, member]) => [
      name,
      required.includes(name) ? member : this.#value(member),
    ]);
    return { ...schema, properties: Object.fromEntries(properties) };
  }

  /** In the place of each kind of value: the value, and empty values of every kind. */
  #value(schema: Schema): Schema {
    const { null: none, string, array, object } = this.#empty;
    if (schema.description === 'Ignored.') return {};
    if (schema.$ref !== undefined)
      return { anyOf: [schema, none, string, array, ...this.#emptyObject(String(schema.$ref))] };
    if (isSchema(schema.items)) {
      const list = { ...schema, type: 'array', items: this.#value(schema.items) };
      return { anyOf: [list, none, string, object] };
    }
    if (isSchema(schema.additionalProperties)) {
      const { propertyNames, additionalProperties: values, ...own } = schema;
      const named = { [String((propertyNames as Schema).pattern)]: this.#value(values as Schema) };
      const map = { ...own, patternProperties: named, additionalProperties: this.#nothing };
      return { anyOf: [map, none, string, array] };
    }
    return { anyOf: [schema, this.#nothing] };
  }

  /** An object may stand without its required members when all members that it has are empty. */
  #emptyObject(reference: string): readonly Schema[] {
    const { properties, required } = this.#schemas[reference.replace(/^.*\//, '')] ?? {};
    if (required === undefined) return [];
    const members = Object.keys(properties as Schemas).map((name) => [name, this.#nothing]);
    return [{ type: 'object', properties: Object.fromEntries(members), additionalProperties: false }];
  }
}

/** @param place the beginning of references to them, such as `#/$defs/` */
export const withTolerated = (schemas: unknown, place: string): Schemas =>
  new Tolerance(schemas as Schemas, place).all();
