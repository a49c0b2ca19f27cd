/** OpenAPI's paths and operations, from an API's routes. */

import type {
  BodyType,
  DescribedApi,
  DescribedRoute,
  DocumentType,
  Parameter,
} from '../http/pipeline/api.ts';
import { bodyTypes } from '../http/pipeline/read-body.ts';
import type { ProblemCode } from '../http/problems/problem-types.ts';
import { headerParameter } from './headers.ts';
import { capitalize, type Schema } from './names.ts';
import { documentExample, isDocument, type ProblemResponses, successResponse } from './responses.ts';

/** `/things/:id` is `/things/{id}` in OpenAPI. */
const toPathTemplate = (path: string): string => path.replace(/:([a-z]+)/gi, '{$1}');

/** In `components.schemas`, for formats that OpenAPI can't describe exactly. */
export const elementName = ({ name }: BodyType): string => `${name.replace(/Input$/, '')}Element`;

function requestBodyOf({ formats, maxBodyBytes }: DescribedApi, takes: BodyType): Schema {
  const entries = formats.flatMap((format) => {
    const { body } = format.inContracts;
    const name = body === 'exact' ? takes.name : elementName(takes);
    const schema = body === 'nothing' ? {} : { $ref: `#/components/schemas/${name}` };
    const examples = { example: { summary: 'An example', value: documentExample(format, takes) } };
    return bodyTypes([format], takes.kind).map((type) => [type, { schema, examples }]);
  });
  const otherContracts = formats.flatMap(({ name, inContracts: { language } }) =>
    language === undefined
      ? []
      : [
          ` For ${name.toUpperCase()} the contract is the ${language.name}, ${schemaPath(takes, language.extension)}.`,
        ],
  );
  return {
    requestBody: {
      description: `At most ${takes.maxBytes ?? maxBodyBytes} bytes after decoding.${otherContracts.join('')}`,
      required: true,
      content: Object.fromEntries(entries),
    },
  };
}

/** The URL of the schema in the format's own language. */
export const schemaPath = ({ naming }: Pick<DocumentType, 'naming'>, extension: string): string =>
  `/schemas/${naming.one}.${extension}`;

/** A pointer to the id in a document, without its first slash; for a list, to the id of its first item. */
const idPointerOf = ({ isList, naming }: DocumentType): string => (isList ? `${naming.many}/0/id` : 'id');

/** The routes of these documents by id. */
const idPathsOf = ({ routes }: DescribedApi, { naming }: DocumentType): readonly string[] =>
  routes.flatMap(({ method, path, params, answers }) =>
    method === 'GET' &&
    params?.id !== undefined &&
    answers.some(({ shows }) => isDocument(shows) && shows.naming === naming)
      ? [path]
      : [],
  );

/** Links from a response to the routes that take its id. */
function linksOf(api: DescribedApi, document: DocumentType): Schema {
  const from = idPointerOf(document);
  const paths = idPathsOf(api, document);
  const links = api.routes
    .filter(({ path }) => paths.includes(path))
    .map(({ id, summary, headers = [] }) => {
      const lock = headers[0] === 'If-Match' && from === 'id' ? { 'If-Match': '$response.header.ETag' } : {};
      const parameters = { id: `$response.body#/${from}`, ...lock };
      return [id, { operationId: id, description: summary, parameters }];
    });
  return links.length === 0 ? {} : { links: Object.fromEntries(links) };
}

const problemsAnywhere: readonly ProblemCode[] = [
  'malformed-request',
  'invalid-header',
  'invalid-parameter',
  'request-timeout',
  'expectation-failed',
  'headers-too-large',
  'internal-error',
  'not-implemented',
];

/** The problems of an operation that a profile limits. */
function profileProblems({ method, query }: DescribedRoute): readonly ProblemCode[] {
  if (method !== 'GET') return ['attribute-hidden', 'attribute-read-only', 'outside-of-profile'];
  return query === undefined ? [] : ['attribute-hidden'];
}

