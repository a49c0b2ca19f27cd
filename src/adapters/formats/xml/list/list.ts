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
  /** In UTF-16 code units, of an item and of the text between two items. */
  readonly maxItemLength: number;
  /** Called with the list's start tag, before the first item. */
  readonly onStartTag?: (tag: string) => void;
}

/** An item as a row of a file. */
export interface XmlRow extends XmlItem {
  readonly text: string;
  /** UTF-16 code units from the end of the previous item on. */
  readonly length: number;
}

/** The text of a list from the last item on. */
export class ItemTexts {
  readonly #maxLength: number;
  #text = '';
  /** Where it begins in the whole text. */
  #from = 0;
  /** Where the last item ends. */
  #last = 0;

  /** @param maxLength of an item; older text is dropped */
  constructor(maxLength: number) {
    this.#maxLength = maxLength;
  }

  add(piece: string): void {
    const end = this.#from + this.#text.length;
    // White space and comments between two items have no limit.
    const isLong = this.#text.length > 2 * this.#maxLength;
    const from = Math.max(this.#from, this.#last, isLong ? end - this.#maxLength : 0);
    this.#text = this.#text.slice(from - this.#from) + piece;
    this.#from = from;
  }

  cut(at: number, end: number): string {
    return this.#text.slice(at - this.#from, end - this.#from);
  }

  /** The text of this length before the place, or as much as is kept. */
  before(at: number, length: number): string {
    return this.cut(Math.max(at - length, this.#from), at);
  }

  /** @param item after the previous ones */
  toRow(item: XmlItem): XmlRow {
    const { at, end } = item;
    const row = { ...item, text: this.cut(at, end), length: end - this.#last };
    this.#last = end;
    return row;
  }
}

/**
 * The end of the next tag. Doesn't split text content, since its error messages depend on it.
 * @returns the text's length when no tag ends
 */
function findTagEnd(text: string, from: number): number {
  const start = text.indexOf('<', from);
  return (start < 0 ? 0 : text.indexOf('>', start) + 1) || text.length;
}

/** Reads the text of a list piece by piece. */
export class ListReader {
  readonly #items: XmlItems;
  readonly #strict: ListParser;
  readonly #texts: ItemTexts;
  /** The position in the whole text. */
  readonly #tracker = new PositionTracker();

  /** An attribute `total` of the list is ignored, since a page has fewer items. */
  constructor(items: XmlItems) {
    const { schema, naming, maxItemLength, onStartTag } = items;
    this.#items = items;
    this.#texts = new ItemTexts(maxItemLength);
    this.#strict = new ListParser(schema, naming, maxItemLength, this.#texts, (at, end) =>
      onStartTag?.(this.#texts.cut(at, end).replace(/^<\?xml[^>]*>/, '')),
    );
  }

  /** @throws UnreadableError with the position, after yielding the items before it */
  *read(text: string): Generator<XmlRow> {
    this.#texts.add(text);
    for (const item of this.#findItems(text)) yield this.#texts.toRow(item);
  }

  *#findItems(text: string): Generator<XmlItem> {
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
    if (value === undefined || quick.at - from > this.#items.maxItemLength) return undefined;
    this.#tracker.advance(text.slice(from, start));
    const { position, at } = this.#tracker;
    this.#tracker.advance(text.slice(start, quick.at));
    return { value, violations: [], position, at, end: this.#tracker.at };
  }
}
