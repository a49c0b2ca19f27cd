/**
 * The schemas that APIs publish beside the OpenAPI document, each in the language of a format. They are made, and their makers loaded, on the first
 * request: few processes publish them.
 */
import type { StaticDocument } from '../http/static-documents.ts';
import type { JsonSchemaParts } from './json-schema.ts';
import type { XsdParts } from './xsd.ts';

/** A paragraph for readers of a schema. */
export const growth =
  'Later releases may add optional elements without another namespace: ignore elements that you do not know, and do not validate what you receive against an old copy of this file.';

/** @param name of the file */
export const xsdDocument = (name: string, summary: string, parts: XsdParts): StaticDocument => ({
  path: `/schemas/${name}.xsd`,
  contentType: 'application/xml; charset=utf-8',
  summary,
  make: async () => (await import('./xsd.ts')).xsd(parts),
});

/** @param name of the file */
export const jsonSchemaDocument = (
  name: string,
  summary: string,
  parts: JsonSchemaParts,
): StaticDocument => ({
  path: `/schemas/${name}.json`,
  contentType: 'application/schema+json',
  summary,
  make: async () => JSON.stringify((await import('./json-schema.ts')).jsonSchema(parts), null, 2),
});
