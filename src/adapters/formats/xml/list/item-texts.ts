/** Keeps the text of an XML list from the current item on, to show items as they are in the file. */
import { findMarkup } from '../text/markup.ts';

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

export class ItemTexts {
  readonly #maxLength: number;
  /** The text read since the last item found, and some before it. */
  #text = '';
  /** Where it begins in the whole text. */
  #from = 0;
  /** Where the last item begins. */
  #last = 0;

  /** @param maxLength of an item; older text is dropped */
  constructor(maxLength: number) {
    this.#maxLength = maxLength;
  }

  /** The list's start tag; undefined when it is no longer kept. */
  findRootTag(): string | undefined {
    return this.#from === 0 ? findRootTag(this.#text) : undefined;
  }

  add(piece: string): void {
    const end = this.#from + this.#text.length;
    // White space and comments between two items have no limit.
    const isLong = this.#text.length > 2 * this.#maxLength;
    const from = Math.max(this.#from, this.#last, isLong ? end - this.#maxLength : 0);
    this.#text = this.#text.slice(from - this.#from) + piece;
    this.#from = from;
  }

  /**
   * @param at where an item after the previous ones begins
   * @returns its text, extracted on demand since few items need it, and its distance from the previous one
   */
  take(at: number): { readonly text: string; readonly distance: number } {
    const [read, from, distance] = [this.#text, at - this.#from, at - this.#last];
    this.#last = at;
    return {
      get text() {
        return cutElement(read.slice(from));
      },
      distance,
    };
  }
}
