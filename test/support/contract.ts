/** The published contract as the tests know it: made for a service at the root, and read by a validator that isn't the service's. */
import { Ajv2020, type AnySchema } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { documents } from '../../src/adapters/apis/docs/documents.ts';

/** A document as published, for a service without a public URL. @throws Error when there is none at the path */
export async function publishedText(path: string): Promise<string> {
  const found = documents.find((document) => document.path === path);
  if (found === undefined) throw new Error(`nothing is published at ${path}`);
  return String(await found.make({ url: (at) => at }));
}

export type Json = { readonly [name: string]: Json } & string;

export const publishedJson = async (path: string): Promise<Json> => JSON.parse(await publishedText(path));

/** JSON Schema 2020-12 to the letter: what it doesn't know is an error. `xml` and `example` are OpenAPI's own. */
export function validator(): Ajv2020 {
  const ajv = new Ajv2020({ strict: true, strictRequired: false, allErrors: true, allowUnionTypes: true });
  formats.default(ajv);
  ajv.addVocabulary(['xml', 'example', 'components']);
  return ajv;
}

/** Members that no schema names are mistakes of ours, though a client has to put up with them. */
export function closed(schema: unknown): AnySchema {
  if (typeof schema !== 'object' || schema === null) return schema as AnySchema;
  if (Array.isArray(schema)) return schema.map(closed) as unknown as AnySchema;
  const inner: Record<string, unknown> = Object.fromEntries(
    Object.entries(schema).map(([name, value]) => [name, closed(value)]),
  );
  const isObject = 'properties' in inner && inner.type === 'object' && !('additionalProperties' in inner);
  return isObject ? { ...inner, additionalProperties: false } : inner;
}
