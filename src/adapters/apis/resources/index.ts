/**
 * The API of one kind of resource: list, create, read, replace, change and delete, in every format.
 *
 * A request comes to a route (`routes.ts`), which names its handler: `handlers.ts` for one resource, `list.ts` for lists; `restore.ts` has both. A handler reads the
 * request (`service.ts` has the codecs), calls the use case (domain/use-cases/resources.ts) and answers. `parameters.ts` reads the parameters of a list,
 * `list-query.ts` joins them. What the API publishes of itself follows from the same definition (`definition.ts`, `described-parameters.ts`,
 * `problems.ts`); tags and dates from its kind (`validators.ts`). Skip `cursor.ts` on a first reading.
 */
import { capitalize, requiredOf } from '../../contracts/names.ts';
import { growth, jsonSchemaDocument, xsdDocument } from '../../contracts/schema-documents.ts';
import type { DescribedApi, DescribedRoute } from '../../http/pipeline/api.ts';
import type { DescribedProblemTypes } from '../../http/problems/problem-types.ts';
import type { StaticDocument } from '../../http/static-documents.ts';
import { namespace, pathOf, type ResourceDefinition } from './definition.ts';
import { resourceProblems } from './problems.ts';
import { restoreProblems, restoreRoute } from './restore.ts';
import { resourceRoutes } from './routes.ts';
import { type ResourceServiceParts, resourceService } from './service.ts';

export interface ResourceApiParts extends ResourceServiceParts {
  /** A sentence for the contract. */
  readonly description: string;
  /** In bytes after decoding: more than any resource of the kind in XML and UTF-16. */
  readonly maxBodyBytes: number;
  /** Routes besides those of every kind. */
  readonly routes?: readonly DescribedRoute[];
  readonly problems?: DescribedProblemTypes;
}

export const resourceApi = ({
  description,
  maxBodyBytes,
  routes = [],
  problems = {},
  ...parts
}: ResourceApiParts): DescribedApi => {
  const service = resourceService(parts);
  return {
    name: parts.definition.kind.plural,
    description,
    prefixes: [pathOf(parts.definition)],
    access: 'credentials',
    maxBodyBytes,
    formats: parts.formats,
    problems: { ...resourceProblems(parts.definition), ...restoreProblems, ...problems },
    routes: [...resourceRoutes(service), restoreRoute(service), ...routes],
  };
};

/** Published beside the OpenAPI document. @param about what else a client should know of the XML Schema */
export function resourceSchemas(
  api: DescribedApi,
  definition: ResourceDefinition,
  about: readonly string[] = [],
): readonly StaticDocument[] {
  const { kind, document, list } = definition;
  const { name, plural } = kind;
  const [Name, Many] = [capitalize(name), capitalize(plural)];
  const required = requiredOf(kind.input);
  const ofService = requiredOf(document.schema).filter((member) => !required.includes(member));
  const written = `The documents that the service writes, and those that a client should send. Documents of the service always have ${ofService.slice(0, -1).join(', ')} and ${ofService.at(-1)}; a client may leave them out.`;
  return [
    jsonSchemaDocument(name, `${Many} as JSON Schema`, {
      api,
      $id: `${namespace}:${name === 'user' ? 'schema' : plural}`,
      title: Many,
      description: `A ${name} as the service shows it. $defs has more: ${Many}, a list; ${Name}Input and ${Name}Patch, what it accepts; Problem, an error.`,
      of: document,
    }),
    xsdDocument(name, `${Many} as XML Schema`, { of: list, required, about: [written, ...about, growth] }),
  ];
}
