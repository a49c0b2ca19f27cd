/** The text around the items of a JSON list: `{"users":[` or `{"total":3,"users":[` before them, `}` after them. */

import { documentStart, type PositionTracker, UnreadableError } from '../text/positions.ts';

const isSpace = (character: string): boolean => ' \n\r\t'.includes(character);

/** JSON's syntax, without a sign. */
const wholeNumber = '(?:0|[1-9]\\d{0,15})';
/** At the first character that makes it another value. */
const wrongTotal = /"total" ?: ?(?:\D|\d\d+)$/;

/** Skips white space. @returns the index of the next character, or the text's length */
export function skipSpace(text: string, from: number): number {
  let at = from;
  while (at < text.length && isSpace(text.charAt(at))) at += 1;
  return at;
}

/** Matches each beginning of these tokens, with at most one space before each. @param tokens their characters, as patterns */
function beginningOf(...tokens: readonly Iterable<string>[]): RegExp {
  const parts = tokens.flatMap((token) => [' ?', ...token]);
  return new RegExp(`^${parts.reduceRight((rest, part) => `(?:${part}${rest})?`, '')}$`);
}

/** Reads the text around the items, in pieces. */
export class ListFrame {
  readonly #name: string;
  readonly #tracker: PositionTracker;
  #expected: readonly RegExp[];
  /** The text before or after the items, with one space for each run of white space. */
  #read = '';
  #state: 'head' | 'items' | 'tail' = 'head';

  constructor(many: string, tracker: PositionTracker) {
    this.#name = JSON.stringify(many);
    this.#tracker = tracker;
    const list = [this.#name, ':', ['\\[']];
    const total = ['"total"', ':', [wholeNumber], ','];
    this.#expected = [beginningOf(['\\{'], ...list), beginningOf(['\\{'], ...total, ...list)];
  }

  /** Items come next. */
  get isOpen(): boolean {
    return this.#state === 'items';
  }

  /** Call after the last item: only the end may follow. */
  close(): void {
    [this.#state, this.#read, this.#expected] = ['tail', '', [beginningOf('}', '')]];
  }

  /** @throws UnreadableError with the position when the list isn't complete */
  end(): void {
    if (this.#state === 'tail' && this.#read.includes('}')) return;
    if (this.#state === 'head' && this.#read.trim() === '')
      throw new UnreadableError('the document is empty', documentStart);
    throw new UnreadableError('the list ends before it is whole', this.#tracker.position);
  }

  /** Reads up to the items or to the end of the text. @returns the index reached @throws UnreadableError */
  skip(text: string, from: number): number {
    let at = from;
    while (at < text.length && !this.isOpen && this.#take(text.charAt(at))) at += 1;
    this.#tracker.advance(text.slice(from, at));
    if (at < text.length && !this.isOpen) this.#refuse(text.charAt(at));
    return at;
  }

  /** @returns false for a character that may not stand here */
  #take(character: string): boolean {
    if (isSpace(character) && this.#read.endsWith(' ')) return true;
    const read = this.#read + (isSpace(character) ? ' ' : character);
    if (!this.#expected.some((beginning) => beginning.test(read))) return false;
    this.#read = read;
    if (character === '[') this.#state = 'items';
    return true;
  }

  #refuse(character: string): never {
    const detail = wrongTotal.test(this.#read + character)
      ? 'total must be a whole number'
      : `a list is {${this.#name}:[…]}, with nothing beside it but "total" in front`;
    throw new UnreadableError(detail, this.#tracker.position);
  }
}
