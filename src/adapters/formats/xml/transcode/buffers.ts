/** Shared by all transcoders, which read canonical JSON four bytes at a time and print it without creating values. */

/** The maximum length of a text, in UTF-16 code units: several times the largest user. */
const maxLength = 64 * 1024;

/** In bytes: UTF-8 has at most three per UTF-16 code unit. Reads take four bytes, and a zero after the last byte marks the end. */
const inputSize = 3 * maxLength + 16;

/** In bytes. Longer output is printed in another way. Memory that is never written to isn't allocated. */
const outputSize = 1024 * 1024;

const [input, output] = [Buffer.alloc(inputSize), Buffer.alloc(outputSize)];

/** Shared by all transcoders, since none is interrupted. `from` and `to` are views of the buffers. */
export const buffers = {
  input,
  output,
  from: new DataView(input.buffer),
  to: new DataView(output.buffer),
} as const;

/** Created once, since its stack trace is of no use. */
export const unexpected = new Error('This is not as canonical JSON has it.');

/** For errors of a program, which throws a RangeError at the end of a buffer. */
export const isUnexpected = (error: unknown): boolean => error === unexpected || error instanceof RangeError;

/** Writes a text to the input. @returns its length in bytes; undefined for a text that is too long */
export function loadText(text: string): number | undefined {
  if (text.length > maxLength) return undefined;
  const length = input.write(text);
  input[length] = 0;
  return length;
}

export function byteSet(characters: string): Uint8Array {
  const set = new Uint8Array(256);
  for (const byte of Buffer.from(characters)) set[byte] = 1;
  return set;
}

/** The characters of names in a map. Other names are left to JSON.parse. */
export const namePart = byteSet('ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_0123456789-');

/** Sets the highest bit of each zero byte in a word. Bytes above the lowest such byte may be marked by mistake. */
export const markZeros = (word: number): number => (word - 0x01010101) & ~word;

/** Sets the highest bit of each byte below a space in a word. Bytes above the lowest such byte may be marked by mistake. */
export const markLow = (word: number): number => (word - 0x20202020) & ~word;

/** The number of bytes before the lowest marked byte of a word. */
export const countBefore = (marks: number): number => (31 - Math.clz32(marks & -marks)) >> 3;
