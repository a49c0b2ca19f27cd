/**
 * What stands in a cell. Several values stand in one with `|` between them; a backslash is put in front of a `|` or backslash that
 * belongs to a value: `a\|b|C:\\d` are two. In front of anything else, a backslash is read as itself.
 */
import type { TSchema } from 'typebox';

/** Of the values in a cell, and of the steps in a path. */
type Separator = '|' | '.';
const isSpecial = { '|': /[|\\]/g, '.': /[.\\]/g };
/** Those that count: by themselves, or with what stands in front of them. */
const specials = { '|': /\\[|\\]|\|/g, '.': /\\[.\\]|\./g };

const trueForm = /^(?:true|1)$/i;
const falseForm = /^(?:false|0)$/i;
/** As JSON writes it. */
const numberForm = /^-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?$/;

/** Spreadsheets write `TRUE`. @returns the text itself when it isn't of the schema's type */
export function readCell(schema: TSchema, cell: string): unknown {
  const { type } = schema as { readonly type?: string };
  if (type === 'boolean') {
    if (trueForm.test(cell)) return true;
    return falseForm.test(cell) ? false : cell;
  }
  if ((type === 'number' || type === 'integer') && numberForm.test(cell)) return Number(cell);
  return cell;
}

/** For `splitParts`. */
export const escapeParts = (text: string, separator: Separator): string =>
  text.replace(isSpecial[separator], '\\$&');

/** At separators without a backslash in front. */
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

export const readListCell = (item: TSchema, cell: string): readonly unknown[] =>
  splitParts(cell, '|').map((value) => readCell(item, value));

const printValue = (value: unknown): string => (typeof value === 'string' ? value : String(value));

/** @param value a text, number or boolean, or a list of such; nothing for undefined */
export function printCell(value: unknown): string {
  if (value === undefined || value === null) return '';
  if (!Array.isArray(value)) return printValue(value);
  return value.map((item) => escapeParts(printValue(item), '|')).join('|');
}

/**
 * What spreadsheets take for a formula, or cut off: some read the wide forms as `=`, `+`, `-` and `@`. Apostrophes in front count too, so
 * that one is taken away from just those cells that got one.
 */
const risky = /^'*[=+\-@\t\r\n\uFF1D\uFF0B\uFF0D\uFF20]/;

/** With an apostrophe in front of what a spreadsheet would run. */
export const protectCell = (cell: string): string => (risky.test(cell) ? `'${cell}` : cell);

/** Without the apostrophe that `protectCell` put in front. */
export const unprotectCell = (cell: string): string =>
  cell.startsWith("'") && risky.test(cell) ? cell.slice(1) : cell;
