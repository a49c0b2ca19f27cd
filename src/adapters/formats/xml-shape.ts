/** How a schema stands in XML: what reader, printer and XSD have to agree on. */
import type { TSchema } from 'typebox';

export type Kind =
  | { readonly is: 'value' }
  /** Elements by the members' names, in any order. */
  | { readonly is: 'object'; readonly members: ReadonlyMap<string, TSchema> }
  /** A wrapper with one element for each item. */
  | { readonly is: 'list'; readonly item: string; readonly of: TSchema }
  /** A wrapper with one element for each pair, its key in the attribute `name`. */
  | { readonly is: 'map'; readonly entry: string; readonly of: TSchema };

/** @throws Error for a list without `item` or a map without `entry`: a schema that XML can't carry */
export function kindOf(schema: TSchema): Kind {
  const of = schema as Readonly<Record<string, unknown>>;
  if (of.properties) return { is: 'object', members: new Map(Object.entries(of.properties as object)) };
  if (of.items) return { is: 'list', item: annotation(of, 'item'), of: of.items as TSchema };
  const [value] = Object.values((of.patternProperties as Record<string, TSchema> | undefined) ?? {});
  return value === undefined ? { is: 'value' } : { is: 'map', entry: annotation(of, 'entry'), of: value };
}

function annotation(of: Readonly<Record<string, unknown>>, name: 'item' | 'entry'): string {
  const value = of[name];
  if (typeof value !== 'string')
    throw new Error(`the schema lacks "${name}", what XML calls an element of it`);
  return value;
}
