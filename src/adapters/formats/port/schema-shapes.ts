/** The shapes of schemas, which readers, printers and XSD share: each has its form in XML, and tables have columns for its values. */
import type { TSchema } from 'typebox';

export type Shape =
  | { readonly is: 'value' }
  /** An element for each member, in any order. */
  | { readonly is: 'object'; readonly members: ReadonlyMap<string, TSchema> }
  /** A wrapper with an element for each item. */
  | { readonly is: 'list'; readonly item: string; readonly of: TSchema }
  /** A wrapper with an element for each pair, its key in the attribute `name`. */
  | {
      readonly is: 'map';
      readonly entry: string;
      /** The pattern of its keys. */
      readonly keys: string;
      /** Texts: those of declared entries, too, where values have no types. */
      readonly of: TSchema;
      /** Declared entries, by key. */
      readonly declared: ReadonlyMap<string, TSchema>;
      /** It takes no other entries. */
      readonly isClosed: boolean;
    };

/** Shapes by schema, remembered since readers ask for one at each element. */
const known = new WeakMap<TSchema, Shape>();

/** @throws Error for a list without `item` or a map without `entry`, which name the elements inside */
export function shapeOf(schema: TSchema): Shape {
  const before = known.get(schema);
  if (before !== undefined) return before;
  const shape = readShape(schema);
  known.set(schema, shape);
  return shape;
}

/** The levels of elements in a document with all that the schema allows, the root's included. */
export function depthOf(schema: TSchema): number {
  const shape = shapeOf(schema);
  if (shape.is === 'value') return 1;
  const inner = shape.is === 'object' ? [...shape.members.values()] : [shape.of];
  return 1 + Math.max(0, ...inner.map(depthOf));
}

/** The schema of the map's entry with this key. */
export const entrySchemaOf = ({ of, declared }: Extract<Shape, { is: 'map' }>, key: string): TSchema =>
  declared.get(key) ?? of;

function readShape(schema: TSchema): Shape {
  const of = schema as Readonly<Record<string, unknown>>;
  const { patternProperties = {} } = (of.plain ?? of) as { patternProperties?: Record<string, TSchema> };
  const members = new Map(Object.entries((of.properties as Record<string, TSchema> | undefined) ?? {}));
  const [entries] = Object.entries(patternProperties);
  if (entries !== undefined) {
    const [keys, text] = entries;
    const isClosed = of.isClosed === true;
    return { is: 'map', entry: annotation(of, 'entry'), keys, of: text, declared: members, isClosed };
  }
  if (of.properties) return { is: 'object', members };
  return of.items ? { is: 'list', item: annotation(of, 'item'), of: of.items as TSchema } : { is: 'value' };
}

function annotation(of: Readonly<Record<string, unknown>>, name: 'item' | 'entry'): string {
  const value = of[name];
  if (typeof value !== 'string')
    throw new Error(`the schema lacks "${name}", what XML calls an element of it`);
  return value;
}
