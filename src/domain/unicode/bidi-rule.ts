/** The bidi rule of names (RFC 5893 §2), by pinned Unicode tables. */
import { label, setOf } from './code-points.ts';
import * as tables from './tables.ts';

const isRightToLeft = setOf(tables.rightToLeft);
const isArabicNumber = setOf(tables.arabicNumber);
const isEuropeanNumber = setOf(tables.europeanNumber);
const isNonspacing = setOf(tables.nonspacing);
const isNeutral = setOf(tables.neutral);

type Direction = 'rtl' | 'arabic number' | 'european number' | 'nonspacing' | 'neutral' | 'ltr';

function directionOf(point: number): Direction {
  if (isRightToLeft(point)) return 'rtl';
  if (isArabicNumber(point)) return 'arabic number';
  if (isEuropeanNumber(point)) return 'european number';
  if (isNonspacing(point)) return 'nonspacing';
  return isNeutral(point) ? 'neutral' : 'ltr';
}

/**
 * Checks the bidi rule of RFC 5893, section 2; returns the reason, or undefined. It applies to names with
 * right-to-left letters or Arabic numbers, which a left-to-right name may not have: so every name it
 * applies to must be a right-to-left one. Right only for names whose code points the class allows.
 */
export function findBidiFault(points: readonly number[]): string | undefined {
  const directions = points.map(directionOf);
  const has = (direction: Direction) => directions.includes(direction);
  if (!has('rtl') && !has('arabic number')) return undefined;
  const at = (index: number) => label(points[index] as number);
  if (directions[0] !== 'rtl') {
    return `a userName with right-to-left characters must begin with a right-to-left letter, not ${at(0)}`;
  }
  if (has('ltr')) {
    return `${at(directions.indexOf('ltr'))} is not allowed in a userName that begins with a right-to-left letter`;
  }
  if (has('arabic number') && has('european number')) {
    return `${at(directions.indexOf('arabic number'))} is not allowed in a userName with European digits`;
  }
  const last = directions.findLastIndex((direction) => direction !== 'nonspacing');
  if (directions[last] === 'neutral') {
    return `a right-to-left userName must end with a letter or a digit, not ${at(last)}`;
  }
  return undefined;
}
