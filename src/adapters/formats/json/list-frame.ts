/** The text around the items of a JSON list: `{"users":[` or `{"total":3,"users":[` before them, `}` after them. */
import { documentStart, UnreadableError } from '../core/format.ts';
import type { PositionTracker } from '../core/positions.ts';

const isSpace = (character: string): boolean => ' \n\r\t'.includes(character);
const isDigit = (character: string): boolean => character >= '0' && character <= '9';

const totalName = '"total"';
const totalHead = `{${totalName}:`;
/** In digits. */
const longestTotal = 16;
/** JSON's syntax, without a sign. */
const wholeNumber = /^(?:0|[1-9][0-9]*)$/;

/** Skips white space. @returns the index of the next character, or the text's length */
export function skipSpace(text: string, from: number): number {
  let at = from;
  while (at < text.length && isSpace(text.charAt(at))) at += 1;
  return at;
}

/** Reads the text around the items, in pieces. */
export class ListFrame {
  readonly #shape: string;
  readonly #name: string;
  readonly #tracker: PositionTracker;
  #phase: 'head' | 'total' | 'items' | 'tail' = 'head';
  /** The expected text, the number of its characters read, and the end of the name in it. */
  #wanted: string;
  #matched = 0;
  #nameEnd: number;
  /** The digits read so far. */
  #total = '';

  constructor(many: string, tracker: PositionTracker) {
    this.#name = JSON.stringify(many);
    this.#shape = `a list is {${this.#name}:[…]}, with nothing beside it but "total" in front`;
    this.#tracker = tracker;
    this.#wanted = `{${this.#name}:[`;
    this.#nameEnd = this.#name.length;
  }

  /** Items come next. */
  get isOpen(): boolean {
    return this.#phase === 'items';
  }

  /** Call after the last item: only the end may follow. */
  close(): void {
    [this.#phase, this.#wanted, this.#matched, this.#nameEnd] = ['tail', '}', 0, 0];
  }

  /** @throws UnreadableError with the position when the list isn't complete */
  end(): void {
    if (this.#phase === 'tail' && this.#matched === this.#wanted.length) return;
    if (this.#wanted.startsWith('{') && this.#matched === 0)
      throw new UnreadableError('the document is empty', documentStart);
    throw new UnreadableError('the list ends before it is whole', this.#tracker.position);
  }

  /**
   * Reads up to the items or to the end of the text.
   * @returns the index reached
   * @throws UnreadableError
   */
  skip(text: string, from: number): number {
    let at = from;
    while (at < text.length && !this.isOpen) {
      const fault = this.#phase === 'total' ? this.#readDigit(text.charAt(at)) : this.#match(text.charAt(at));
      if (fault === 'again') continue;
      if (fault !== undefined) {
        this.#tracker.advance(text.slice(from, at));
        throw new UnreadableError(fault, this.#tracker.position);
      }
      at += 1;
    }
    this.#tracker.advance(text.slice(from, at));
    return at;
  }

  /** White space may occur anywhere but in the name. @returns an error message, if any */
  #match(character: string): string | undefined {
    const inName = this.#matched > 1 && this.#matched <= this.#nameEnd;
    if (this.#mayBeTotal(character)) [this.#wanted, this.#nameEnd] = [totalHead, totalName.length];
    if (character === this.#wanted[this.#matched]) this.#matched += 1;
    else if (inName || !isSpace(character)) return this.#shape;
    if (this.#phase === 'head' && this.#matched === this.#wanted.length)
      this.#phase = this.#wanted === totalHead ? 'total' : 'items';
    return undefined;
  }

  /** True if the character doesn't continue the list's own name but may continue `total`. */
  #mayBeTotal(character: string): boolean {
    if (this.#phase !== 'head' || character === this.#wanted[this.#matched]) return false;
    return totalHead.startsWith(this.#wanted.slice(0, this.#matched) + character);
  }

  /** @returns an error message, if any; `again` when the number ends before the character */
  #readDigit(character: string): string | undefined {
    if (isDigit(character)) this.#total += character;
    else if (this.#total !== '' || !isSpace(character)) {
      if (!wholeNumber.test(this.#total)) return 'total must be a whole number';
      [this.#phase, this.#wanted, this.#matched] = ['head', `,${this.#name}:[`, 0];
      this.#nameEnd = this.#name.length;
      return 'again';
    }
    return this.#total.length > longestTotal ? 'total must be a whole number' : undefined;
  }
}
