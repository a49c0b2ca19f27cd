/**
 * What stands in a page for modules that it can't or need not have (scripts/bundle-console.js):
 * - `typebox/compile`, since the page's policy forbids compiling code: this walks the schema, with the same results;
 * - `is-unsafe`: fast-xml-parser asks it about entities of a DOCTYPE only, and a file with a DOCTYPE is refused before;
 * - `domain/resource/projection.ts`: the service has projected what a page gets.
 */
import type { TSchema } from 'typebox';
import { Check, Errors } from 'typebox/value';

export const Compile = (schema: TSchema) => ({
  Check: (value: unknown): boolean => Check(schema, value),
  Errors: (value: unknown) => Errors(schema, value),
});

export const isUnsafe = (): boolean => true;
export const [HTML, XML] = ['', ''];

export const projectionOf = (): undefined => undefined;
export const textsOnly = projectionOf;
