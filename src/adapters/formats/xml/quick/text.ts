/** Scans tags, attributes and texts in their simplest forms. */
import { foreignCharacter } from '../../../../domain/validation/schema-validator.ts';
import { maxNodes } from '../../port/format.ts';
import { decodeReferences } from '../text/escape.ts';
import { isSpace } from '../text/scalar.ts';

/** Thrown if the strict reader must take over. Always the same object, since creating an Error takes about as long as reading a user. */
export const notQuick = new Error('left to the strict reader');

/**
 * True for text without characters that XML forbids and without `]]>`, which text may not contain (XML 1.0 §2.4). QuickText checks for
 * neither.
 */
export const mayBeQuick = (text: string): boolean => !foreignCharacter.test(text) && !text.includes(']]>');

const less = 0x3c;
const greater = 0x3e;
const slash = 0x2f;
const space = 0x20;

/** An attribute whose value normalization leaves unchanged (XML 1.0 §3.3.3). */
const attribute =
  /[ \t\r\n]+([A-Za-z_][\w.-]*(?::[A-Za-z_][\w.-]*)?)[ \t\r\n]*=[ \t\r\n]*(?:"([^"<&\t\r\n]*)"|'([^'<&\t\r\n]*)')/y;

const noAttributes: ReadonlyMap<string, string> = new Map();

/** Each method moves past the text it reads, and may throw notQuick. */
export class QuickText {
  readonly #text: string;
  readonly #isEscaped: boolean;
  /** The current index. */
  at = 0;
  #nodes = 0;

  /** @param text for which mayBeQuick is true */
  constructor(text: string) {
    this.#text = text;
    this.#isEscaped = text.includes('&') || text.includes('\r');
  }

  /** Restarts the count of elements and attributes. */
  begin(at: number): void {
    this.at = at;
    this.#nodes = 0;
  }

  skipSpace(): void {
    while (isSpace(this.#text.charCodeAt(this.at))) this.at += 1;
  }

  assertEnd(): void {
    if (this.at < this.#text.length) throw notQuick;
  }

  /** The name of the element that begins here, with its prefix; undefined at an end tag. */
  readName(): string | undefined {
    const text = this.#text;
    const from = this.at + 1;
    if (text.charCodeAt(this.at) !== less) throw notQuick;
    if (text.charCodeAt(from) === slash) return undefined;
    let end = from;
    for (let unit = text.charCodeAt(end); unit > space && unit !== greater && unit !== slash; ) {
      end += 1;
      unit = text.charCodeAt(end);
    }
    this.at = end;
    this.#count();
    return text.slice(from, end);
  }

  /** Values by name, with prefix. */
  readAttributes(): ReadonlyMap<string, string> {
    if (!isSpace(this.#text.charCodeAt(this.at))) return noAttributes;
    const attributes = new Map<string, string>();
    attribute.lastIndex = this.at;
    for (let found = attribute.exec(this.#text); found !== null; found = attribute.exec(this.#text)) {
      const [, name = '', inDouble, inSingle = ''] = found;
      if (attributes.has(name)) throw notQuick;
      attributes.set(name, inDouble ?? inSingle);
      this.at = attribute.lastIndex;
      this.#count();
    }
    return attributes;
  }

  /** Call after the attributes. @returns true for an empty-element tag */
  endStartTag(): boolean {
    this.skipSpace();
    const isEmpty = this.#text.charCodeAt(this.at) === slash;
    if (isEmpty) this.at += 1;
    if (this.#text.charCodeAt(this.at) !== greater) throw notQuick;
    this.at += 1;
    return isEmpty;
  }

  /** Reads up to the next tag, normalizes line ends (XML 1.0 §2.11) and resolves references. */
  readText(): string {
    const end = this.#text.indexOf('<', this.at);
    if (end < 0) throw notQuick;
    const raw = this.#text.slice(this.at, end);
    this.at = end;
    if (!this.#isEscaped) return raw;
    const lines = raw.includes('\r') ? raw.replaceAll('\r\n', '\n').replaceAll('\r', '\n') : raw;
    const text = decodeReferences(lines);
    if (text === undefined) throw notQuick;
    return text;
  }

  readEndTag(name: string): void {
    const text = this.#text;
    const end = this.at + 2 + name.length;
    const isTag = text.charCodeAt(this.at) === less && text.charCodeAt(this.at + 1) === slash;
    if (!isTag || text.charCodeAt(end) !== greater || !text.startsWith(name, this.at + 2)) throw notQuick;
    this.at = end + 1;
  }

  #count(): void {
    this.#nodes += 1;
    if (this.#nodes > maxNodes) throw notQuick;
  }
}
