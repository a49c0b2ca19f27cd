/** Parts of transcoders' programs, in JavaScript: what they compare and how they go through objects and lists. */

/** In bytes, of what is compared or copied at once. */
const word = 4;

export const places = (text: string): number[] =>
  Array.from({ length: Math.ceil(Buffer.byteLength(text) / word) }, (_, index) => index * word);

export const wordAt = (text: string, place: number): number =>
  Buffer.concat([Buffer.from(text), Buffer.alloc(word)]).readInt32LE(place);

/** A member's name as it stands in front of its value. */
export const keyOf = (name: string): string => `${JSON.stringify(name)}:`;

/** A condition: a text of four bytes or more comes next. Where its length is no multiple of four the last two words overlap. */
export function comesNext(text: string): string {
  const last = Buffer.byteLength(text) - word;
  const words = places(text).map((place) => Math.min(place, last));
  return words.map((place) => `from.getInt32(at + ${place}, true) === ${wordAt(text, place)}`).join(' && ');
}

export const byte = (character: string): number => character.charCodeAt(0);

/** Statements that go past the mark in front, or return when nothing is in it. @param finish statements that return */
export const enter = (open: string, close: string, finish: string): string => `
  if (input[at] !== ${byte(open)}) throw unexpected;
  at += 1;
  if (input[at] === ${byte(close)}) { at += 1; ${finish} }`;

/** Statements that go past a comma, or return behind the mark at the end. @param finish as of `enter` */
export const leave = (close: string, finish: string): string => `
  if (input[at] !== ${byte(',')}) {
    if (input[at] !== ${byte(close)}) throw unexpected;
    at += 1;
    ${finish}
  }
  at += 1;`;
