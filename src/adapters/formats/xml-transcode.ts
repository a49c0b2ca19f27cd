/** Prints XML from canonical JSON without making values of it: the same to the character as parsing and printing, in a sixth of the time. */
import type { TObject } from 'typebox';
import { TranscodeCursor } from './xml-transcode-cursor.ts';
import { printDocuments } from './xml-transcode-objects.ts';
import { planObject, tagOf } from './xml-transcode-plan.ts';

/** In characters, of texts that are transcoded at once: what a piece of a list is made from, or the largest user four times. */
const maxLength = 64 * 1024;

/** In bytes. UTF-8 has at most three for a character; a text's end is told by the byte behind it, and bytes are read by four. */
const inputSize = 3 * maxLength + 16;

/** In bytes. What doesn't fit is printed in another way; pages of it that are never used take no memory. */
const outputSize = 1024 * 1024;

/** One for all, since a pass is never interrupted. */
let shared: TranscodeCursor | undefined;

/** What stands before and behind the content of each document. */
export interface Around {
  readonly open: string;
  readonly close: string;
}

/**
 * @returns the documents one behind the other; undefined when a text isn't canonical JSON of the schema, or holds what is printed in
 * another way: numbers, null, `\u`, names in a map that aren't letters, digits, _ and -
 */
export type Transcode = (texts: readonly string[]) => string | undefined;

export function compileTranscoder(schema: TObject): (around: Around) => Transcode {
  const plan = planObject(schema);
  return ({ open, close }) => {
    const around = { open: tagOf(open), close: tagOf(close) };
    const run = (joined: string, count: number): string | undefined => {
      if (joined.length > maxLength) return undefined;
      shared ??= new TranscodeCursor(inputSize, outputSize);
      const { input, output } = shared;
      const length = input.write(joined);
      input[length] = 0;
      try {
        return output.toString('utf8', 0, printDocuments(shared, plan, around, length, count));
      } catch {
        return undefined;
      }
    };
    return (texts) => transcodeInParts(texts, run);
  };
}

/** No part is longer than it may be, but for one of a single text. */
function transcodeInParts(
  texts: readonly string[],
  run: (joined: string, count: number) => string | undefined,
): string | undefined {
  let whole = '';
  for (let start = 0; start < texts.length; ) {
    let end = start + 1;
    let length = texts[start]?.length ?? 0;
    for (; end < texts.length; end += 1) {
      length += 1 + (texts[end]?.length ?? 0);
      if (length > maxLength) break;
    }
    const part = run(texts.slice(start, end).join('\n'), end - start);
    if (part === undefined) return undefined;
    whole += part;
    start = end;
  }
  return whole;
}
