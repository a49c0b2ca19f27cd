/**
 * Numbers for the cells that a schema may have, its slots: one for each value, each list of values, and each member of an item that a list
 * may hold. A map has one, whatever its keys.
 */
import type { TSchema } from 'typebox';
import type { Step } from './csv-columns.ts';
import { kindOf } from './xml-shape.ts';

/** `size` is how many slots it takes. */
export type Layout =
  | { readonly is: 'value' | 'values' | 'map'; readonly size: 1 }
  | { readonly is: 'object'; readonly size: number; readonly members: ReadonlyMap<string, Member> }
  | { readonly is: 'list'; readonly size: number; readonly item: Layout; readonly maxItems: number }
  /** What nobody has yet: it is left to JSON.parse. */
  | { readonly is: 'other'; readonly size: 0 };

interface Member {
  /** Of its first slot, counted from the object's. */
  readonly offset: number;
  readonly layout: Layout;
}

/** Where the cells of a column are. */
export interface Place {
  readonly slot: number;
  /** Of a map. */
  readonly key?: string;
}

const other: Layout = { is: 'other', size: 0 };

/** Of a list that the schema doesn't bound. */
const fewItems = 100;
/** Of a list, in slots. */
const maxSize = 4096;

function layOutMembers(of: ReadonlyMap<string, TSchema>): Layout {
  let size = 0;
  const members = new Map<string, Member>();
  for (const [name, schema] of of) {
    const layout = layOut(schema);
    members.set(name, { offset: size, layout });
    size += layout.size;
  }
  return { is: 'object', size, members };
}

export function layOut(schema: TSchema): Layout {
  const kind = kindOf(schema);
  if (kind.is === 'value') return { is: 'value', size: 1 };
  if (kind.is === 'object') return layOutMembers(kind.members);
  const isOfValues = kindOf(kind.of).is === 'value';
  if (kind.is === 'map') return isOfValues ? { is: 'map', size: 1 } : other;
  if (isOfValues) return { is: 'values', size: 1 };
  const { maxItems = fewItems } = schema as { readonly maxItems?: number };
  const item = layOut(kind.of);
  const size = maxItems * item.size;
  return size > maxSize ? other : { is: 'list', size, item, maxItems };
}

/** @returns undefined for a column that nobody has whose text is transcoded */
export function findPlace(layout: Layout, steps: readonly Step[], slot = 0): Place | undefined {
  const [step, ...within] = steps;
  if (step === undefined) return { slot };
  if (layout.is === 'map') return { slot, key: String(step) };
  if (layout.is === 'object') {
    const member = layout.members.get(String(step));
    return member && findPlace(member.layout, within, slot + member.offset);
  }
  if (layout.is !== 'list' || Number(step) >= layout.maxItems) return undefined;
  return findPlace(layout.item, within, slot + Number(step) * layout.item.size);
}
