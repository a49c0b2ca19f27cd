/**
 * Takes the texts out of a document that passed the gate, so that what is left is its elements: fast-xml-parser takes several
 * times as long for a character as for finding where the text ends, and can't be interrupted.
 */
import { UnreadableError } from './format.ts';

export interface Parted {
  /** The elements, all of one name and without attributes, and for each text its index. */
  readonly bones: string;
  /** Decoded. Comments and CDATA marks don't split one. */
  readonly texts: readonly string[];
}

/** In UTF-16 code units: so much is taken in one step. */
const stepLength = 16 * 1024;

/** A name that goes over into a question mark: not well-formed (XML 1.0 §2.6), and saxes lets it pass. */
const oddInstruction = /^<\?[^\s?]+\?(?!>)/;

const predefined: ReadonlyMap<string, string> = new Map(
  Object.entries({ '&lt;': '<', '&gt;': '>', '&amp;': '&', '&apos;': "'", '&quot;': '"' }),
);

/** Of `&#65;` or `&#x41;`. */
const characterOf = (reference: string): string =>
  String.fromCodePoint(Number((reference[2] === 'x' ? '0' : '') + reference.slice(2, -1)));

/** The five entities and the numeric references of XML (§4.1, §4.6); that there are no others, and that each is a character, the gate saw. */
const decoded = (raw: string): string =>
  raw.includes('&')
    ? raw.replace(/&[^;]+;/g, (reference) => predefined.get(reference) ?? characterOf(reference))
    : raw;

/** Where a text's next step ends: at its end, or behind a semicolon, which no reference goes beyond. */
function endOfStep(text: string, from: number, end: number): number {
  if (end - from <= stepLength) return end;
  const semicolon = text.indexOf(';', from + stepLength);
  return semicolon < 0 || semicolon >= end ? end : semicolon + 1;
}

/** The `>` that ends a tag; in a value one may stand as itself. */
const restOfTag = /[^>"']*(?:(?:"[^"]*"|'[^']*')[^>"']*)*>/y;

function endOfTag(text: string, from: number): number {
  restOfTag.lastIndex = from;
  restOfTag.test(text);
  return restOfTag.lastIndex;
}

function boneOf(text: string, from: number, end: number): string {
  if (text[from + 1] === '/') return '</e>';
  return text[end - 2] === '/' ? '<e/>' : '<e>';
}

/** Sees the text by itself, what stands between `<` and `>`, and what of that has an end of its own. */
class Parting {
  readonly texts: string[] = [];
  bones = '';
  #pieces: string[] = [];
  readonly #text: string;

  constructor(text: string) {
    this.#text = text;
  }

  /** Takes what begins at `from`, or the first step of it, and returns where it ended. */
  take(from: number): number {
    const text = this.#text;
    if (text[from] !== '<') return this.#takeText(from);
    if (text.startsWith('<!--', from)) return text.indexOf('-->', from + 4) + 3;
    if (text.startsWith('<?', from)) return this.#passInstruction(from);
    if (text.startsWith('<![CDATA[', from)) {
      const end = text.indexOf(']]>', from + 9);
      this.#pieces.push(text.slice(from + 9, end));
      return end + 3;
    }
    const end = endOfTag(text, from);
    this.#endText();
    this.bones += boneOf(text, from, end);
    return end;
  }

  #takeText(from: number): number {
    const next = this.#text.indexOf('<', from);
    const end = endOfStep(this.#text, from, next < 0 ? this.#text.length : next);
    this.#pieces.push(decoded(this.#text.slice(from, end)));
    return end;
  }

  #passInstruction(from: number): number {
    const end = this.#text.indexOf('?>', from + 2) + 2;
    if (oddInstruction.test(this.#text.slice(from, end)))
      throw new UnreadableError('a processing instruction has a question mark in its name');
    return end;
  }

  #endText(): void {
    if (this.#pieces.length === 0) return;
    this.bones += this.texts.length;
    this.texts.push(this.#pieces.join(''));
    this.#pieces = [];
  }
}

/** @param text well-formed. @throws UnreadableError for what saxes lets pass */
export function* partTexts(text: string): Generator<void, Parted, void> {
  const parting = new Parting(text);
  let taken = 0;
  for (let at = 0; at < text.length; ) {
    const end = parting.take(at);
    // What costs is how many there are as much as how long they are.
    taken += end - at + 64;
    at = end;
    if (taken > stepLength) {
      taken = 0;
      yield;
    }
  }
  return parting;
}
