/** What transcoders have in common: they read canonical JSON by four bytes, and print from it without making values. */

/** In characters, of texts that are transcoded at once: about what a piece of a list is made from. */
export const maxLength = 64 * 1024;

/** In bytes: UTF-8 has at most three for a character. Bytes are read by four, and one behind the last tells the end. */
const inputSize = 3 * maxLength + 16;

/** In bytes. What doesn't fit is printed in another way; what is never written to takes no memory. */
const outputSize = 1024 * 1024;

const [input, output] = [Buffer.alloc(inputSize), Buffer.alloc(outputSize)];

/** For all transcoders, since none is ever interrupted. `from` and `to` are views of them. */
export const buffers = {
  input,
  output,
  from: new DataView(input.buffer),
  to: new DataView(output.buffer),
} as const;

/** Made once, since its stack says nothing. */
export const unexpected = new Error('This is not as canonical JSON has it.');

/** Of what a program throws: the latter at the end of a buffer. */
export const isUnexpected = (error: unknown): boolean => error === unexpected || error instanceof RangeError;

/** Puts texts into the input, with a line feed between them. @returns its length in bytes; undefined for a text that is too long */
export function loadTexts(texts: readonly string[]): number | undefined {
  const joined = texts.join('\n');
  if (joined.length > maxLength) return undefined;
  const length = input.write(joined);
  input[length] = 0;
  return length;
}

/** Texts whose length together is at most `maxLength`, or a single one. */
export function* divide(texts: readonly string[]): Generator<readonly string[]> {
  let start = 0;
  let length = 0;
  for (const [index, text] of texts.entries()) {
    length += text.length + 1;
    if (length <= maxLength || index === start) continue;
    yield texts.slice(start, index);
    [start, length] = [index, text.length + 1];
  }
  if (start < texts.length) yield start === 0 ? texts : texts.slice(start);
}

export function byteSet(characters: string): Uint8Array {
  const set = new Uint8Array(256);
  for (const byte of Buffer.from(characters)) set[byte] = 1;
  return set;
}

/** What names in a map are made of, where they aren't left to JSON.parse. */
export const namePart = byteSet('ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_0123456789-');

/** Of four bytes, the highest bit of each that is zero. Above the lowest such byte others may be marked too. */
export const markZeros = (word: number): number => (word - 0x01010101) & ~word;

/** Of four bytes, the highest bit of each that is below a space. Above the lowest such byte others may be marked too. */
export const markLow = (word: number): number => (word - 0x20202020) & ~word;

/** How many bytes of a word stand in front of the lowest one that is marked. */
export const countBefore = (marks: number): number => (31 - Math.clz32(marks & -marks)) >> 3;
