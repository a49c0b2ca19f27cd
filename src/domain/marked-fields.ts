/** Finds the fields of a schema that carry a mark, and their values in a document. */
import type { TSchema } from 'typebox';
import { isObject } from './plain-values.ts';

export interface MarkedField {
  /** The mark's value in the schema. */
  readonly mark: string;
  /** Names of members from the root on; lists on the way are not named. */
  readonly path: readonly string[];
}

const keyword = (schema: TSchema, name: string): unknown => (schema as Record<string, unknown>)[name];

/** In the schema's order. Maps with names of the client's own are not gone into. */
export function findMarkedFields(schema: TSchema, mark: string): MarkedField[] {
  const value = keyword(schema, mark);
  const own = typeof value === 'string' ? [{ mark: value, path: [] }] : [];
  const items = keyword(schema, 'items') as TSchema | undefined;
  const members = Object.entries((keyword(schema, 'properties') ?? {}) as Record<string, TSchema>);
  return [
    ...own,
    ...(items === undefined ? [] : findMarkedFields(items, mark)),
    ...members.flatMap(([name, member]) =>
      findMarkedFields(member, mark).map((found) => ({ ...found, path: [name, ...found.path] })),
    ),
  ];
}

const none: readonly string[] = [];

/** The texts that stand at the path in a document, or at its end from some step on: of each item where a list is on the way. */
export function textsAt(document: unknown, path: readonly string[], from = 0): readonly string[] {
  if (document === undefined) return none;
  if (Array.isArray(document)) return document.flatMap((item) => textsAt(item, path, from));
  const name = path[from];
  if (name === undefined) return typeof document === 'string' ? [document] : [];
  return isObject(document) ? textsAt(document[name], path, from + 1) : [];
}
