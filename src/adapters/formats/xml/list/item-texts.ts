/** Keeps the text of an XML list from the current item on, so that an item can be shown as it stands in the file. */
import type { Position } from '../../core/format.ts';
import { PositionTracker } from '../../core/positions.ts';
import { findMarkup } from '../text/markup.ts';

const lineEnd = /\r\n?|\n/g;

/** @param text begins with a well-formed element. @returns that element; the whole text where it has no end */
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

/** @returns the first start tag behind comments, instructions and white space; undefined when there is none */
function findRootTag(text: string): string | undefined {
  for (let at = text.indexOf('<'); at >= 0; ) {
    const markup = findMarkup(text, at);
    if (markup === undefined) return undefined;
    if (markup.kind === 'tag') return text.slice(at, markup.end);
    at = text.indexOf('<', markup.end);
  }
  return undefined;
}

/** An item in the text that was read when it was found. */
export class ItemText {
  readonly #read: string;
  readonly #from: number;

  constructor(read: string, from: number) {
    [this.#read, this.#from] = [read, from];
  }

  /** Found only when it is asked for, as few are. */
  toString(): string {
    return cutElement(this.#read.slice(this.#from));
  }
}

export class ItemTexts {
  readonly #maxLength: number;
  readonly #tracker = new PositionTracker();
  /** From the item found last, or what came behind it, to what was read last. */
  #text = '';
  /** It begins as the list does. */
  #isWhole = true;
  /** In it: the place that the tracker has come to. */
  #at = 0;

  /** @param maxLength of an item; more than that isn't kept */
  constructor(maxLength: number) {
    this.#maxLength = maxLength;
  }

  /** Of the list itself. Undefined when it isn't kept any more. */
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

  /** @param position of an item, behind those before. @returns it, and how far it is from the one before */
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
