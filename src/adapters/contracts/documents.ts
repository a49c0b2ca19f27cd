/** The documents that APIs take and show, as JSON Schema 2020-12. */
import type { Api, BodyType, DocumentType } from '../http/api.ts';
import { ProblemDocument, problemNaming } from '../http/problems.ts';
import { Components } from './components.ts';
import { requiredOf, type Schema } from './names.ts';
import { acceptedDocument, addNothing } from './request-schema.ts';
import { shownDocument } from './response-schema.ts';

const isDocument = (shows: unknown): shows is DocumentType =>
  typeof shows === 'object' && shows !== null && 'schema' in shows;

function addShown(document: DocumentType, to: Components): void {
  const { name, schema, naming, isList, description } = document;
  if (isList !== true) {
    shownDocument(schema, naming, to, name);
    return;
  }
  const item = to.reference(name.replace(/s$/, ''));
  to.add(name, {
    type: 'object',
    ...(description === undefined ? {} : { description }),
    properties: { [naming.many]: { type: 'array', items: item } },
    required: [naming.many],
    ...to.xml({ name: naming.many, namespace: naming.namespace }),
  });
}

function addTaken({ name, schema, description = '', kind, ignores }: BodyType, to: Components): void {
  addNothing(to);
  const required = kind === 'patch' ? [] : requiredOf(schema);
  acceptedDocument(schema, { name, description, required, ignored: ignores }, to);
}

/** All of them, with `Problem` and what they are made of. */
export function addDocuments(apis: readonly Api[], to: Components): void {
  const routes = apis.flatMap((api) => api.routes);
  const shown = routes.flatMap(({ answers }) => answers.map(({ shows }) => shows)).filter(isDocument);
  for (const document of new Set(shown)) addShown(document, to);
  for (const { takes } of routes) if (takes !== undefined) addTaken(takes, to);
  for (const { failures } of apis) if (failures !== undefined) addShown(failures.document, to);
  if (apis.some(({ failures }) => failures === undefined))
    shownDocument(ProblemDocument, problemNaming, to, 'Problem');
}

export interface JsonSchemaParts {
  readonly api: Api;
  readonly $id: string;
  readonly title: string;
  readonly description: string;
  /** What the schema itself is of; all else stands in `$defs`. */
  readonly of: DocumentType;
}

export function jsonSchema({ api, $id, title, description, of }: JsonSchemaParts): Schema {
  const definitions = new Components('#/$defs/', false);
  addDocuments([api], definitions);
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    ...{ $id, title, description },
    $ref: `#/$defs/${of.name}`,
    $defs: definitions.all(),
  };
}
