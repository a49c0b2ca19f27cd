/** Named schemas, as JSON Schema 2020-12: each object of a schema of ours stands on its own and is referred to. */
import type { Schema } from './names.ts';

export class Components {
  readonly #named = new Map<string, Schema>();
  readonly #place: string;
  /** With OpenAPI's own keyword `xml`. */
  readonly withXml: boolean;

  /** @param place the beginning of references, such as `#/$defs/` */
  constructor(place: string, withXml: boolean) {
    this.#place = place;
    this.withXml = withXml;
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
    return { $ref: this.#place + name };
  }

  /** Empty without `withXml`: to be spread into a schema. */
  xml(annotation: Schema): Schema {
    return this.withXml ? { xml: annotation } : {};
  }

  all(): Readonly<Record<string, Schema>> {
    return Object.fromEntries([...this.#named].sort(([one], [other]) => (one < other ? -1 : 1)));
  }
}
