/** The schema of old and new values: the part of a resource that a change concerns. */
import Type, { type TObject, type TSchema } from 'typebox';
import type { Kind } from '../../../domain/kinds/kind.ts';
import { capitalize } from '../../contracts/names.ts';
import { shapeOf } from '../../formats/port/schema-shapes.ts';

type Members = Readonly<Record<string, TSchema>>;

/** Objects and maps may lack any of their members; lists are whole. */
function partOf(name: string, schema: TSchema): TSchema {
  const kind = shapeOf(schema);
  if (kind.is === 'map') return Type.Optional({ ...schema, minProperties: 0 });
  if (kind.is !== 'object') return Type.Optional(schema);
  const { description = '' } = schema as { description?: string };
  const title = `Changed${capitalize(name)}`;
  return Type.Optional(Type.Object(partsOf(kind.members), { title, description }));
}

const partsOf = (members: ReadonlyMap<string, TSchema>): Members =>
  Object.fromEntries([...members].map(([name, schema]) => [name, partOf(name, schema)]));

/** What kinds have under one name is one text, or has one schema. @throws Error when formats could not print both */
function merge(name: string, one: TSchema | undefined, other: TSchema): TSchema {
  if (one === undefined || JSON.stringify(one) === JSON.stringify(other)) return other;
  const isText = (schema: TSchema): boolean => 'type' in schema && schema.type === 'string';
  if (!isText(one) || !isText(other)) throw new Error(`two kinds have a member ${name}, of different types`);
  return Type.Optional(Type.String({ description: 'As the resource has it.' }));
}

/**
 * Of a resource of any of the kinds: one schema for all, so that a history is one type to its readers.
 * @param title of the schema
 */
export function changedValues(kinds: readonly Kind[], title: string): TObject {
  const all: Record<string, TSchema> = {};
  for (const { schema, unlogged } of kinds) {
    const { id: _, meta: __, ...content } = schema.properties as Members;
    for (const [name, part] of Object.entries(partsOf(new Map(Object.entries(content)))))
      if (!unlogged.includes(name)) all[name] = merge(name, all[name], part);
  }
  return Type.Object(all, {
    title,
    description: 'The part of a user or a group that `changed` names: members that it lacked are left out.',
  });
}
