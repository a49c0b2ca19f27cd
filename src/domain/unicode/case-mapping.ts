/** Case-insensitive comparison of texts, by pinned Unicode tables. */
import { codePoints, mappingOf, setOf } from './code-points.ts';
import * as tables from './tables.ts';

const lower = mappingOf(tables.lower);
const isCased = setOf(tables.cased);
const isCaseIgnorable = setOf(tables.caseIgnorable);
const ascii = /^\p{ASCII}*$/u;
const capitalSigma = 0x3a3;
const capitalDottedI = 0x130;

/**
 * Unicode's default toLowerCase (section 3.13 of the standard, the final sigma included) as of Unicode
 * 15.1, regardless of the runtime's version: for comparing texts, not for showing them.
 */
export const lowerCase = (text: string): string =>
  ascii.test(text) ? text.toLowerCase() : lowerCasePoints(codePoints(text));

/** The same for code points. */
export const lowerCasePoints = (points: readonly number[]): string =>
  points.map((point, index) => lowerCaseAt(points, point, index)).join('');

function lowerCaseAt(points: readonly number[], point: number, index: number): string {
  if (point === capitalSigma) return endsWord(points, index) ? 'ς' : 'σ';
  if (point === capitalDottedI) return 'i\u0307';
  return String.fromCodePoint(lower.get(point) ?? point);
}

/** The Final_Sigma condition: a cased letter before, none after, whatever case-ignorables lie between. */
const endsWord = (points: readonly number[], index: number): boolean =>
  isCasedBeyond(points, index, -1) && !isCasedBeyond(points, index, 1);

function isCasedBeyond(points: readonly number[], index: number, step: 1 | -1): boolean {
  for (let at = index + step; ; at += step) {
    const point = points[at];
    if (point === undefined) return false;
    // Ignorable first: U+0345 and the modifier letters are cased as well, and do not count.
    if (!isCaseIgnorable(point)) return isCased(point);
  }
}
