/** A resource's XML Schema and JSON Schema, for client generators. A separate module, since it is imported on demand. */
import { jsonSchema } from '../../contracts/json-schema.ts';
import { capitalize, requiredOf } from '../../contracts/names.ts';
import { xsd } from '../../contracts/xsd.ts';
import type { DescribedApi, DocumentType } from '../../http/pipeline/api.ts';
import { namespace, type ResourceDefinition } from './definition.ts';

export const growth =
  'Later releases may add optional elements without another namespace: ignore elements that you do not know, and do not validate what you receive against an old copy of this file.';

/** @param about what else a client should know */
export function resourceXsd(
  { kind, document, list: { beside } }: ResourceDefinition,
  about: readonly string[] = [],
): string {
  const input = new Set(requiredOf(kind.input));
  const ofService = requiredOf(document.schema).filter((name) => !input.has(name));
  return xsd({
    schema: document.schema,
    naming: document.naming,
    required: [...input],
    hasList: true,
    beside,
    about: [
      `The documents that the service writes, and those that a client should send. Documents of the service always have ${ofService.slice(0, -1).join(', ')} and ${ofService.at(-1)}; a client may leave them out.`,
      ...about,
      growth,
    ],
  });
}

/** Of a document that only the service writes, and that is no list. */
export const documentXsd = ({ schema, naming }: DocumentType, about: string): string =>
  xsd({ schema, naming, required: requiredOf(schema), hasList: false, about: [about, growth] });

export function resourceJsonSchema({ kind, document }: ResourceDefinition, api: DescribedApi): string {
  const { name, plural } = kind;
  const Name = capitalize(name);
  const schema = jsonSchema({
    api,
    $id: `${namespace}:${name === 'user' ? 'schema' : plural}`,
    title: capitalize(plural),
    description: `A ${name} as the service shows it. $defs has more: ${capitalize(plural)}, a list; ${Name}Input and ${Name}Patch, what it accepts; Problem, an error.`,
    of: document,
  });
  return JSON.stringify(schema, null, 2);
}
