/** Finds the fields of a schema with an annotation, and their values in a document. */
import type { TSchema } from 'typebox';
import { isObject } from '../validation/plain-values.ts';

export interface AnnotatedField {
  /** The annotation's value in the schema. */
  readonly annotation: string;
  /** Names of members from the root; lists on the way add none. */
  readonly path: readonly string[];
}

const keyword = (schema: TSchema, name: string): unknown => (schema as Record<string, unknown>)[name];

/** In the schema's order. Maps with names chosen by clients are left out. */
export function findAnnotatedFields(schema: TSchema, annotation: string): AnnotatedField[] {
  const value = keyword(schema, annotation);
  const own = typeof value === 'string' ? [{ annotation: value, path: [] }] : [];
  const items = keyword(schema, 'items') as TSchema | undefined;
  const members = Object.entries((keyword(schema, 'properties') ?? {}) as Record<string, TSchema>);
  return [
    ...own,
    ...(items === undefined ? [] : findAnnotatedFields(items, annotation)),
    ...members.flatMap(([name, member]) =>
      findAnnotatedFields(member, annotation).map((found) => ({ ...found, path: [name, ...found.path] })),
    ),
  ];
}

const none: readonly string[] = [];

/** The texts at the path in a document; of each item where a list is on the way. */
export function textsAt(document: unknown, path: readonly string[], from = 0): readonly string[] {
  if (document === undefined) return none;
  if (Array.isArray(document)) return document.flatMap((item) => textsAt(item, path, from));
  const name = path[from];
  if (name === undefined) return typeof document === 'string' ? [document] : [];
  return isObject(document) ? textsAt(document[name], path, from + 1) : [];
}
