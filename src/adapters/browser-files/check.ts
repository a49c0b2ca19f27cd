/** In the place of `typebox/compile` in a page, whose policy forbids compiling code: the same answers, by walking the schema. */
import type { TSchema } from 'typebox';
import { Check, Errors } from 'typebox/value';

export const Compile = (schema: TSchema) => ({
  Check: (value: unknown): boolean => Check(schema, value),
  Errors: (value: unknown) => Errors(schema, value),
});
