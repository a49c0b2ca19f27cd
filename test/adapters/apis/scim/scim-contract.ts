/** The published contract of the SCIM API, for tests that hold something to it. */
import { type Json, publishedJson, validator } from '../../../support/contract.ts';
import type { PublishedSchema } from '../../../support/scim-schemas.ts';

export const contractPath = '/scim/v2/openapi.json';
export const contract: Json = await publishedJson(contractPath);

const { Resources } = await publishedJson('/scim/v2/Schemas');
export const schemas = Resources as unknown as readonly PublishedSchema[];

const ajv = validator();
ajv.addSchema({ $id: 'https://contract.example/openapi', components: contract.components });

/** @param schema as it stands in the contract @returns what is wrong; empty for nothing */
export function findMistakes(schema: unknown, value: unknown): string {
  const absolute = JSON.stringify(schema).replaceAll('"#/', '"https://contract.example/openapi#/');
  const check = ajv.compile(JSON.parse(absolute));
  return check(value) ? '' : JSON.stringify(check.errors);
}
