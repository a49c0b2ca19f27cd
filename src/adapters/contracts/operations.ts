/** An API's routes as OpenAPI's paths. */
import type { Api, BodyType, DocumentType, Parameter, Route } from '../http/api.ts';
import { bodyTypes } from '../http/body.ts';
import { problemsAnywhere } from '../http/problem-types.ts';
import { type Problems, success } from './answers.ts';
import { documentExample } from './examples.ts';
import { headerParameter } from './headers.ts';
import type { Schema } from './names.ts';

/** `/things/:id` as OpenAPI writes it. */
const template = (path: string): string => path.replace(/:([a-z]+)/gi, '{$1}');

const parameterReference = (name: string): Schema => ({ $ref: `#/components/parameters/${name}` });

/** How a format's bodies are called in `components.schemas`: exactly, or as OpenAPI can say it. */
export const elementName = ({ name }: BodyType): string => `${name.replace(/Input$/, '')}Element`;

function requestBody({ formats, maxBodyBytes }: Api, takes: BodyType): Schema {
  const entries = formats.flatMap((format) => {
    const { body } = format.inContracts;
    const name = body === 'exact' ? takes.name : elementName(takes);
    const schema = body === 'nothing' ? {} : { $ref: `#/components/schemas/${name}` };
    const examples = { example: { summary: 'An example', value: documentExample(format, takes) } };
    return bodyTypes([format], takes.kind).map((type) => [type, { schema, examples }]);
  });
  const elsewhere = formats.flatMap(({ name, inContracts: { language } }) =>
    language === undefined
      ? []
      : [
          ` For ${name.toUpperCase()} the contract is the ${language.name}, ${schemaPath(takes, language.extension)}.`,
        ],
  );
  return {
    requestBody: {
      description: `At most ${maxBodyBytes} bytes after decoding.${elsewhere.join('')}`,
      required: true,
      content: Object.fromEntries(entries),
    },
  };
}

/** Where the schema of a kind of documents is published. */
export const schemaPath = ({ naming }: Pick<DocumentType, 'naming'>, extension: string): string =>
  `/schemas/${naming.one}.${extension}`;

/** Where the id of what a document shows stands in it, for the routes that take one. */
const idIn = ({ isList, naming }: DocumentType): string => (isList ? `${naming.many}/0/id` : 'id');

/** What can be done with what an answer shows: the routes that take its id. */
function linksOf(api: Api, document: DocumentType): Schema {
  const from = idIn(document);
  const links = api.routes
    .filter(({ params }) => params?.id !== undefined)
    .map(({ id, summary, headers }) => {
      const lock = headers[0] === 'If-Match' && from === 'id' ? { 'If-Match': '$response.header.ETag' } : {};
      const parameters = { id: `$response.body#/${from}`, ...lock };
      return [id, { operationId: id, description: summary, parameters }];
    });
  return links.length === 0 ? {} : { links: Object.fromEntries(links) };
}

function problemsOf(api: Api, { access = api.access, scope, problems }: Route): readonly string[] {
  return [
    ...problemsAnywhere,
    ...(access === 'credentials' ? ['unauthenticated', 'unavailable'] : []),
    ...(scope === undefined ? [] : ['insufficient-scope']),
    ...(api.isShed ? ['overloaded'] : []),
    ...problems,
  ];
}

function operation(api: Api, route: Route, all: Problems): Schema {
  const { scope, description, query = {}, headers, takes, answers } = route;
  const taken = scope === undefined ? [] : [`Takes the scope \`${scope}\`.`];
  const words = [...(description === undefined ? [] : [description]), ...taken].join(' ');
  const successes = answers.map((answer) => {
    const { shows } = answer;
    const links = shows !== undefined && 'schema' in shows ? linksOf(api, shows) : {};
    return [answer.status, { ...success(api, answer), ...links }];
  });
  return {
    operationId: route.id,
    summary: route.summary,
    ...(words === '' ? {} : { description: words }),
    tags: [api.name],
    security: scope === undefined ? [] : [{ bearer: [scope] }, { basic: [scope] }],
    parameters: [...Object.keys(query).map(parameterReference), ...headers.map(headerParameter)],
    ...(takes === undefined ? {} : requestBody(api, takes)),
    responses: { ...Object.fromEntries(successes), ...all.answers(api, problemsOf(api, route)) },
  };
}

export function pathsOf(api: Api, all: Problems): Schema {
  // What only leads elsewhere is no operation: OpenAPI's strict rules want a success.
  const succeeding = api.routes.filter(({ answers }) => answers.some(({ status }) => status < 300));
  const paths = [...new Set(succeeding.map(({ path }) => path))];
  return Object.fromEntries(
    paths.map((path) => {
      const here = api.routes.filter((route) => route.path === path);
      const params = Object.keys(here[0]?.params ?? {}).map(parameterReference);
      const methods = here.map((route) => [route.method.toLowerCase(), operation(api, route, all)]);
      const parameters = [...params, headerParameter('X-Request-Id')];
      return [template(path), { parameters, ...Object.fromEntries(methods) }];
    }),
  );
}

/** `components.parameters` of paths and queries. @throws Error when two routes mean different things by one name */
export function parametersOf(routes: readonly Route[]): Schema {
  const named = new Map<string, Schema>();
  const add = (place: 'path' | 'query', all: Readonly<Record<string, Parameter>> = {}) => {
    for (const [name, { description, schema, example }] of Object.entries(all)) {
      const parameter = {
        ...{ name, in: place, ...(place === 'path' ? { required: true } : {}) },
        ...(description === undefined ? {} : { description }),
        schema,
        ...(example === undefined ? {} : { example }),
      };
      const known = named.get(name);
      if (known !== undefined && JSON.stringify(known) !== JSON.stringify(parameter))
        throw new Error(`two parameters would be called ${name}`);
      named.set(name, parameter);
    }
  };
  for (const { params } of routes) add('path', params);
  for (const { query } of routes) add('query', query);
  return Object.fromEntries(named);
}
