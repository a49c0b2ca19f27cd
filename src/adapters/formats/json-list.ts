/** A list in JSON, item by item, each judged by the reader of one: so that there is one understanding of it. */
import { decodeStream } from './decode-stream.ts';
import { type ListItem, type ListOptions, type Parsed, type Position, UnreadableError } from './format.ts';
import { ItemFinder } from './json-items.ts';
import { placeInWhole } from './place.ts';

/** @throws UnreadableError for another than UTF-8 (RFC 8259 §8.1), or the part of it that US-ASCII is */
export function checkJsonCharset(charset = 'utf-8', position?: Position): void {
  if (!/^(?:utf-?8|us-ascii)$/i.test(charset))
    throw new UnreadableError('JSON is read in the charset UTF-8 only', position);
}

/** @param parse reads one item, as if it were a document */
export async function* readJsonList(
  chunks: AsyncIterable<Uint8Array>,
  many: string,
  { charset, maxItemLength }: ListOptions,
  parse: (bytes: Buffer) => Parsed,
): AsyncGenerator<ListItem, void, undefined> {
  const finder = new ItemFinder(many, maxItemLength);
  for await (const text of decodeStream(chunks, 'utf-8')) {
    // Here, so that the chunks are closed.
    checkJsonCharset(charset, { line: 1, column: 1 });
    for (const { text: item, position } of finder.find(text))
      yield { ...readItem(item, position, parse), position };
  }
  finder.end();
}

function readItem(text: string, position: Position, parse: (bytes: Buffer) => Parsed): Parsed {
  try {
    return parse(Buffer.from(text));
  } catch (error) {
    if (!(error instanceof UnreadableError) || error.position === undefined) throw error;
    throw new UnreadableError(error.message, placeInWhole(position, error.position));
  }
}
