/** Schemas by name, as JSON Schema 2020-12: the objects of a schema of ours stand on their own and are referred to. */
import type { Schema } from './names.ts';

export class Components {
  readonly #named = new Map<string, Schema>();
  readonly #place: string;
  /** Whether schemas say how they stand in XML: OpenAPI's own keyword. */
  readonly withXml: boolean;

  /** @param place what a reference begins with, such as `#/$defs/` */
  constructor(place: string, withXml: boolean) {
    this.#place = place;
    this.withXml = withXml;
  }

  /** @throws Error when another schema has the name */
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

  xml(annotation: Schema): Schema {
    return this.withXml ? { xml: annotation } : {};
  }

  all(): Readonly<Record<string, Schema>> {
    return Object.fromEntries([...this.#named].sort(([one], [other]) => (one < other ? -1 : 1)));
  }
}
