/** What a schema's documents look like as bytes, in JSON and in XML: made once, so that a transcoder compares and copies four bytes at a time. */
import type { TObject, TSchema } from 'typebox';
import { kindOf } from './xml-shape.ts';

/** A text that is printed: its first sixteen bytes, then the others. Most tags have no others. */
export interface Tag {
  readonly length: number;
  readonly first: number;
  readonly second: number;
  readonly third: number;
  readonly fourth: number;
  readonly others: Int32Array;
}

/** A member's name as JSON has it, quotes and colon included. Its words overlap where its length is no multiple of four. */
export interface Key {
  readonly length: number;
  readonly first: number;
  readonly words: Int32Array;
  /** Where each word stands in it. */
  readonly places: Int32Array;
}

export interface Member {
  readonly key: Key;
  readonly open: Tag;
  readonly close: Tag;
  readonly plan: Plan;
}

export type Plan =
  | { readonly is: 'value' }
  /** `found` and `starts` are for the transcoder: the members of the object at hand and where each begins in XML. */
  | {
      readonly is: 'object';
      readonly members: readonly Member[];
      readonly found: Int32Array;
      readonly starts: Int32Array;
    }
  | { readonly is: 'list'; readonly open: Tag; readonly close: Tag; readonly of: Plan }
  /** `open` ends before the value of its attribute. `hashes` is for the transcoder: of the names in the map at hand. */
  | {
      readonly is: 'map';
      readonly open: Tag;
      readonly close: Tag;
      readonly of: Plan;
      readonly hashes: Int32Array;
    };

export type ObjectPlan = Extract<Plan, { is: 'object' }>;
export type ListPlan = Extract<Plan, { is: 'list' }>;
export type MapPlan = Extract<Plan, { is: 'map' }>;

/** In bytes, of a word. */
const word = 4;
const leastTag = 16;

/** Of a map that is transcoded: each name is compared with all before it. */
const maxEntries = 64;

const wordsAt = (bytes: Buffer, places: readonly number[]): Int32Array =>
  Int32Array.from(places, (place) => bytes.readInt32LE(place));

const stepsUntil = (end: number, from = 0): number[] =>
  Array.from({ length: Math.ceil((end - from) / word) }, (_, step) => from + step * word);

export function tagOf(text: string): Tag {
  const length = Buffer.byteLength(text);
  const bytes = Buffer.alloc(Math.max(leastTag, length) + word);
  bytes.write(text);
  const [first = 0, second = 0, third = 0, fourth = 0] = wordsAt(bytes, stepsUntil(leastTag));
  return { length, first, second, third, fourth, others: wordsAt(bytes, stepsUntil(length, leastTag)) };
}

/** A name has a character at least, and so four bytes with what belongs to it. */
export function keyOf(name: string): Key {
  const bytes = Buffer.from(`${JSON.stringify(name)}:`);
  const { length } = bytes;
  const places = stepsUntil(length).map((place) => Math.min(place, length - word));
  const words = wordsAt(bytes, places);
  return { length, first: words[0] ?? 0, words, places: Int32Array.from(places) };
}

/** Members in the schema's order. @throws Error as `kindOf` does */
export function planObject(schema: TObject): ObjectPlan {
  const members = Object.entries(schema.properties).map(([name, member]) => ({
    key: keyOf(name),
    open: tagOf(`<${name}>`),
    close: tagOf(`</${name}>`),
    plan: planOf(member),
  }));
  const { length } = members;
  return { is: 'object', members, found: new Int32Array(length), starts: new Int32Array(length + 1) };
}

function planOf(schema: TSchema): Plan {
  const kind = kindOf(schema);
  if (kind.is === 'value') return kind;
  if (kind.is === 'object') return planObject(schema as TObject);
  if (kind.is === 'list')
    return {
      is: 'list',
      open: tagOf(`<${kind.item}>`),
      close: tagOf(`</${kind.item}>`),
      of: planOf(kind.of),
    };
  return {
    is: 'map',
    open: tagOf(`<${kind.entry} name="`),
    close: tagOf(`</${kind.entry}>`),
    of: planOf(kind.of),
    hashes: new Int32Array(maxEntries),
  };
}
