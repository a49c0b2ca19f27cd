/**
 * Prints XML from canonical JSON without creating values. The output is identical to parsing and printing, in a fifth of the time.
 *
 * `program.ts` writes a program from the schema, once. It runs over the bytes of a text, and leaves strings, names and members in another order
 * to `scanner.ts`. At anything unexpected it gives up, and the caller parses and prints that text.
 */
import type { TObject } from 'typebox';
import type { Transcoder } from '../../port/format.ts';
import { writeProgram } from './program.ts';
import { TranscodeScanner, unexpected } from './scanner.ts';

/** Shared by all transcoders, since none is interrupted. */
const scanner = new TranscodeScanner();

type Program = (length: number) => number;

function compileProgram(schema: TObject, open: string, close: string): Program {
  const parameters = ['scanner', 'input', 'from', 'to', 'unexpected'];
  const compiled = new Function(...parameters, writeProgram(schema, { open, close }));
  return compiled(scanner, scanner.input, scanner.from, scanner.to, unexpected);
}

/**
 * The transcoder returns undefined for texts that aren't canonical JSON of the schema, that are too large, or that have null, `\u`, numbers
 * outside of maps or with exponents, or map names with characters other than letters, digits, _ and -. A lone surrogate, which JSON.stringify
 * would have escaped, becomes U+FFFD, as it would when the response is sent.
 * @param one the element name of an item
 * @param root the text before the content of a document
 */
export function compileTranscoder(schema: TObject, one: string, root: string): Transcoder {
  const [open, close] = [`<${one}>`, `</${one}>`];
  // Compiled on first use, since it takes some milliseconds.
  let program: Program | undefined;
  /** @returns the number of bytes written to the output */
  function run(text: string): number | undefined {
    const length = scanner.load(text);
    if (length === undefined) return undefined;
    program ??= compileProgram(schema, open, close);
    try {
      return program(length);
    } catch (error) {
      // A program throws a RangeError at the end of a buffer.
      if (error === unexpected || error instanceof RangeError) return undefined;
      throw error;
    }
  }
  return {
    print(text) {
      const end = run(text);
      return end === undefined ? undefined : root + scanner.output.toString('utf8', open.length, end);
    },
    item(text) {
      const end = run(text);
      return end === undefined ? undefined : scanner.output.toString('utf8', 0, end);
    },
  };
}
