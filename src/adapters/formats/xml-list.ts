/**
 * Reads an XML list item by item as its text arrives. Plain items that lie whole in one piece of the text are read straight into
 * values. All else is read by one strict parser, from the list's beginning to its end, which plain items are left out for.
 */
import type { TObject } from 'typebox';
import type { ListItem, ListOptions, Naming } from './format.ts';
import { PositionTracker } from './position-tracker.ts';
import { decodeXmlStream } from './xml-decode.ts';
import { ListParser } from './xml-list-parser.ts';
import { attemptPlain, PlainReader } from './xml-plain.ts';
import type { PlainShape } from './xml-plain-shape.ts';
import { mayBePlain, PlainText } from './xml-plain-text.ts';

/** How the items of a list are read. */
export interface XmlItems {
  readonly schema: TObject;
  /** The schema's. */
  readonly shape: PlainShape;
  readonly naming: Naming;
}

/** Texts aren't cut, since what is said of a mistake in one depends on it. @returns the text's length where no tag ends */
function findTagEnd(text: string, from: number): number {
  const start = text.indexOf('<', from);
  return (start < 0 ? 0 : text.indexOf('>', start) + 1) || text.length;
}

class ListReader {
  readonly #items: XmlItems;
  readonly #maxItemLength: number;
  readonly #strict: ListParser;
  /** Of all that has been read. */
  readonly #tracker = new PositionTracker();

  constructor(items: XmlItems, maxItemLength: number) {
    [this.#items, this.#maxItemLength] = [items, maxItemLength];
    this.#strict = new ListParser(items.schema, items.naming, maxItemLength);
  }

  /** @throws UnreadableError, after yielding the items before it */
  *read(text: string): Generator<ListItem> {
    if (!mayBePlain(text)) {
      yield* this.#readStrictly(text);
      return;
    }
    const plain = new PlainText(text);
    while (plain.at < text.length) {
      yield* this.#readPlainItems(text, plain);
      // Tag by tag, so that it doesn't go beyond the end of an item.
      const end = findTagEnd(text, plain.at);
      yield* this.#readStrictly(text.slice(plain.at, end));
      plain.at = end;
    }
  }

  /** To be called after the last piece. @throws UnreadableError when the document isn't complete */
  end(): void {
    this.#strict.end();
  }

  *#readStrictly(text: string): Generator<ListItem> {
    this.#tracker.advance(text);
    let failure: unknown;
    try {
      this.#strict.read(text);
    } catch (error) {
      failure = error;
    }
    yield* this.#strict.takeItems();
    if (failure !== undefined) throw failure;
  }

  /** As many as come next, if items come next. */
  *#readPlainItems(text: string, plain: PlainText): Generator<ListItem> {
    const context = this.#strict.nextItem;
    if (context === undefined) return;
    const reader = new PlainReader(plain, context);
    for (let from = plain.at; ; from = plain.at) {
      const item = this.#readPlainItem(text, plain, reader);
      if (item === undefined) {
        plain.at = from;
        this.#strict.resume(this.#tracker.position);
        return;
      }
      yield item;
    }
  }

  #readPlainItem(text: string, plain: PlainText, reader: PlainReader): ListItem | undefined {
    const from = plain.at;
    plain.begin(from);
    plain.skipSpace();
    const start = plain.at;
    const value = attemptPlain(() => reader.readElement(this.#items.shape, this.#items.naming.one));
    if (value === undefined || plain.at - from > this.#maxItemLength) return undefined;
    this.#tracker.advance(text.slice(from, start));
    const { position } = this.#tracker;
    this.#tracker.advance(text.slice(start, plain.at));
    return { value, violations: [], position };
  }
}

/** @throws UnreadableError as `Codec.readList` does */
export async function* readXmlList(
  chunks: AsyncIterable<Uint8Array>,
  items: XmlItems,
  { charset, maxItemLength }: ListOptions,
): AsyncGenerator<ListItem, void, undefined> {
  const reader = new ListReader(items, maxItemLength);
  for await (const text of decodeXmlStream(chunks, charset)) yield* reader.read(text);
  reader.end();
}
