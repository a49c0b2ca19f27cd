/** The parts of a transcoder that handle strings, names and members in another order; program.ts generates the rest. */
import { escapeText } from '../text/escape.ts';

/** The maximum length of a text, in UTF-16 code units: several times the largest user. */
const maxLength = 64 * 1024;

/** In bytes: UTF-8 has at most three per UTF-16 code unit. Reads take four bytes, and a zero after the last byte marks the end. */
const inputSize = 3 * maxLength + 16;

/** In bytes. Longer output is printed in another way. Memory that is never written to isn't allocated. */
const outputSize = 1024 * 1024;

/** Created once, since its stack trace is of no use. */
export const unexpected = new Error('This is not canonical JSON.');

const [quote, backslash, colon] = [0x22, 0x5c, 0x3a];
const [bracket, closingBracket, comma, lineFeed] = [0x5b, 0x5d, 0x2c, 0x0a];

function bytesByByte(texts: Readonly<Record<string, string>>): readonly (Buffer | undefined)[] {
  const all = new Array<Buffer | undefined>(256).fill(undefined);
  for (const [character, text] of Object.entries(texts)) all[character.charCodeAt(0)] = Buffer.from(text);
  return all;
}

/** Output for a byte of a string, and for a byte after a backslash. None for `\u`: no user has characters that need it. */
const references = bytesByByte({ '&': escapeText('&'), '<': escapeText('<'), '>': escapeText('>') });
const escaped = bytesByByte({ '"': '"', '\\': '\\', n: '\n', t: '\t', r: escapeText('\r') });

const literals = { t: Buffer.from('true'), f: Buffer.from('false') };

/**
 * Sets the highest bit of each byte in a word that can't be copied unchanged: quote, backslash, `&`, `<`, `>`, bytes below a space, and
 * unintentionally `^`, `|` and `~`. Bytes above the lowest such byte may be marked by mistake.
 */
function markSpecial(word: number): number {
  // These bytes become zero: " and &, which differ in one bit, and \ < > ^ | ~, which share five bits.
  const quotes = (word & 0xfbfbfbfb) ^ 0x22222222;
  const brackets = (word & 0x9d9d9d9d) ^ 0x1c1c1c1c;
  return (markZeros(quotes) | markZeros(brackets) | markLow(word)) & 0x80808080;
}

/** Sets the highest bit of each zero byte in a word. Bytes above the lowest such byte may be marked by mistake. */
const markZeros = (word: number): number => (word - 0x01010101) & ~word;

/** Sets the highest bit of each byte below a space in a word. Bytes above the lowest such byte may be marked by mistake. */
const markLow = (word: number): number => (word - 0x20202020) & ~word;

/** The number of bytes before the lowest marked byte of a word. */
const countBefore = (marks: number): number => (31 - Math.clz32(marks & -marks)) >> 3;

function byteSet(characters: string): Uint8Array {
  const set = new Uint8Array(256);
  for (const byte of Buffer.from(characters)) set[byte] = 1;
  return set;
}

/** A prime above 255, so that different names of two bytes never have the same hash. */
const hashFactor = 16_777_619;

/** The characters of names in a map. Other names are left to JSON.parse. */
const namePart = byteSet('ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_0123456789-');
/** No digits: JSON.parse moves names that are numbers to the front. */
const nameStart = byteSet('ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_');

const numberPart = byteSet('-0123456789.');

/**
 * The bytes of the JSON input and of the XML output. Methods that print take the output index to start at and return the index after the
 * output. They throw `unexpected`, and RangeError at the end of a buffer.
 */
export class TranscodeScanner {
  readonly input = Buffer.alloc(inputSize);
  readonly output = Buffer.alloc(outputSize);
  /** Views of the same bytes. */
  readonly from = new DataView(this.input.buffer);
  readonly to = new DataView(this.output.buffer);
  /** The index of the next input byte. */
  at = 0;

  /** Writes a text to the input. @returns its length in bytes; undefined for a text that is too long */
  load(text: string): number | undefined {
    if (text.length > maxLength) return undefined;
    const length = this.input.write(text);
    this.input[length] = 0;
    return length;
  }

  take(byte: number): void {
    if (this.input[this.at] !== byte) throw unexpected;
    this.at += 1;
  }

