/**
 * Finds what JSON.parse doesn't report: the position of a syntax error, duplicate names in an object, and where a value begins. Used only
 * for texts with a mistake, since it takes ten times as long.
 */

import type { Violation } from '../../../domain/validation/errors.ts';
import { escapePointer } from '../../../domain/validation/schema-validator.ts';
import { maxReported, runToEnd } from '../port/format.ts';
import { positionAt, UnreadableError } from '../text/positions.ts';
import { findStringEnd } from './limits.ts';

/** An open object or list. */
interface Level {
  /** Undefined for a list. */
  readonly names: Set<string> | undefined;
  /** The current member's name or item's index. */
  key: string | number;
}

/** The next expected token. A closing bracket is also allowed instead of a comma, and instead of the first name or item. */
type Expected = 'value' | 'first item' | 'name' | 'first name' | 'colon' | 'comma' | 'end';

/** Tokens per step. */
const stepLength = 2000;

const isSpace = (unit: number): boolean => unit === 0x20 || unit === 0x0a || unit === 0x0d || unit === 0x09;
const number = /-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?/y;
const words: readonly string[] = ['true', 'false', 'null'];

class Examination {
  readonly #text: string;
  #at = 0;
  readonly #levels: Level[] = [];
  #expected: Expected = 'value';
  readonly #repeated: Violation[] = [];
  /** The starts of values, by pointer; undefined if they aren't needed. */
  readonly #places: Map<string, number> | undefined;

  constructor(text: string, places?: Map<string, number>) {
    [this.#text, this.#places] = [text, places];
  }

  *run(): Generator<void, readonly Violation[], void> {
    for (let tokens = 1; this.#skipSpace(); tokens += 1) {
      this.#takeToken(this.#text.charAt(this.#at));
      if (tokens % stepLength === 0) yield;
    }
    return this.#expected === 'end' ? this.#repeated : this.#refuse();
  }

  #refuse(): never {
    throw new UnreadableError('this is not JSON', positionAt(this.#text, this.#at));
  }

  /** False at the end of the text. */
  #skipSpace(): boolean {
    while (isSpace(this.#text.charCodeAt(this.#at))) this.#at += 1;
    return this.#at < this.#text.length;
  }

  #takeToken(first: string): void {
    const level = this.#levels.at(-1);
    const closer = level?.names === undefined ? ']' : '}';
    const mayClose = this.#expected === 'comma' || this.#expected.startsWith('first');
    if (first === closer && mayClose) this.#close();
    else if (this.#expected === 'comma') this.#takeComma(first, level);
    else if (this.#expected === 'colon') this.#take(first === ':', 1, 'value');
    else if (this.#expected === 'end') this.#refuse();
    else if (this.#expected.endsWith('name')) this.#takeName(level);
    else this.#takeValue(first);
  }

  #take(isRight: boolean, length: number, next: Expected): void {
    if (!isRight) this.#refuse();
    this.#at += length;
    this.#expected = next;
  }

  #takeComma(first: string, level: Level | undefined): void {
    const isList = level?.names === undefined;
    this.#take(first === ',', 1, isList ? 'value' : 'name');
    if (isList && level !== undefined) level.key = Number(level.key) + 1;
  }

  #takeValue(first: string): void {
    this.#places?.set(this.#pointer(), this.#at);
    if (first === '{' || first === '[') {
      const isList = first === '[';
      this.#levels.push({ names: isList ? undefined : new Set(), key: 0 });
      this.#take(true, 1, isList ? 'first item' : 'first name');
      return;
    }
    if (first === '"') this.#readString();
    else this.#at += this.#scalarLength();
    this.#endValue();
  }

  #scalarLength(): number {
    number.lastIndex = this.#at;
    const found = number.exec(this.#text)?.[0] ?? words.find((word) => this.#text.startsWith(word, this.#at));
    return found?.length ?? this.#refuse();
  }

  #close(): void {
    this.#levels.pop();
    this.#at += 1;
    this.#endValue();
  }

  #endValue(): void {
    this.#expected = this.#levels.length === 0 ? 'end' : 'comma';
  }

  #takeName(level: Level | undefined): void {
    if (this.#text[this.#at] !== '"' || level?.names === undefined) this.#refuse();
    const name = this.#readString();
    level.key = name;
    if (level.names.has(name)) this.#report();
    level.names.add(name);
    this.#expected = 'colon';
  }

  #readString(): string {
    const end = findStringEnd(this.#text, this.#at + 1) + 1;
    try {
      const value: unknown = JSON.parse(this.#text.slice(this.#at, end));
      this.#at = end;
      return String(value);
    } catch {
      return this.#refuse();
    }
  }

  #report(): void {
    if (this.#repeated.length < maxReported)
      this.#repeated.push({ pointer: this.#pointer(), detail: 'occurs more than once' });
  }

  /** The pointer of the current member or item. */
  #pointer(): string {
    return this.#levels.map(({ key }) => `/${escapePointer(String(key))}`).join('');
  }
}

/** Runs in steps. @returns duplicate names, at most maxReported @throws UnreadableError at the start of the first unexpected token */
export const examineJson = (text: string): Generator<void, readonly Violation[], void> =>
  new Examination(text).run();

/**
 * @param text that JSON.parse accepts
 * @param pointer RFC 6901
 * @returns the start of the value; if it is missing, the start of its nearest parent
 */
export function findPlace(text: string, pointer: string): number {
  const places = new Map<string, number>();
  runToEnd(new Examination(text, places).run());
  let nearest = pointer;
  while (!places.has(nearest)) nearest = nearest.slice(0, nearest.lastIndexOf('/'));
  return places.get(nearest) ?? 0;
}
