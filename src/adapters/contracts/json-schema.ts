/** The request and response schemas of APIs, as JSON Schema 2020-12. */

import type { TObject } from 'typebox';
import type { BodyType, DescribedApi, DocumentType } from '../http/pipeline/api.ts';
import { ProblemDocument, problemNaming } from '../http/problems/problems.ts';
import { addRequestSchema, addResponseSchema } from './body-schemas.ts';
import { Components, keywordsOf, requiredOf, type Schema } from './names.ts';
import { isDocument } from './responses.ts';

/** The form in which formats print lists: see `Codec.list`. */
const besideItems = ({ properties }: TObject, to: Components): Schema =>
  Object.fromEntries(
    Object.entries(properties).map(([name, schema]) => [
      name,
      { ...keywordsOf(schema), ...to.xml({ attribute: true }) },
    ]),
  );

function addResponse(document: DocumentType, to: Components): void {
  const { name, schema, naming, isList, beside, description } = document;
  if (isList !== true) {
    addResponseSchema(schema, naming, to, name);
    return;
  }
  const item = addResponseSchema(schema, naming, to, name.replace(/s$/, ''));
  to.add(name, {
    type: 'object',
    ...(description === undefined ? {} : { description }),
    properties: { ...(beside && besideItems(beside, to)), [naming.many]: { type: 'array', items: item } },
    required: [...(beside ? requiredOf(beside) : []), naming.many],
    ...to.xml({ name: naming.many, namespace: naming.namespace }),
  });
}

function addRequest(body: BodyType, to: Components): void {
  const { name, schema, description = '', kind, ignores } = body;
  addRequestSchema(schema, { name, description, isPatch: kind === 'patch', ignored: ignores }, to);
}

/** Every document of these APIs, problem documents included, and their objects. */
export function addDocuments(apis: readonly DescribedApi[], to: Components): void {
  const routes = apis.flatMap((api) => api.routes);
  const responses = routes.flatMap(({ answers }) => answers.map(({ shows }) => shows)).filter(isDocument);
  for (const document of new Set(responses)) addResponse(document, to);
  for (const { takes } of routes) if (takes !== undefined) addRequest(takes, to);
  addResponseSchema(ProblemDocument, problemNaming, to, 'Problem');
}

export interface JsonSchemaParts {
  readonly api: DescribedApi;
  readonly $id: string;
  readonly title: string;
  readonly description: string;
  /** The schema of this document; other schemas are in `$defs`. */
  readonly of: DocumentType;
}

export function jsonSchema({ api, $id, title, description, of }: JsonSchemaParts): Schema {
  const definitions = new Components({ place: '#/$defs/', withXml: false, withItemRules: true });
  addDocuments([api], definitions);
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    $id,
    title,
    description,
    $ref: `#/$defs/${of.name}`,
    $defs: definitions.all(),
  };
}
