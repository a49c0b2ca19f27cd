/** Reads a JSON list item by item with the reader of single documents, so that both accept the same input. */
import { decodeStream } from '../core/decoding.ts';
import {
  documentStart,
  type ListItem,
  type ListOptions,
  type Parsed,
  type Position,
  UnreadableError,
} from '../core/format.ts';
import { toWholePosition } from '../core/positions.ts';
import { ItemFinder } from './list-scanner.ts';

/** @throws UnreadableError for a charset other than UTF-8 (RFC 8259 §8.1) and its subset US-ASCII */
export function checkJsonCharset(charset = 'utf-8', position?: Position): void {
  if (!/^(?:utf-?8|us-ascii)$/i.test(charset))
    throw new UnreadableError('JSON is read in the charset UTF-8 only', position);
}

/** @param parse reads one item. @throws UnreadableError as `Codec.readList` does */
export async function* readJsonList(
  chunks: AsyncIterable<Uint8Array>,
  many: string,
  { charset, maxItemLength }: ListOptions,
  parse: (text: string) => Parsed,
): AsyncGenerator<ListItem, void, undefined> {
  const finder = new ItemFinder(many, maxItemLength);
  for await (const text of decodeStream(chunks, 'utf-8')) {
    // Inside the loop, so that the chunks are closed.
    checkJsonCharset(charset, documentStart);
    for (const { text: item, position } of finder.find(text))
      yield { ...readItem(item, position, parse), position };
  }
  finder.end();
}

/** @throws UnreadableError with the position in the list */
export function readItem(text: string, position: Position, parse: (text: string) => Parsed): Parsed {
  try {
    return parse(text);
  } catch (error) {
    if (!(error instanceof UnreadableError) || error.position === undefined) throw error;
    throw new UnreadableError(error.message, toWholePosition(position, error.position));
  }
}
