/**
 * Reads canonical JSON and writes XML, from bytes to bytes and four at a time. Whatever it doesn't expect ends it: nothing is ever
 * guessed.
 */
import { type Key, type Tag, tagOf } from './xml-transcode-plan.ts';

/** Made once, since its stack says nothing. */
export const unexpected = new Error('This is not as canonical JSON has it.');

const quote = 0x22;
const backslash = 0x5c;

function tagsByByte(texts: Readonly<Record<string, string>>): readonly (Tag | undefined)[] {
  const tags = new Array<Tag | undefined>(256).fill(undefined);
  for (const [character, text] of Object.entries(texts)) tags[character.charCodeAt(0)] = tagOf(text);
  return tags;
}

/** What stands for a byte of a text, and for one behind a backslash. None for `\u`: no user has characters that need it. */
const references = tagsByByte({ '&': '&amp;', '<': '&lt;', '>': '&gt;' });
const escaped = tagsByByte({ '"': '"', '\\': '\\', n: '\n', t: '\t', r: '&#13;' });

const literals = { true: tagOf('true'), false: tagOf('false') };

/**
 * Of four bytes, the highest bit of each that may not just be copied: quote, backslash, `&`, `<`, `>`, what is below a space, and
 * by the way `^`, `|` and `~`. Above the lowest such byte others may be marked too.
 */
function markSpecial(word: number): number {
  // Bytes become zero that are " or &, which differ in one bit; and \ < > ^ | ~, which have five in common.
  const quotes = (word & 0xfbfbfbfb) ^ 0x22222222;
  const brackets = (word & 0x9d9d9d9d) ^ 0x1c1c1c1c;
  const low = (word - 0x20202020) & ~word;
  return (((quotes - 0x01010101) & ~quotes) | ((brackets - 0x01010101) & ~brackets) | low) & 0x80808080;
}

/**
 * Methods that write take the place where they begin and return the one where they end. All throw something when the bytes aren't as
 * they expect, and RangeError at the end of a buffer.
 */
export class TranscodeCursor {
  readonly input: Buffer;
  readonly output: Buffer;
  readonly #from: DataView;
  readonly #to: DataView;
  /** Where the next byte is read. */
  at = 0;

  constructor(inputSize: number, outputSize: number) {
    [this.input, this.output] = [Buffer.alloc(inputSize), Buffer.alloc(outputSize)];
    this.#from = new DataView(this.input.buffer);
    this.#to = new DataView(this.output.buffer);
  }

  /** @returns false, and stays, when another byte comes */
  skip(byte: number): boolean {
    if (this.input[this.at] !== byte) return false;
    this.at += 1;
    return true;
  }

  take(byte: number): void {
    if (!this.skip(byte)) throw unexpected;
  }

  get word(): number {
    return this.#from.getInt32(this.at, true);
  }

  /** Its first word is there. */
  isAt({ words, places }: Key): boolean {
    for (let index = 1; index < words.length; index += 1)
      if (this.#from.getInt32(this.at + (places[index] ?? 0), true) !== words[index]) return false;
    return true;
  }

  /** Sixteen bytes at least: what follows is written over those too many. */
  put(tag: Tag, start: number): number {
    const to = this.#to;
    to.setInt32(start, tag.first, true);
    to.setInt32(start + 4, tag.second, true);
    to.setInt32(start + 8, tag.third, true);
    to.setInt32(start + 12, tag.fourth, true);
    const { others } = tag;
    for (let at = 0; at < others.length; at += 1) to.setInt32(start + 16 + 4 * at, others[at] ?? 0, true);
    return start + tag.length;
  }

  /** A string, true or false. Numbers aren't among them: no user has one. */
  putValue(start: number): number {
    if (this.skip(quote)) return this.#putText(start);
    const literal = this.input[this.at] === 0x74 ? literals.true : literals.false;
    if (this.#from.getInt32(this.at, true) !== literal.first) throw unexpected;
    this.at += 4;
    if (literal === literals.false) this.take(0x65);
    return this.put(literal, start);
  }

  #putText(start: number): number {
    let at = this.at;
    let end = start;
    for (;;) {
      const word = this.#from.getInt32(at, true);
      this.#to.setInt32(end, word, true);
      const marks = markSpecial(word);
      if (marks === 0) {
        at += 4;
        end += 4;
        continue;
      }
      const plain = (31 - Math.clz32(marks & -marks)) >> 3;
      const byte = (word >> (plain << 3)) & 0xff;
      at += plain + 1;
      end += plain;
      if (byte === quote) {
        this.at = at;
        return end;
      }
      if (byte === backslash) at += 1;
      end = this.#putSpecial(byte, this.input[at - 1] ?? 0, end);
    }
  }

  /** @param last the byte itself, or the one behind a backslash */
  #putSpecial(byte: number, last: number, start: number): number {
    // One that is copied, and has been.
    if (byte > backslash) return start + 1;
    const tag = byte === backslash ? escaped[last] : references[last];
    if (tag === undefined) throw unexpected;
    return this.put(tag, start);
  }
}
