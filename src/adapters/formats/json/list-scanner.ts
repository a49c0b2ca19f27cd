/**
 * Finds the items of a JSON list by brackets and quotes alone; `file.ts` parses each. The tokenizer of @streamparser/json takes five times as
 * long and is laxer than JSON (it reads `01` as two numbers).
 */

import { itemTooLong } from '../port/format.ts';
import { documentStart, type Position, PositionTracker, UnreadableError } from '../text/positions.ts';
import { findStringEnd } from './limits.ts';
import { ListFrame, skipSpace } from './list-frame.ts';

/** An item's text, not parsed yet. */
interface FoundItem {
  text: string;
  readonly position: Position;
}

const quote = 0x22;
const comma = 0x2c;
const isOpening = (unit: number): boolean => unit === 0x5b || unit === 0x7b;
const isClosing = (unit: number): boolean => unit === 0x5d || unit === 0x7d;
/** In ASCII, a closing bracket is two after its opening one, for both kinds. */
const closerOf = (unit: number): number => unit + 2;

/** Finds the end of one item: the first comma or closing bracket outside it. */
export class ItemEndFinder {
  /** The closing brackets still expected, outermost first. */
  readonly #closers: number[] = [];
  #inString = false;
  #isEscaped = false;

  /** A string, list or object is open. */
  get isWithin(): boolean {
    return this.#inString || this.#closers.length > 0;
  }

  /** Returns `text.length` when the item continues in the next piece. A mismatched bracket ends it too: parsing rejects it. */
  find(text: string, from: number): number {
    for (let at = from; at < text.length; at += 1) {
      if (this.#inString) {
        at = findStringEnd(text, at + (this.#isEscaped ? 1 : 0));
        this.#isEscaped = at > text.length;
      }
      const unit = text.charCodeAt(at);
      if (unit === quote) this.#inString = !this.#inString;
      else if (unit === comma && this.#closers.length === 0) return at;
      else if (isClosing(unit) && this.#closers.pop() !== unit) return at;
      else if (isOpening(unit)) this.#closers.push(closerOf(unit));
    }
    return text.length;
  }
}

/** Finds items in a list's text that arrives in pieces. */
export class ItemFinder {
  readonly #maxLength: number;
  readonly #tracker = new PositionTracker();
  readonly #frame: ListFrame;
  #item: FoundItem | undefined;
  #end = new ItemEndFinder();
  /** The text before the next item or after the last: mostly white space. */
  #gap = { length: 0, position: documentStart };
  /** No item yet: `]` is allowed now, but not after a comma. */
  #isEmpty = true;

  constructor(many: string, maxLength: number) {
    this.#frame = new ListFrame(many, this.#tracker);
    this.#maxLength = maxLength;
  }

  *find(text: string): Generator<FoundItem> {
    for (let at = 0; at < text.length; )
      if (this.#item !== undefined) {
        const end = this.#end.find(text, at);
        const item = this.#lengthen(this.#item, text.slice(at, end));
        at = end;
        if (end === text.length) return;
        this.#tracker.advance(item.text);
        yield item;
        at = this.#skipDelimiter(text, at);
      } else at = this.#passGap(text, at);
  }

  /** Call after the last piece. @throws UnreadableError when the list isn't complete */
  end(): void {
    this.#tracker.advance(this.#item?.text ?? '');
    this.#frame.end();
  }

  #lengthen(item: FoundItem, more: string): FoundItem {
    item.text += more;
    if (item.text.length > this.#maxLength) throw itemTooLong(this.#maxLength, item.position);
    return item;
  }

  #passGap(text: string, from: number): number {
    const at = this.#frame.isOpen ? this.#beginItem(text, from) : this.#frame.skip(text, from);
    this.#gap.length += at - from;
    if (this.#gap.length > this.#maxLength) throw itemTooLong(this.#maxLength, this.#gap.position);
    return at;
  }

  #advance(text: string, from: number, to: number): number {
    this.#tracker.advance(text.slice(from, to));
    return to;
  }

  /** Skips white space, then begins an item or passes the closing bracket. */
  #beginItem(text: string, from: number): number {
    const at = this.#advance(text, from, skipSpace(text, from));
    if (at === text.length) return at;
    if (text[at] === ']' && this.#isEmpty) return this.#skipDelimiter(text, at);
    if (',]}'.includes(text.charAt(at)))
      throw new UnreadableError('this is not JSON', this.#tracker.position);
    this.#item = { text: '', position: this.#tracker.position };
    this.#end = new ItemEndFinder();
    return at;
  }

  #skipDelimiter(text: string, at: number): number {
    if (text[at] === '}') throw new UnreadableError('this is not JSON', this.#tracker.position);
    if (text[at] === ']') this.#frame.close();
    this.#item = undefined;
    this.#isEmpty = false;
    this.#gap = { length: 1, position: this.#tracker.position };
    return this.#advance(text, at, at + 1);
  }
}
