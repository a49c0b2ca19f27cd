/** Prints XML from canonical JSON without making values of it: the same to the character as parsing and printing, in a fifth of the time. */
import type { TObject } from 'typebox';
import type { Transcoder } from './format.ts';
import { TranscodeCursor, unexpected } from './xml-transcode-cursor.ts';
import { writeProgram } from './xml-transcode-source.ts';

/** In characters, of texts that are transcoded at once: about what a piece of a list is made from. */
const maxLength = 64 * 1024;

/** In bytes: UTF-8 has at most three for a character. Bytes are read by four, and one behind the last tells the end. */
const inputSize = 3 * maxLength + 16;

/** In bytes. What doesn't fit is printed in another way; what is never written to takes no memory. */
const outputSize = 1024 * 1024;

/** For all transcoders, since none is ever interrupted. */
const cursor = new TranscodeCursor(inputSize, outputSize);

type Program = (length: number, count: number) => number;

function compileProgram(schema: TObject, open: string, close: string): Program {
  const parameters = ['cursor', 'input', 'from', 'to', 'unexpected'];
  const compiled = new Function(...parameters, writeProgram(schema, { open, close }));
  return compiled(cursor, cursor.input, cursor.from, cursor.to, unexpected);
}

/** Texts whose length together is at most `maxLength`, or a single one. */
function* divide(texts: readonly string[]): Generator<readonly string[]> {
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

/**
 * What it doesn't expect are texts that aren't canonical JSON of the schema or are too large, and what is printed in another way: numbers,
 * null, `\u`, and names in a map that have other characters than letters, digits, _ and -. Half of a surrogate pair, which JSON.stringify
 * would have escaped, becomes U+FFFD, as it would when the answer is sent.
 * @param one the name of the root element, as of an item
 * @param root what stands there before its content
 */
export function compileTranscoder(schema: TObject, one: string, root: string): Transcoder {
  const [open, close] = [`<${one}>`, `</${one}>`];
  // Compiled when it is first needed, which takes some milliseconds.
  let program: Program | undefined;
  /** @returns how many bytes of the output are theirs */
  function run(texts: readonly string[]): number | undefined {
    const joined = texts.join('\n');
    if (joined.length > maxLength) return undefined;
    const length = cursor.input.write(joined);
    cursor.input[length] = 0;
    program ??= compileProgram(schema, open, close);
    try {
      return program(length, texts.length);
    } catch (error) {
      // The latter at the end of a buffer.
      if (error === unexpected || error instanceof RangeError) return undefined;
      throw error;
    }
  }
  return {
    print(text) {
      const end = run([text]);
      return end === undefined ? undefined : root + cursor.output.toString('utf8', open.length, end);
    },
    items(texts) {
      let whole = '';
      for (const part of divide(texts)) {
        const end = run(part);
        if (end === undefined) return undefined;
        whole += cursor.output.toString('utf8', 0, end);
      }
      return whole;
    },
  };
}
