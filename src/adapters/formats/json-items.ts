/**
 * Finds the items of a list in JSON, by brackets and quotes alone: json-list.ts has each of them judged. Tried instead: the
 * tokens of @streamparser/json take five times as long as this, and are laxer than JSON (`01` are two).
 */
import { type Position, UnreadableError } from './format.ts';
import { Place } from './place.ts';

/** An item as it was found, unread. */
export interface Found {
  text: string;
  readonly position: Position;
}

const quote = 0x22;
const backslash = 0x5c;
const comma = 0x2c;
const isOpening = (unit: number): boolean => unit === 0x5b || unit === 0x7b;
const isClosing = (unit: number): boolean => unit === 0x5d || unit === 0x7d;
/** In ASCII it stands two behind, for both kinds of bracket. */
const closerOf = (unit: number): number => unit + 2;
const isSpace = (character: string): boolean => ' \n\r\t'.includes(character);

const tooLong = (maxLength: number, position: Position): UnreadableError =>
  new UnreadableError(`an item of the list has more than ${maxLength} characters`, position);

/** Finds the end of one item: where a comma or a bracket stands that isn't inside it. */
class ItemEnd {
  /** What closes the brackets that are open, from the outermost on. */
  readonly #open: number[] = [];
  #inString = false;
  #isEscaped = false;

  /** `text.length` where it isn't in this piece. A bracket that closes none of its own kind ends it too: no reader takes that. */
  find(text: string, from: number): number {
    for (let at = from; at < text.length; at += 1) {
      if (this.#inString) at = this.#endOfString(text, at);
      const unit = text.charCodeAt(at);
      if (unit === quote) this.#inString = !this.#inString;
      else if (unit === comma && this.#open.length === 0) return at;
      else if (isClosing(unit) && this.#open.pop() !== unit) return at;
      else if (isOpening(unit)) this.#open.push(closerOf(unit));
    }
    return text.length;
  }

  /** Where the quote is that ends the string in which `from` stands. */
  #endOfString(text: string, from: number): number {
    let at = from + (this.#isEscaped ? 1 : 0);
    while (at < text.length && text.charCodeAt(at) !== quote) at += text.charCodeAt(at) === backslash ? 2 : 1;
    this.#isEscaped = at > text.length;
    return at;
  }
}

/** Finds the items in a text that comes in pieces. */
export class ItemFinder {
  readonly #shape: string;
  readonly #nameEnd: number;
  readonly #maxLength: number;
  readonly #place = new Place();
  #phase: 'head' | 'items' | 'tail' = 'head';
  /** What comes before the items, or after them, and how much of it was there. */
  #frame: string;
  #matched = 0;
  #item: Found | undefined;
  #end = new ItemEnd();
  /** Nothing was found yet: a list may hold none, but no comma leads to its end. */
  #isEmpty = true;

  constructor(many: string, maxLength: number) {
    const name = JSON.stringify(many);
    this.#frame = `{${name}:[`;
    this.#shape = `a list is {${name}:[…]}, with nothing beside it`;
    this.#nameEnd = name.length;
    this.#maxLength = maxLength;
  }

  *find(text: string): Generator<Found> {
    for (let at = 0; at < text.length; ) {
      if (this.#item !== undefined) {
        const end = this.#end.find(text, at);
        const item = this.#lengthen(this.#item, text.slice(at, end));
        at = end;
        if (end === text.length) return;
        this.#place.advance(item.text);
        yield item;
        at = this.#passDelimiter(text, at);
      } else at = this.#phase === 'items' ? this.#beginItem(text, at) : this.#passFrame(text, at);
    }
  }

  /** @throws UnreadableError when the list isn't whole */
  end(): void {
    if (this.#phase === 'tail' && this.#matched === this.#frame.length) return;
    if (this.#phase === 'head' && this.#matched === 0)
      throw new UnreadableError('the document is empty', { line: 1, column: 1 });
    this.#place.advance(this.#item?.text ?? '');
    throw new UnreadableError('the list ends before it is whole', this.#place.position);
  }

  #lengthen(item: Found, more: string): Found {
    item.text += more;
    if (item.text.length > this.#maxLength) throw tooLong(this.#maxLength, item.position);
    return item;
  }

  #pass(text: string, from: number, to: number): number {
    this.#place.advance(text.slice(from, to));
    return to;
  }

  /** Up to an item or the end of the items, past which it goes. */
  #beginItem(text: string, from: number): number {
    let at = from;
    while (at < text.length && isSpace(text.charAt(at))) at += 1;
    this.#pass(text, from, at);
    if (at === text.length) return at;
    if (text[at] === ']' && this.#isEmpty) return this.#passDelimiter(text, at);
    if (',]}'.includes(text.charAt(at))) throw new UnreadableError('this is not JSON', this.#place.position);
    this.#item = { text: '', position: this.#place.position };
    this.#end = new ItemEnd();
    return at;
  }

  #passDelimiter(text: string, at: number): number {
    if (text[at] === '}') throw new UnreadableError('this is not JSON', this.#place.position);
    if (text[at] === ']') [this.#phase, this.#frame, this.#matched] = ['tail', '}', 0];
    this.#item = undefined;
    this.#isEmpty = false;
    return this.#pass(text, at, at + 1);
  }

  /** Through what stands around the items, with any white space in it. */
  #passFrame(text: string, from: number): number {
    let at = from;
    for (; at < text.length && !this.#isHeadPassed(); at += 1) {
      const character = text.charAt(at);
      const inName = this.#matched > 1 && this.#matched <= this.#nameEnd;
      if (character === this.#frame[this.#matched]) this.#matched += 1;
      else if (inName || !isSpace(character)) {
        this.#pass(text, from, at);
        throw new UnreadableError(this.#shape, this.#place.position);
      }
    }
    if (this.#isHeadPassed()) this.#phase = 'items';
    return this.#pass(text, from, at);
  }

  #isHeadPassed(): boolean {
    return this.#phase === 'head' && this.#matched === this.#frame.length;
  }
}
