/** What the published schemas call the things that a schema of ours leaves nameless. */
import type { TSchema } from 'typebox';

/** A schema as plain data. */
export type Schema = Readonly<Record<string, unknown>>;

export const plain = (schema: TSchema): Schema => schema as unknown as Schema;

const capital = (name: string): string => name.charAt(0).toUpperCase() + name.slice(1);

/** By its `title`, else by the member, item or entry that it is: `email` is an `Email`. */
export const typeName = (schema: TSchema, name: string): string => {
  const { title } = plain(schema);
  return typeof title === 'string' ? title : capital(name);
};

export const requiredOf = (schema: TSchema): readonly string[] =>
  (plain(schema).required as readonly string[] | undefined) ?? [];