function problemsOf(api: DescribedApi, route: DescribedRoute): readonly string[] {
  const { access = api.access, scope, problems = [] } = route;
  return [
    ...problemsAnywhere,
    ...(access === 'credentials' ? ['unauthenticated', 'profile-refused', 'unavailable'] : []),
    ...(scope === undefined ? [] : ['insufficient-scope', ...profileProblems(route)]),
    ...(api.isShed === false ? [] : ['overloaded']),
    ...problems,
  ];
}

function operationOf(
  api: DescribedApi,
  route: DescribedRoute,
  problems: ProblemResponses,
  named: Parameters,
): Schema {
  const { access = api.access, scope, description, query = {}, headers = [], takes, answers } = route;
  const held = scope === undefined ? [] : [scope];
  const scopeSentence = scope === undefined ? [] : [`Takes the scope \`${scope}\`.`];
  const words = [...(description === undefined ? [] : [description]), ...scopeSentence].join(' ');
  const successes = answers.map((answer) => {
    const { shows } = answer;
    const links = isDocument(shows) ? linksOf(api, shows) : {};
    return [answer.status, { ...successResponse(api, answer), ...links }];
  });
  return {
    operationId: route.id,
    summary: route.summary,
    ...(words === '' ? {} : { description: words }),
    tags: [api.name],
    security: access === 'open' ? [] : [{ bearer: held }, { basic: held }],
    parameters: [
      ...Object.entries(query).map(([name, parameter]) => named.referenceTo(api, 'query', name, parameter)),
      ...headers.map(headerParameter),
    ],
    ...(takes === undefined ? {} : requestBodyOf(api, takes)),
    responses: { ...Object.fromEntries(successes), ...problems.responsesOf(api, problemsOf(api, route)) },
  };
}

export function pathsOf(api: DescribedApi, problems: ProblemResponses, named: Parameters): Schema {
  // A route that only redirects is left out: linters of OpenAPI demand a success response of each operation.
  const succeeding = api.routes.filter(({ answers }) => answers.some(({ status }) => status < 300));
  const paths = [...new Set(succeeding.map(({ path }) => path))];
  return Object.fromEntries(
    paths.map((path) => {
      const here = api.routes.filter((route) => route.path === path);
      const params = Object.entries(here[0]?.params ?? {}).map(([name, parameter]) =>
        named.referenceTo(api, 'path', name, parameter),
      );
      const methods = here.map((route) => [
        route.method.toLowerCase(),
        operationOf(api, route, problems, named),
      ]);
      const parameters = [...params, headerParameter('X-Request-Id')];
      return [toPathTemplate(path), { parameters, ...Object.fromEntries(methods) }];
    }),
  );
}

/** `components.parameters`: path and query parameters. A parameter that differs from an earlier one of the same name also has the API's name. */
export class Parameters {
  readonly #named = new Map<string, Schema>();

  referenceTo(api: DescribedApi, place: 'path' | 'query', name: string, parameter: Parameter): Schema {
    const { description, schema, example } = parameter;
    const described: Schema = {
      name,
      in: place,
      ...(place === 'path' ? { required: true } : {}),
      ...(description === undefined ? {} : { description }),
      schema,
      ...(example === undefined ? {} : { example }),
    };
    // With a suffix, since generators for Go would give `email` and the schema `Email` one name.
    const names = [`${name}Parameter`, `${name}Of${capitalize(api.name)}Parameter`];
    const text = JSON.stringify(described);
    const own = names.find((one) => JSON.stringify(this.#named.get(one) ?? described) === text);
    if (own === undefined) throw new Error(`two parameters would be called ${names[1]}`);
    this.#named.set(own, described);
    return { $ref: `#/components/parameters/${own}` };
  }

  all(): Schema {
    return Object.fromEntries(this.#named);
  }
}
