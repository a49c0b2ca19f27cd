/**
 * The content of cells. `|` separates several values. A backslash escapes `|`, backslash and what people take for a separator (comma,
 * semicolon, line end) in a value: `a\|b|C:\\d` is two values. Before any other character, a backslash is literal.
 */
import type { TSchema } from 'typebox';
import { type AttributeTypeName, readAttributeValue } from '../../../domain/validation/attribute-types.ts';
import { simplify } from '../../../domain/validation/suggest.ts';

/** The words for true and false, as people and spreadsheets of several languages write them, in lower case. */
const usualWords = [
  'true/false',
  '1/0',
  'yes/no',
  'y/n',
  'ja/nein',
  'j/n',
  'wahr/falsch',
  'oui/non',
  'vrai/faux',
  'active/suspended',
  'active/inactive',
  'enabled/disabled',
  'aktiv/inaktiv',
];

/** @param text `an/aus` @returns undefined unless it is two different words; the second may be empty */
export function parseBooleans(text: string): readonly [string, string] | undefined {
  const [yes = '', no, ...more] = text.split('/').map((word) => word.trim());
  const isWrong = yes === '' || no === undefined || more.length > 0 || yes.toLowerCase() === no.toLowerCase();
  return isWrong ? undefined : [yes, no];
}

export class BooleanWords {
  readonly #values: ReadonlyMap<string, boolean>;
  /** The words that were read. */
  readonly seen = new Set<string>();

  /** @param own a word for true and one for false, which may be empty; they come before the usual words */
  constructor(own?: readonly [string, string]) {
    const pairs = [...usualWords.map((pair) => pair.split('/')), ...(own === undefined ? [] : [own])];
    this.#values = new Map(
      pairs.flatMap(([yes = '', no = '']) => [
        [yes.toLowerCase(), true],
        [no.toLowerCase(), false],
      ]),
    );
  }

  /** True if an empty cell is one of the words. */
  get hasEmpty(): boolean {
    return this.#values.has('');
  }

  /** Ignores case and white space around the word. @returns the cell itself if it is no such word */
  read(cell: string): boolean | string {
    const word = cell.trim().toLowerCase();
    const value = this.#values.get(word);
    if (value === undefined) return cell;
    this.seen.add(word);
    return value;
  }
}

/** `|` separates values in a cell, `.` steps in a path. */
type Separator = '|' | '.';
const isSpecial = { '|': /[|\\,;\r\n]/g, '.': /[.\\]/g };
/** An escaped character or a separator. */
const specials = { '|': /\\[|\\,;\r\n]|\|/g, '.': /\\[.\\]|\./g };

/** White space other than line ends: a spreadsheet does not show it at the ends of a cell. */
const blank = /[^\S\r\n]/;

/** Removes blanks at both ends. Line ends stay, except in a cell that has nothing else. */
export function trimBlanks(cell: string): string {
  const trimmed = cell.trim();
  if (trimmed.length === cell.length || trimmed === '') return trimmed;
  let [from, to] = [0, cell.length];
  while (blank.test(cell.charAt(from))) from += 1;
  while (blank.test(cell.charAt(to - 1))) to -= 1;
  return cell.slice(from, to);
}

/** JSON's syntax (RFC 8259 §6). */
const numberForm = /^-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?$/;

/** @returns the text itself when it isn't of the schema's type */
export function readCell(schema: TSchema, cell: string, words: BooleanWords): unknown {
  const { type, typed } = schema as { readonly type?: string; readonly typed?: AttributeTypeName };
  if (type === 'boolean') return words.read(cell);
  if (typed !== undefined) return readAttributeValue(typed, cell);
  if ((type === 'number' || type === 'integer') && numberForm.test(cell)) return Number(cell);
  return cell;
}

/** The inverse of `splitParts`, for one part. */
export const escapeParts = (text: string, separator: Separator): string =>
  text.replace(isSpecial[separator], '\\$&');

