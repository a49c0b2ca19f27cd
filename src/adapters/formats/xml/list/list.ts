/**
 * Reads an XML list item by item as its text arrives. A strict parser reads the list from start to end, but skips items that are complete
 * in one piece of the text and have the usual form: the quick reader reads these directly into values.
 *
 * `list-parser.ts` is the strict parser, and `list-position.ts` its place and limits.
 */
import type { TObject } from 'typebox';
import type { Naming } from '../../port/format.ts';
import { PositionTracker } from '../../text/positions.ts';
import { attemptQuickly, QuickReader } from '../quick/reader.ts';
import { mayBeQuick, QuickText } from '../quick/text.ts';
import { ListParser, type XmlItem } from './list-parser.ts';

/** How the items of a list are read. */
export interface XmlItems {
  readonly schema: TObject;
  readonly naming: Naming;
  /** False: all items are read strictly. */
  readonly isQuick: boolean;
}

/**
 * The end of the next tag. Doesn't split text content, since its error messages depend on it.
 * @returns the text's length when no tag ends
 */
function findTagEnd(text: string, from: number): number {
  const start = text.indexOf('<', from);
  return (start < 0 ? 0 : text.indexOf('>', start) + 1) || text.length;
}

class ListReader {
  readonly #items: XmlItems;
  readonly #maxItemLength: number;
  readonly #strict: ListParser;
  /** The position in the whole text. */
  readonly #tracker = new PositionTracker();

  constructor(items: XmlItems, maxItemLength: number) {
    [this.#items, this.#maxItemLength] = [items, maxItemLength];
    this.#strict = new ListParser(items.schema, items.naming, maxItemLength);
  }

  /** @throws UnreadableError, after yielding the items before it */
  *read(text: string): Generator<XmlItem> {
    if (!this.#items.isQuick || !mayBeQuick(text)) {
      yield* this.#readStrictly(text);
      return;
    }
    const quick = new QuickText(text);
    while (quick.at < text.length) {
      yield* this.#readQuickItems(text, quick);
      // Tag by tag, so that the strict parser stops at the end of an item.
      const end = findTagEnd(text, quick.at);
      yield* this.#readStrictly(text.slice(quick.at, end));
      quick.at = end;
    }
  }

  /** Call after the last piece. @throws UnreadableError when the document isn't complete */
  end(): void {
    this.#strict.end();
  }

  *#readStrictly(text: string): Generator<XmlItem> {
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

  /** Reads as many items as come next, if any. */
  *#readQuickItems(text: string, quick: QuickText): Generator<XmlItem> {
    const context = this.#strict.nextItem;
    if (context === undefined) return;
    const reader = new QuickReader(quick, context);
    const { schema, naming } = this.#items;
    for (let from = quick.at; ; from = quick.at) {
      const item = this.#readQuickItem(text, quick, () => reader.readElement(schema, naming.one));
      if (item === undefined) {
        quick.at = from;
        this.#strict.resume(this.#tracker);
        return;
      }
      yield item;
    }
  }

  #readQuickItem(text: string, quick: QuickText, read: () => unknown): XmlItem | undefined {
    const from = quick.at;
    quick.begin(from);
    quick.skipSpace();
    const start = quick.at;
    const value = attemptQuickly(read);
    if (value === undefined || quick.at - from > this.#maxItemLength) return undefined;
    this.#tracker.advance(text.slice(from, start));
    const { position, at } = this.#tracker;
    this.#tracker.advance(text.slice(start, quick.at));
    return { value, violations: [], position, at };
  }
}

/**
 * @param texts the list, decoded; an attribute `total` is ignored, since a page has fewer items
 * @param maxItemLength as `FileReadOptions.maxRowLength`
 * @throws UnreadableError with the position, after yielding the items before it
 */
export async function* readXmlList(
  texts: AsyncIterable<string>,
  items: XmlItems,
  maxItemLength: number,
): AsyncGenerator<XmlItem, void, undefined> {
  const reader = new ListReader(items, maxItemLength);
  for await (const text of texts) yield* reader.read(text);
  reader.end();
}
