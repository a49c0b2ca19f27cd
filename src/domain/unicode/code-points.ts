/** Tests whether a code point is in a set. */
type CodePointSet = (point: number) => boolean;

const numbers = (table: string): number[] =>
  table
    .trim()
    .split(/\s+/)
    .map((value) => Number.parseInt(value, 36));

/** Reads a set of tables.ts. */
export function setOf(table: string): CodePointSet {
  let edge = 0;
  const edges = Uint32Array.from(numbers(table), (step) => {
    edge += step;
    return edge;
  });
  // A member has an odd number of edges at or before it.
  return (point) => {
    let [low, high] = [0, edges.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((edges[middle] as number) <= point) low = middle + 1;
      else high = middle;
    }
    return low % 2 === 1;
  };
}

/** Reads a mapping of tables.ts. */
export function mappingOf(table: string): ReadonlyMap<number, number> {
  const values = numbers(table);
  const mapping = new Map<number, number>();
  let start = 0;
  for (let at = 0; at < values.length; at += 4) {
    const [after = 0, length = 0, step = 0, shift = 0] = values.slice(at, at + 4);
    start += after;
    for (let index = 0; index < length; index++) {
      const point = start + index * step;
      mapping.set(point, point + shift);
    }
  }
  return mapping;
}

/** The code points of a text; a lone surrogate is one of them. */
export const codePoints = (text: string): number[] =>
  Array.from(text, (character) => character.codePointAt(0) as number);

/** In Unicode's notation: U+0041. */
export const label = (point: number): string => `U+${point.toString(16).toUpperCase().padStart(4, '0')}`;
