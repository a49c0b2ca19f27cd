/**
 * Describes APIs as an OpenAPI 3.1 document, from their routes, schemas, problems and scopes.
 *
 * In: APIs, as the kernel mounts them (http/pipeline/api.ts). Out: plain JSON. `openApi` below collects:
 * 1. `json-schema.ts`: a named schema of each document; `body-schemas.ts` makes the schemas of requests and responses;
 * 2. `operations.ts`: paths and operations, with `headers.ts` and `responses.ts`, whose examples the codecs print.
 *
 * `jsonSchema` (`json-schema.ts`) and `xsd` (`xsd.ts`) make the schemas of one resource, for generators; `schema-documents.ts` publishes them. On a
 * first reading skip `names.ts` and `xsd-pattern.ts`.
 */

import type { BodyType, DescribedApi } from '../http/pipeline/api.ts';
import type { Urls } from '../http/pipeline/urls.ts';
import type { PrintProblem } from '../http/problems/problems.ts';
import { addResponseSchema } from './body-schemas.ts';
import { headerComponents, headerParameters } from './headers.ts';
import { addDocuments } from './json-schema.ts';
import { Components, requiredOf, type Schema } from './names.ts';
import { elementName, Parameters, pathsOf, schemaPath } from './operations.ts';
import { ProblemResponses } from './responses.ts';

export interface ContractInfo {
  readonly title: string;
  /** Markdown. */
  readonly description: string;
  /** The version of the contract, not of the program. */
  readonly version: string;
}

interface ContractParts {
  readonly info: ContractInfo;
  readonly apis: readonly DescribedApi[];
  readonly url: Urls;
  readonly printProblem: PrintProblem;
}

const securitySchemes = {
  bearer: {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'JWT, or an API key',
    description:
      'A signed token (RFC 9068) with scopes in `scope` or `scp`; or an API key as `<id>.<secret>`, for clients that keep one long-lived secret only.',
  },
  basic: { type: 'http', scheme: 'basic', description: 'The id and the secret of an API key.' },
};

/** Formats that OpenAPI can't describe exactly: the descriptions of their bodies name the schema in the format's own language. */
function addElements({ formats, routes }: DescribedApi, to: Components): void {
  const language = formats.find(({ inContracts }) => inContracts.body === 'elements')?.inContracts.language;
  if (language === undefined) return;
  for (const takes of new Set(routes.map((route) => route.takes).filter((body) => body !== undefined)))
    addResponseSchema(elementSchemaOf(takes, language), takes.naming, to, elementName(takes));
}

function elementSchemaOf(takes: BodyType, { name, extension }: { name: string; extension: string }) {
  const { required: _all, ...schema } = takes.schema as unknown as Schema;
  const required = takes.kind === 'patch' ? {} : { required: requiredOf(takes.schema) };
  const description = `A \`<${takes.naming.one}>\` as a client sends it. The contract is the ${name}, ${schemaPath(takes, extension)}.`;
  return { ...schema, ...required, description } as unknown as BodyType['schema'];
}

function referencesIn(tree: unknown, found = new Set<string>()): ReadonlySet<string> {
  if (typeof tree !== 'object' || tree === null) return found;
  if ('$ref' in tree) found.add(String(tree.$ref));
  for (const value of Object.values(tree)) referencesIn(value, found);
  return found;
}

/** @throws Error if two routes, documents or parameters would have the same name */
export function openApi({ info, apis, url, printProblem }: ContractParts): Schema {
  const hasElements = apis.some(({ formats }) =>
    formats.some(({ inContracts }) => inContracts.body === 'elements'),
  );
  const place = '#/components/schemas/';
  const schemas = new Components({ place, withXml: hasElements, withItemRules: false });
  addDocuments(apis, schemas);
  for (const api of apis) addElements(api, schemas);
  const problems = new ProblemResponses(printProblem);
  const parameters = new Parameters();
  const paths = Object.assign({}, ...apis.map((api) => pathsOf(api, problems, parameters)));
  const responses = problems.components();
  return {
    openapi: '3.1.1',
    info: {
      title: info.title,
      version: info.version,
      description: info.description,
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: url('') === '' ? '/' : url(''), description: 'This service' }],
    tags: apis.map(({ name, description: about }) => ({ name, description: about })),
    paths,
    components: {
      schemas: schemas.all(),
      responses,
      parameters: { ...parameters.all(), ...headerParameters(referencesIn(paths)) },
      headers: headerComponents(referencesIn({ paths, responses })),
      securitySchemes,
    },
  };
}
