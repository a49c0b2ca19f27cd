/** Parts of transcoders' programs, in JavaScript: comparisons, and loops over objects and lists. */

/** The number of bytes compared or copied at once. */
const word = 4;

export const places = (text: string): number[] =>
  Array.from({ length: Math.ceil(Buffer.byteLength(text) / word) }, (_, index) => index * word);

export const wordAt = (text: string, place: number): number =>
  Buffer.concat([Buffer.from(text), Buffer.alloc(word)]).readInt32LE(place);

/** A member's name in JSON, with the colon. */
export const keyOf = (name: string): string => `${JSON.stringify(name)}:`;

/** A condition: the next input is a text of at least four bytes. Unless its length is a multiple of four, the last two words overlap. */
export function comesNext(text: string): string {
  const last = Buffer.byteLength(text) - word;
  const words = places(text).map((place) => Math.min(place, last));
  return words.map((place) => `from.getInt32(at + ${place}, true) === ${wordAt(text, place)}`).join(' && ');
}

export const byte = (character: string): number => character.charCodeAt(0);

/** Statements that skip the opening bracket, or return for an empty object or list. @param finish statements that return */
export const enter = (open: string, close: string, finish: string): string => `
  if (input[at] !== ${byte(open)}) throw unexpected;
  at += 1;
  if (input[at] === ${byte(close)}) { at += 1; ${finish} }`;

/** Statements that skip a comma, or return after the closing bracket. @param finish as for `enter` */
export const leave = (close: string, finish: string): string => `
  if (input[at] !== ${byte(',')}) {
    if (input[at] !== ${byte(close)}) throw unexpected;
    at += 1;
    ${finish}
  }
  at += 1;`;