  /** Prints a string, true or false. Numbers stand in entries alone. */
  putValue(start: number): number {
    if (this.input[this.at] === quote) return this.#putText(start);
    const literal = this.input[this.at] === literals.t[0] ? literals.t : literals.f;
    for (const byte of literal) this.take(byte);
    return this.#put(literal, start);
  }

  /** Prints the value of a map's entry: of a list, a line for each item. */
  putEntry(start: number): number {
    if (this.input[this.at] !== bracket) return this.#putItem(start);
    let end = start;
    do {
      this.at += 1;
      if (end > start) this.output[end++] = lineFeed;
      end = this.#putItem(end);
    } while (this.input[this.at] === comma);
    this.take(closingBracket);
    return end;
  }

  #putItem(start: number): number {
    return numberPart[this.input[this.at] ?? 0] === 1 ? this.#putNumber(start) : this.putValue(start);
  }

  #putNumber(start: number): number {
    let [at, end] = [this.at, start];
    for (let byte = this.input[at] ?? 0; numberPart[byte] === 1; byte = this.input[at] ?? 0) {
      this.output[end] = byte;
      at += 1;
      end += 1;
    }
    const text = this.output.toString('latin1', start, end);
    // Such as `1.50`, `-0` and `1-2`. Nothing that is expected here begins with the `e` of an exponent.
    if (String(Number(text)) !== text) throw unexpected;
    this.at = at;
    return end;
  }

  #putText(start: number): number {
    let at = this.at + 1;
    let end = start;
    for (;;) {
      const word = this.from.getInt32(at, true);
      this.to.setInt32(end, word, true);
      const marks = markSpecial(word);
      if (marks === 0) {
        at += 4;
        end += 4;
        continue;
      }
      const plain = countBefore(marks);
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

  /** @param last the byte itself, or the byte after a backslash */
  #putSpecial(byte: number, last: number, start: number): number {
    // `^`, `|` or `~`, which is already copied.
    if (byte > backslash) return start + 1;
    const text = byte === backslash ? escaped[last] : references[last];
    if (text === undefined) throw unexpected;
    return this.#put(text, start);
  }

  #put(text: Buffer, start: number): number {
    for (let index = 0; index < text.length; index += 1) this.output[start + index] = text[index] ?? 0;
    return start + text.length;
  }

  /**
   * Prints the name of an entry, without quotes. Two names with the same hash may be duplicates, which JSON.parse must resolve.
   * @param hashes of the previous names in the same map
   * @param count of these hashes
   */
  putName(hashes: Int32Array, count: number, start: number): number {
    this.take(quote);
    let at = this.at;
    let end = start;
    let hash = 0;
    if (nameStart[this.input[at] ?? 0] === 0 || count === hashes.length) throw unexpected;
    for (let byte = this.input[at] ?? 0; namePart[byte] === 1; byte = this.input[at] ?? 0) {
      this.output[end] = byte;
      hash = Math.imul(hash, hashFactor) ^ byte;
      at += 1;
      end += 1;
    }
    for (let index = 0; index < count; index += 1) if (hashes[index] === hash) throw unexpected;
    hashes[count] = hash;
    this.at = at;
    this.take(quote);
    this.take(colon);
    return end;
  }

  /**
   * Objects inside a user are stored in the client's order and printed in the schema's order: the members are copied aside, and back one by
   * one.
   * @param found the numbers of the members, in stored order
   * @param starts the start of each member's output
   * @param count of these members
   * @param end of the last member's output
   */
  sortMembers(found: Int32Array, starts: Int32Array, count: number, end: number): void {
    const start = starts[0] ?? 0;
    const aside = end - start;
    if (count > found.length || end + aside > this.output.length) throw unexpected;
    this.output.copyWithin(end, start, end);
    starts[count] = end;
    let to = start;
    let sorted = 0;
    for (let member = 0; member < found.length; member += 1) {
      let index = 0;
      while (index < count && found[index] !== member) index += 1;
      if (index === count) continue;
      const from = starts[index] ?? 0;
      const next = starts[index + 1] ?? 0;
      this.output.copyWithin(to, from + aside, next + aside);
      to += next - from;
      sorted += 1;
    }
    // A duplicate member, which JSON.parse must resolve.
    if (sorted < count) throw unexpected;
  }
}