/** Splits at unescaped separators and removes the escapes. */
export function splitParts(text: string, separator: Separator): readonly string[] {
  if (!text.includes('\\')) return text.split(separator);
  const parts = [''];
  let from = 0;
  for (const { 0: found, index } of text.matchAll(specials[separator])) {
    parts[parts.length - 1] += text.slice(from, index);
    from = index + found.length;
    if (found === separator) parts.push('');
    else parts[parts.length - 1] += found.slice(1);
  }
  parts[parts.length - 1] += text.slice(from);
  return parts;
}

/**
 * @returns the items; if another separator than `|` may have been meant, a value that the schema of a list refuses: the text itself, or true
 * where a text would be accepted
 */
export function readListCell(item: TSchema, cell: string, words: BooleanWords): unknown {
  const parts = splitParts(cell, '|');
  const isDoubtful = parts.length === 1 && /[,;\r\n]/.test(cell.replace(/\\[|\\,;\r\n]/g, ''));
  if (isDoubtful) return 'typed' in item ? true : cell;
  return parts.map((value) => readCell(item, trimBlanks(value), words));
}

const printValue = (value: unknown): string => (typeof value === 'string' ? value : String(value));

/** @param value a string, number or boolean, or a list of them; undefined and null print nothing */
export function printCell(value: unknown): string {
  if (value === undefined || value === null) return '';
  if (!Array.isArray(value)) return printValue(value);
  return value.map((item) => escapeParts(printValue(item), '|')).join('|');
}

/**
 * Cells that spreadsheets run as formulas or truncate. Some read the full-width forms as `=`, `+`, `-` and `@`. Leading apostrophes match
 * too, so that `unprotectCell` changes exactly the cells that `protectCell` has changed.
 */
const risky = /^'*[=+\-@\t\r\n\uFF1D\uFF0B\uFF0D\uFF20]/;

/** Adds an apostrophe before text that a spreadsheet would run. */
export const protectCell = (cell: string): string => (risky.test(cell) ? `'${cell}` : cell);

/** Removes the apostrophe that `protectCell` adds. */
export const unprotectCell = (cell: string): string =>
  cell.startsWith("'") && risky.test(cell) ? cell.slice(1) : cell;

const languages = 'en de fr es it nl pt pl cs sk hu ro bg hr sl sv da nb fi tr el ru uk ja zh ko'.split(' ');
const letters = Array.from({ length: 26 }, (_, at) => String.fromCharCode(65 + at));
/** Names, simplified, that people use and platforms don't, by code. */
const usualNames: Readonly<Record<string, string>> = {
  US: 'usa unitedstatesofamerica',
  GB: 'england scotland wales greatbritain',
  NL: 'holland thenetherlands',
  ...{ CZ: 'czechrepublic', TR: 'turkey', RU: 'russianfederation', MK: 'macedonia' },
  ...{ SZ: 'swaziland', MM: 'burma', CI: 'ivorycoast', IE: 'republicofireland' },
};

let known: ReadonlyMap<string, string> | undefined;

function readNames(): ReadonlyMap<string, string> {
  const names = new Map<string, string>();
  for (const [code, called] of Object.entries(usualNames))
    for (const name of called.split(' ')) names.set(name, code);
  const codes = letters.flatMap((one) => letters.map((other) => one + other));
  for (const language of languages)
    for (const style of ['long', 'short'] as const) {
      const regions = new Intl.DisplayNames(language, { type: 'region', style, fallback: 'none' });
      for (const code of codes) {
        const name = regions.of(code);
        // An old code, such as DD, has the name of its successor.
        const current = new Intl.Locale(`und-${code}`).region ?? code;
        if (name !== undefined && !names.has(simplify(name))) names.set(simplify(name), current);
      }
    }
  return names;
}

/** Finds the code of a country by its name, as the platform knows it in these languages. @returns the text itself where it is no such name */
export function readCountry(text: string): string {
  if (text.length <= 2) return text;
  known ??= readNames();
  return known.get(simplify(text)) ?? text;
}
