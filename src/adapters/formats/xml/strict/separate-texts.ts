/**
 * Separates a document's texts from its elements, so that fast-xml-parser reads the elements only: it can't be interrupted,
 * and reading a character takes it several times as long as finding the end of the text takes here.
 */
import { UnreadableError } from '../../core/format.ts';
import { findMarkup } from '../text/markup.ts';
import { decodeReferences } from '../text/references.ts';

export interface SeparatedTexts {
  /** The elements, all with the same name and without attributes, and the index of each text in its place. */
  readonly skeleton: string;
  /** With references resolved. Comments and CDATA sections don't split a text. */
  readonly texts: readonly string[];
}

/** UTF-16 code units taken in one step. */
const stepLength = 16 * 1024;

/** With a question mark after its name: not well-formed (XML 1.0 §2.6), but saxes accepts it. */
const oddInstruction = /^<\?[^\s?]+\?(?!>)/;

/** saxes has made sure that there are no other references. */
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

  /** Takes the markup or text at `from`, of a long text its first step. @returns the index after it, which is beyond `from` */
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

/** @param text well-formed, as saxes sees it. @throws UnreadableError for a mistake that saxes accepts */
export function* separateTexts(text: string): Generator<void, SeparatedTexts, void> {
  const parting = new TextSeparator(text);
  let taken = 0;
  for (let at = 0; at < text.length; ) {
    const end = parting.take(at);
    // Each piece costs about as much as 64 characters do, however short it is.
    taken += end - at + 64;
    at = end;
    if (taken > stepLength) {
      taken = 0;
      yield;
    }
  }
  return parting;
}
