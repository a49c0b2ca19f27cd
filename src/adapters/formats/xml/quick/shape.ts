/** The names and content of a schema's elements, computed once at startup for the quick reader. */
import type { TSchema } from 'typebox';
import { maxDepth } from '../../core/format.ts';
import { kindOf } from '../../core/schema-kinds.ts';

export type QuickShape =
  | { readonly is: 'value'; readonly schema: TSchema }
  | { readonly is: 'object'; readonly members: ReadonlyMap<string, QuickShape> }
  | { readonly is: 'list'; readonly item: string; readonly of: QuickShape }
  | { readonly is: 'map'; readonly entry: string; readonly of: QuickShape };

/** Assigning to this property would set the object's prototype. */
export const prototypeName = '__proto__';

/** @throws Error for a schema whose documents nest deeper than maxDepth */
export function compileShape(schema: TSchema, depth = 1): QuickShape {
  if (depth > maxDepth) throw new Error(`the schema nests deeper than ${maxDepth} levels`);
  const kind = kindOf(schema);
  if (kind.is === 'value') return { is: 'value', schema };
  if (kind.is === 'list') return { is: 'list', item: kind.item, of: compileShape(kind.of, depth + 1) };
  if (kind.is === 'map') return { is: 'map', entry: kind.entry, of: compileShape(kind.of, depth + 1) };
  const members = [...kind.members].filter(([name]) => name !== prototypeName);
  return {
    is: 'object',
    members: new Map(members.map(([name, member]) => [name, compileShape(member, depth + 1)])),
  };
}
