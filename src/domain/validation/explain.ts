/** Explains a schema's errors to clients, and to operators, whose files and settings have schemas, too. */
import * as Type from 'typebox';
import { Compile } from 'typebox/compile';
import type { TLocalizedValidationError } from 'typebox/error';
import type { Violation } from './errors.ts';
import { suggest } from './suggest.ts';

interface Case {
  readonly params: Readonly<Record<string, unknown>>;
  readonly must: string | undefined;
  readonly schema: unknown;
}

const kinds: Readonly<Record<string, string>> = {
  object: 'an object',
  array: 'a list',
  string: 'a string',
  boolean: 'true or false, in lower case and without quotes',
  integer: 'a whole number',
  number: 'a number',
};

/** The required members of an object, or its first optional one. */
function describeMembers(schema: unknown): string {
  const { properties = {}, required } = schema as Partial<Type.TObject>;
  if (required !== undefined) return ` with ${required.join(', ')}`;
  const [first] = Object.keys(properties);
  return first === undefined ? '' : ` with members such as ${first}`;
}

const words: Partial<Record<TLocalizedValidationError['keyword'], (error: Case) => string>> = {
  type: ({ params, must, schema }) =>
    Array.isArray(params.type)
      ? `must ${must ?? `be one of ${params.type.join(', ')}`}`
      : `must be ${kinds[String(params.type)] ?? params.type}${describeMembers(schema)}`,
  minLength: ({ params }) => `must have at least ${params.limit} characters`,
  maxLength: ({ params }) => `must have at most ${params.limit} characters`,
  minimum: ({ params }) => `must be at least ${params.limit}`,
  maximum: ({ params }) => `must be at most ${params.limit}`,
  maxItems: ({ params }) => `must have at most ${params.limit} items`,
  maxProperties: ({ params }) => `must have at most ${params.limit} entries`,
  uniqueItems: () => 'must not repeat an item',
  contains: () => 'must have at most one that is primary',
  enum: ({ must }) => `must ${must ?? 'be one of the values there are'}`,
  format: ({ must }) => `must ${must ?? 'have another form'}`,
  pattern: ({ must }) => `must ${must ?? 'have another form'}`,
};

/** The schema that an error's path leads to: `#/properties/emails/items/...`. */
function schemaAt(root: unknown, path: string): unknown {
  return path
    .split('/')
    .slice(1)
    .reduce<unknown>(
      (at, step) => (typeof at === 'object' && at !== null ? Reflect.get(at, step) : undefined),
      root,
    );
}

const mustOf = (schema: unknown): string | undefined =>
  typeof schema === 'object' && schema !== null && 'must' in schema ? String(schema.must) : undefined;

/** One violation for each error that isn't the consequence of another; pointers are RFC 6901. */
export function explain(errors: readonly TLocalizedValidationError[], schema: unknown): Violation[] {
  return errors.flatMap(({ keyword, instancePath, schemaPath, params, message }): Violation[] => {
    if (keyword === 'additionalProperties') return [];
    if (keyword === 'required') {
      const missing = (params as { requiredProperties: string[] }).requiredProperties;
      return missing.map((name) => ({ pointer: `${instancePath}/${name}`, detail: 'is required' }));
    }
    const path = keyword === 'boolean' ? schemaPath.replace(/\/additionalProperties$/, '') : schemaPath;
    const at = schemaAt(schema, path);
    const must = mustOf(at);
    if (keyword === 'boolean') {
      const name = instancePath.slice(instancePath.lastIndexOf('/') + 1);
      const { properties = {} } = at as Partial<Type.TObject>;
      const detail = `must ${must ?? `not stand here${suggest(name, Object.keys(properties))}`}`;
      return [{ pointer: instancePath, detail }];
    }
    const say = words[keyword];
    const detail = say ? say({ params: params as Case['params'], must, schema: at }) : message;
    return [{ pointer: instancePath, detail }];
  });
}

/** A part of an operator's file, in which unknown members are mistakes. */
export const closed = <T extends Type.TProperties>(properties: T) =>
  Type.Object(properties, { additionalProperties: false });

export const oneOf = <T extends string[]>(...values: [...T]) =>
  Type.Enum(values, { must: `be one of ${values.join(', ')}` });

/** @returns a line for each mistake in an operator's file */
export function findMistakes(schema: Type.TSchema, given: unknown): readonly string[] {
  const lines = explain(Compile(schema).Errors(given), schema).map(
    ({ pointer, detail }) => `${pointer.slice(1).replaceAll('/', '.') || 'the file'}: ${detail}`,
  );
  return [...new Set(lines)];
}
