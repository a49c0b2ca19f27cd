/** What needs no credentials, as OpenAPI's paths: the probes and the published contracts. */
import { type ProblemCode, problemsAnywhere } from '../http/problems.ts';
import type { Problems } from './answers.ts';
import type { Published } from './documents.ts';
import { answerHeaders, headerParameter, optionsHeaders } from './headers.ts';
import type { Schema } from './names.ts';
import { template } from './operations.ts';

interface Open {
  readonly path: string;
  readonly summary: string;
  readonly id: string;
  readonly tag: string;
  /** Those of the path. */
  readonly parameters: readonly Schema[];
  /** Those of GET and HEAD. */
  readonly conditions: readonly Schema[];
  /** By status; without the bodies for HEAD. */
  readonly answers: (bodiless: boolean) => Schema;
}

function pathItem(
  { path, summary, id, tag, parameters, conditions, answers }: Open,
  all: Problems,
): [string, Schema] {
  const more = { tags: [tag], security: [] };
  const read = { ...more, parameters: conditions };
  const problems: readonly ProblemCode[] = [
    ...problemsAnywhere,
    ...(parameters.length > 0 ? (['no-such-resource'] as const) : []),
    ...(tag === 'health' ? [] : (['overloaded'] as const)),
  ];
  const allowed = { 204: { description: 'They stand in `Allow`.', headers: optionsHeaders() } };
  const withoutBody = `${summary}: the header alone`;
  return [
    template(path),
    {
      parameters: [...parameters, headerParameter('X-Request-Id')],
      get: { operationId: id, summary, ...read, responses: answers(false) },
      head: { operationId: `${id}Head`, summary: withoutBody, ...read, responses: answers(true) },
      options: {
        ...{ operationId: `${id}Options`, summary: 'Tell the methods', ...more },
        responses: { ...allowed, ...all.answers(problems) },
      },
    },
  ];
}

export function probePaths(all: Problems): Schema {
  const fine = { 204: { description: 'It does.', headers: answerHeaders([]) } };
  const probe = (name: string, summary: string, problems: readonly ProblemCode[]) => {
    const answers = (bodiless: boolean) => ({ ...fine, ...all.answers(problems, bodiless) });
    const path = `/health/${name}`;
    return pathItem({ path, id: name, tag: 'health', summary, parameters: [], conditions: [], answers }, all);
  };
  return Object.fromEntries([
    probe('live', 'Whether the process answers', problemsAnywhere),
    probe('ready', 'Whether the store answers too', [...problemsAnywhere, 'unavailable']),
  ]);
}

const camel = (path: string): string =>
  path
    .slice(1)
    .replaceAll(':', '')
    .replace(/[^A-Za-z]+([a-z])/g, (_, letter: string) => letter.toUpperCase());

/** What a path with a variable part can hold in its place. */
function pathParameter(path: string, documents: readonly Published[]): Schema[] {
  const name = /:([a-z]+)/.exec(path)?.[1];
  if (name === undefined) return [];
  const values = documents.map((document) => document.path.slice(path.indexOf(':')));
  return [{ name, in: 'path', required: true, schema: { type: 'string', enum: values } }];
}

/** @param documents those of one path */
function published(path: string, documents: readonly Published[], all: Problems): [string, Schema] {
  const [first] = documents;
  const policy = first?.policy === undefined ? [] : (['Content-Security-Policy'] as const);
  const headers = answerHeaders(['ETag', ...policy]);
  const coded = answerHeaders(['ETag', ...policy], ['Content-Encoding']);
  const types = documents.map(({ contentType }) => contentType.split(';')[0] ?? '');
  const content = Object.fromEntries(types.map((type) => [type, { schema: {} }]));
  const variable = pathParameter(path, documents);
  const unknown: readonly ProblemCode[] = variable.length > 0 ? ['no-such-resource'] : [];
  const problems: readonly ProblemCode[] = [
    ...problemsAnywhere,
    ...(['overloaded', 'precondition-failed'] as const),
    ...unknown,
  ];
  const answers = (bodiless: boolean): Schema => ({
    200: { description: 'As it is now.', headers: coded, ...(bodiless ? {} : { content }) },
    304: { description: 'It has not changed.', headers },
    ...all.answers(problems, bodiless),
  });
  const conditions = [headerParameter('If-None-Match'), headerParameter('If-Match')];
  const named = { path, id: camel(path), tag: 'contract', summary: first?.summary ?? '' };
  return pathItem({ ...named, parameters: variable, conditions, answers }, all);
}

export function publishedPaths(documents: readonly Published[], all: Problems): Schema {
  const paths = [...new Set(documents.map(({ route }) => route))];
  const at = (path: string) => documents.filter(({ route }) => route === path);
  return Object.fromEntries(paths.map((path) => published(path, at(path), all)));
}
