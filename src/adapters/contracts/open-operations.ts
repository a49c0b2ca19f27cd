/** What needs no credentials, as OpenAPI's paths: the probes and the published contracts. */
import type { Problems } from './answers.ts';
import type { Published } from './documents.ts';
import { answerHeaders, headerParameter } from './headers.ts';
import type { Schema } from './names.ts';
import { template } from './operations.ts';

interface Open {
  readonly path: string;
  readonly summary: string;
  readonly id: string;
  readonly tag: string;
  readonly responses: Schema;
  readonly bodiless: Schema;
  readonly parameters: readonly Schema[];
}

const allowed = { 204: { description: 'They stand in `Allow`.', headers: withoutCaching(['Allow']) } };

function withoutCaching(required: Parameters<typeof answerHeaders>[0]): Schema {
  const { 'Cache-Control': _none, ...rest } = answerHeaders(required);
  return rest;
}

function pathItem({ path, summary, id, tag, responses, bodiless, parameters }: Open): [string, Schema] {
  const more = { tags: [tag], security: [] };
  return [
    template(path),
    {
      parameters: [...parameters, headerParameter('X-Request-Id')],
      get: { operationId: id, summary, ...more, responses },
      head: {
        operationId: `${id}Head`,
        summary: `${summary}: the header alone`,
        ...more,
        responses: bodiless,
      },
      options: { operationId: `${id}Options`, summary: 'Tell the methods', ...more, responses: allowed },
    },
  ];
}

export function probePaths(all: Problems): Schema {
  const fine = { 204: { description: 'It does.', headers: answerHeaders([]) } };
  const probe = { tag: 'health', parameters: [] };
  return Object.fromEntries([
    pathItem({
      ...{ ...probe, path: '/health/live', id: 'live', summary: 'Whether the process answers' },
      ...{ responses: fine, bodiless: fine },
    }),
    pathItem({
      ...{ ...probe, path: '/health/ready', id: 'ready', summary: 'Whether the store answers too' },
      responses: { ...fine, ...all.answers(['unavailable', 'internal-error']) },
      bodiless: { ...fine, ...all.answers(['unavailable', 'internal-error'], true) },
    }),
  ]);
}

const camel = (path: string): string =>
  path
    .slice(1)
    .replaceAll(':', '')
    .replace(/[^A-Za-z]+([a-z])/g, (_, letter: string) => letter.toUpperCase());

/** @param documents those of one path, which has a parameter when there are several */
function published(path: string, documents: readonly Published[], all: Problems): [string, Schema] {
  const [first] = documents;
  const headers = answerHeaders(['ETag'], first?.policy === undefined ? [] : ['Content-Security-Policy']);
  const types = [...new Set(documents.map(({ contentType }) => contentType.split(';')[0] ?? ''))];
  const content = Object.fromEntries(types.map((type) => [type, { schema: {} }]));
  const parameter = /:([a-z]+)/.exec(path)?.[1];
  const values = documents.map((document) => document.path.slice(path.indexOf(':')));
  const unknown = (bodiless: boolean) =>
    parameter === undefined ? {} : all.answers(['no-such-resource'], bodiless);
  const fresh = { 304: { description: 'It has not changed.', headers } };
  return pathItem({
    ...{ path, id: camel(path), tag: 'contract', summary: first?.summary ?? '' },
    parameters: [
      ...(parameter === undefined
        ? []
        : [{ name: parameter, in: 'path', required: true, schema: { type: 'string', enum: values } }]),
      headerParameter('If-None-Match'),
    ],
    responses: { 200: { description: 'Here it is.', headers, content }, ...fresh, ...unknown(false) },
    bodiless: { 200: { description: 'It is there.', headers }, ...fresh, ...unknown(true) },
  });
}

export function publishedPaths(documents: readonly Published[], all: Problems): Schema {
  const paths = [...new Set(documents.map(({ route }) => route))];
  return Object.fromEntries(
    paths.map((path) =>
      published(
        path,
        documents.filter(({ route }) => route === path),
        all,
      ),
    ),
  );
}
