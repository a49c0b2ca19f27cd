/** Replaces `typebox/compile` in a page, whose policy forbids compiling code: walks the schema, with the same results. */
import type { TSchema } from 'typebox';
import { Check, Errors } from 'typebox/value';

export const Compile = (schema: TSchema) => ({
  Check: (value: unknown): boolean => Check(schema, value),
  Errors: (value: unknown) => Errors(schema, value),
});
