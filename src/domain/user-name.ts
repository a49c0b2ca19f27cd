import { findBidiFault } from './bidi-rule.ts';
import { codePoints, mappingOf, setOf } from './code-points.ts';
import { findClassFault } from './precis.ts';
import * as tables from './unicode-tables.ts';

/**
 * The number stored beside a mapped name. Raise it with any change of the mapping or of the tables:
 * names mapped before the change must be mapped again before they may be compared with new ones.
 */
export const mappingVersion = 1;

const width = mappingOf(tables.width);
const lower = mappingOf(tables.lower);
const isCased = setOf(tables.cased);
const isCaseIgnorable = setOf(tables.caseIgnorable);
const isUnassigned = setOf(tables.unassigned);

const printableAscii = /^[!-~]+$/;
const ascii = /^\p{ASCII}*$/u;
const capitalSigma = 0x3a3;
const capitalDottedI = 0x130;

/**
 * The name under which two names are the same user: RFC 8265, section 3.3 (UsernameCaseMapped), without
 * its checks. Total: a name that may not be stored is mapped too, so that looking it up finds nobody.
 * Mapping a mapped name changes nothing.
 */
export function mapUserName(name: string): string {
  if (printableAscii.test(name)) return name.toLowerCase();
  const narrow = codePoints(name).map((point) => width.get(point) ?? point);
  const mapped = lowerCasePoints(narrow);
  // Every supported runtime knows Unicode 15.1 or later, and normalisation never changes for code points
  // once assigned, so all agree on it. On later code points they may not; no stored name has one.
  return narrow.some(isUnassigned) ? mapped : mapped.normalize('NFC');
}

/**
 * Why the profile refuses the name, or undefined when it allows it. The reason speaks of the mapped name,
 * which is what RFC 8265, section 3.3.3 checks, and names its first offending code point. Says nothing of
 * the length. The directionality rule and the string class must both hold, so their order decides only
 * which reason is given: the class comes first, as it points at one code point.
 */
export function findUserNameFault(name: string): string | undefined {
  if (printableAscii.test(name)) return undefined;
  if (name === '') return 'a userName must not be empty';
  const mapped = mapUserName(name);
  const points = codePoints(mapped);
  const reason = findClassFault(points) ?? findBidiFault(points);
  if (reason !== undefined) return reason;
  // RFC 8264, section 7 rejects what never becomes stable; with these tables nothing is known to get here.
  return mapUserName(mapped) === mapped ? undefined : 'a userName must not change when mapped again';
}

/**
 * Unicode's default toLowerCase (section 3.13 of the standard, the final sigma included) as of Unicode
 * 15.1, whatever the runtime's version: for comparing texts in any case, not for showing them.
 */
export function lowerCase(text: string): string {
  return ascii.test(text) ? text.toLowerCase() : lowerCasePoints(codePoints(text));
}

function lowerCasePoints(points: readonly number[]): string {
  return points.map((point, index) => lowerCaseAt(points, point, index)).join('');
}

function lowerCaseAt(points: readonly number[], point: number, index: number): string {
  if (point === capitalSigma) return endsWord(points, index) ? 'ς' : 'σ';
  if (point === capitalDottedI) return 'i\u0307';
  return String.fromCodePoint(lower.get(point) ?? point);
}

/** The Final_Sigma condition: a cased letter before, none after, whatever case-ignorables lie between. */
function endsWord(points: readonly number[], index: number): boolean {
  return isCasedBeyond(points, index, -1) && !isCasedBeyond(points, index, 1);
}

function isCasedBeyond(points: readonly number[], index: number, step: 1 | -1): boolean {
  for (let at = index + step; ; at += step) {
    const point = points[at];
    if (point === undefined) return false;
    // Ignorable first: U+0345 and the modifier letters are cased as well, and do not count.
    if (!isCaseIgnorable(point)) return isCased(point);
  }
}
