/** Keeps the text of an XML list from the current item on, to show items as they are in the file. */
import type { Position } from '../../core/format.ts';
import { PositionTracker } from '../../core/positions.ts';
import { findMarkup } from '../text/markup.ts';

const lineEnd = /\r\n?|\n/g;

/** @param text begins with a well-formed element @returns that element; the whole text if it has no end */
function cutElement(text: string): string {
  let depth = 0;
  for (let at = 0; at >= 0; ) {
    const markup = findMarkup(text, at);
    if (markup === undefined) return text;
    const { kind, end } = markup;
    if (kind === 'tag' && text[end - 2] !== '/') depth += text[at + 1] === '/' ? -1 : 1;
    if (depth <= 0) return text.slice(0, end);
    at = text.indexOf('<', end);
  }
  return text;
}

/** @returns the first start tag after comments, instructions and white space; undefined when there is none */
function findRootTag(text: string): string | undefined {
  for (let at = text.indexOf('<'); at >= 0; ) {
    const markup = findMarkup(text, at);
    if (markup === undefined) return undefined;
    if (markup.kind === 'tag') return text.slice(at, markup.end);
    at = text.indexOf('<', markup.end);
  }
  return undefined;
}

/** An item, as an index into the text read so far. */
export class ItemText {
  readonly #read: string;
  readonly #from: number;

  constructor(read: string, from: number) {
    [this.#read, this.#from] = [read, from];
  }

  /** Extracted on demand, since few items need it. */
  toString(): string {
    return cutElement(this.#read.slice(this.#from));
  }
}

export class ItemTexts {
  readonly #maxLength: number;
  readonly #tracker = new PositionTracker();
  /** The text read since the last item found, or since its end. */
  #text = '';
  /** `#text` begins at the start of the list. */
  #isWhole = true;
  /** The index of the tracker's position in `#text`. */
  #at = 0;

  /** @param maxLength of an item; older text is dropped */
  constructor(maxLength: number) {
    this.#maxLength = maxLength;
  }

  /** The list's start tag; undefined when it is no longer kept. */
  findRootTag(): string | undefined {
    return this.#isWhole ? findRootTag(this.#text) : undefined;
  }

  add(piece: string): void {
    if (this.#at > 0) {
      this.#text = this.#text.slice(this.#at);
      this.#at = 0;
      this.#isWhole = false;
    }
    this.#text += piece;
    const excess = this.#text.length - piece.length - this.#maxLength;
    // White space and comments between two items have no limit.
    if (excess <= this.#maxLength) return;
    this.#isWhole = false;
    this.#advance(excess);
  }

  /** @param position of an item after the previous ones @returns the item, and its distance from the previous one */
  take(position: Position): { readonly item: ItemText; readonly distance: number } {
    const from = this.#at;
    this.#advance(this.#find(position) - from);
    return { item: new ItemText(this.#text, this.#at), distance: this.#at - from };
  }

  #advance(length: number): void {
    this.#tracker.advance(this.#text.slice(this.#at, this.#at + length));
    this.#at += length;
  }

  #find({ line, column }: Position): number {
    const known = this.#tracker.position;
    if (line === known.line) return this.#at + column - known.column;
    lineEnd.lastIndex = this.#at;
    for (let left = line - known.line; left > 0; left -= 1) lineEnd.test(this.#text);
    return lineEnd.lastIndex + column - 1;
  }
}
