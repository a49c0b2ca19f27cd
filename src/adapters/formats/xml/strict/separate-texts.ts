/**
 * Separates a document's texts from its elements, so that fast-xml-parser reads the elements only: it can't be interrupted, and takes
 * several times as long per character as finding the end of the text takes here.
 */
import { UnreadableError } from '../../text/positions.ts';
import { decodeReferences } from '../text/escape.ts';

interface SeparatedTexts {
  /** The elements, all with the same name and without attributes; the index of each text replaces it. */
  readonly skeleton: string;
  /** The texts with references resolved. Comments and CDATA sections don't split a text. */
  readonly texts: readonly string[];
}

/** UTF-16 code units taken in one step. */
const stepLength = 16 * 1024;

/** A question mark after the name: not well-formed (XML 1.0 §2.6), but saxes accepts it. */
const oddInstruction = /^<\?[^\s?]+\?(?!>)/;

/** saxes has already rejected all other references. */
function decodeChecked(raw: string): string {
  const decoded = decodeReferences(raw);
  if (decoded === undefined) throw new Error('the two readers saw different references');
  return decoded;
}

/** At the text's end or after a semicolon, so that no reference is split. */
function findStepEnd(text: string, from: number, end: number): number {
  if (end - from <= stepLength) return end;
  const semicolon = text.indexOf(';', from + stepLength);
  return semicolon < 0 || semicolon >= end ? end : semicolon + 1;
}

function toSkeletonTag(text: string, from: number, end: number): string {
  if (text[from + 1] === '/') return '</e>';
  return text[end - 2] === '/' ? '<e/>' : '<e>';
}

class TextSeparator {
  readonly texts: string[] = [];
  skeleton = '';
  #pieces: string[] = [];
  readonly #text: string;

  constructor(text: string) {
    this.#text = text;
  }

  /** Processes the markup or text at `from`; of a long text, the first step. @returns the index after it, which is greater than `from` */
  take(from: number): number {
    return this.#text[from] === '<' ? this.#takeMarkup(from) : this.#takeText(from);
  }

  #takeMarkup(from: number): number {
    const markup = findMarkup(this.#text, from);
    if (markup === undefined) throw new Error('the two readers saw different markup');
    const { kind, end } = markup;
    if (kind === 'CDATA') this.#pieces.push(this.#text.slice(from + 9, end - 3));
    else if (kind === 'instruction') this.#checkInstruction(from, end);
    else if (kind === 'tag') {
      this.#endText();
      this.skeleton += toSkeletonTag(this.#text, from, end);
    }
    return end;
  }

  #takeText(from: number): number {
    const next = this.#text.indexOf('<', from);
    const end = findStepEnd(this.#text, from, next < 0 ? this.#text.length : next);
    this.#pieces.push(decodeChecked(this.#text.slice(from, end)));
    return end;
  }

  #checkInstruction(from: number, end: number): void {
    if (oddInstruction.test(this.#text.slice(from, end)))
      throw new UnreadableError('a processing instruction has a question mark in its name');
  }

  #endText(): void {
    if (this.#pieces.length === 0) return;
    this.skeleton += this.texts.length;
    this.texts.push(this.#pieces.join(''));
    this.#pieces = [];
  }
}

/** @param text that saxes accepts @throws UnreadableError for an error that saxes misses */
export function* separateTexts(text: string): Generator<void, SeparatedTexts, void> {
  const parting = new TextSeparator(text);
  let taken = 0;
  for (let at = 0; at < text.length; ) {
    const end = parting.take(at);
    // A piece of any length costs about as much as 64 characters.
    taken += end - at + 64;
    at = end;
    if (taken > stepLength) {
      taken = 0;
      yield;
    }
  }
  return parting;
}

const asides = [
  { kind: 'comment', open: '<!--', close: '-->' },
  { kind: 'CDATA', open: '<![CDATA[', close: ']]>' },
  { kind: 'instruction', open: '<?', close: '?>' },
] as const;

/** Up to the `>` that ends a tag; attribute values may contain others. */
const restOfTag = /[^>"']*(?:(?:"[^"]*"|'[^']*')[^>"']*)*>/y;

interface Markup {
  readonly kind: 'tag' | (typeof asides)[number]['kind'];
  /** The index after it, which is always greater than its start, so that a loop over markup ends. */
  readonly end: number;
}

/**
 * Finds where markup ends, in text that saxes has found to be well-formed.
 * @param from the index of a `<`
 * @returns undefined when the markup has no end: then the text isn't well-formed
 */
export function findMarkup(text: string, from: number): Markup | undefined {
  for (const { kind, open, close } of asides)
    if (text.startsWith(open, from)) {
      const at = text.indexOf(close, from + open.length);
      return at < 0 ? undefined : { kind, end: at + close.length };
    }
  restOfTag.lastIndex = from;
  return restOfTag.test(text) ? { kind: 'tag', end: restOfTag.lastIndex } : undefined;
}
