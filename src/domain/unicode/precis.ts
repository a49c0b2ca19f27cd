/**
 * The characters that names may have, by pinned Unicode tables: the code points of PRECIS's IdentifierClass (RFC 8264 §4.2), in an order that the
 * bidi rule allows (RFC 5893 §2).
 */
import { label, setOf } from './code-points.ts';
import * as tables from './tables.ts';

type Points = readonly number[];
type Rule = { holds: (points: Points, index: number) => boolean; only: string };

const isAllowed = setOf(tables.allowed);
const isVirama = setOf(tables.virama);
const joinsNext = setOf(tables.joinsNext);
const joinsPrevious = setOf(tables.joinsPrevious);
const isTransparent = setOf(tables.transparent);
const isGreek = setOf(tables.greek);
const isHebrew = setOf(tables.hebrew);
const isKanaOrHan = setOf(tables.kanaOrHan);

const isArabicIndic = (point: number) => point >= 0x660 && point <= 0x669;
const isExtendedArabicIndic = (point: number) => point >= 0x6f0 && point <= 0x6f9;
const katakanaMiddleDot = 0x30fb;

const before = (points: Points, index: number) => points[index - 1] ?? -1;
const after = (points: Points, index: number) => points[index + 1] ?? -1;

const followsVirama = (points: Points, index: number) => isVirama(before(points, index));
const followsHebrew: Rule = {
  holds: (points, index) => isHebrew(before(points, index)),
  only: 'after a Hebrew letter',
};

/** RFC 5892, appendix A: the code points that depend on their neighbours. */
const neighbourRules = new Map<number, Rule>([
  [
    0x200c,
    {
      holds: (points, index) => followsVirama(points, index) || breaksJoin(points, index),
      only: 'after a virama or between letters that would join',
    },
  ],
  [0x200d, { holds: followsVirama, only: 'after a virama' }],
  [
    0xb7,
    {
      holds: (points, index) => before(points, index) === 0x6c && after(points, index) === 0x6c,
      only: 'between two letters l',
    },
  ],
  [0x375, { holds: (points, index) => isGreek(after(points, index)), only: 'before a Greek letter' }],
  [0x5f3, followsHebrew],
  [0x5f4, followsHebrew],
]);

/** Whether a zero-width (non-)joiner changes how its neighbours are written (RFC 5892, appendices A.1 and A.2). */
export function isJoiner(points: Points, index: number): boolean {
  const point = points[index];
  return (point === 0x200c || point === 0x200d) && neighbourRules.get(point)?.holds(points, index) === true;
}

const space = 0x20;

/**
 * Checks the IdentifierClass of RFC 8264, section 4.2, contextual rules included.
 * Returns a reason that names the code point, or undefined.
 */
export function findClassFault(points: Points): string | undefined {
  for (const [index, point] of points.entries()) {
    if (isAllowed(point) || dependsOnWholeName(point)) continue;
    const rule = neighbourRules.get(point);
    if (!rule)
      return point === space ? 'must not contain spaces' : `${label(point)} is not allowed in a userName`;
    if (!rule.holds(points, index)) return `${label(point)} is allowed in a userName only ${rule.only}`;
  }
  return findWholeNameFault(points);
}

const dependsOnWholeName = (point: number): boolean =>
  point === katakanaMiddleDot || isArabicIndic(point) || isExtendedArabicIndic(point);

/** RFC 5892, appendices A.7 to A.9, once for each name: once for each digit would be quadratic. */
function findWholeNameFault(points: Points): string | undefined {
  if (points.includes(katakanaMiddleDot) && !points.some(isKanaOrHan))
    return `${label(katakanaMiddleDot)} is allowed in a userName only with Hiragana, Katakana or Han`;
  const arabic = points.findIndex(isArabicIndic);
  const extended = points.findIndex(isExtendedArabicIndic);
  if (arabic < 0 || extended < 0) return undefined;
  const [one, other] = arabic < extended ? [arabic, extended] : [extended, arabic];
  return `${label(points[one] as number)} is not allowed in a userName with ${label(points[other] as number)}`;
}

/** A zero width non-joiner between letters that join, ignoring marks between them. */
const breaksJoin = (points: Points, index: number): boolean =>
  joinsNext(firstBeyond(points, index, -1)) && joinsPrevious(firstBeyond(points, index, 1));

function firstBeyond(points: Points, index: number, step: 1 | -1): number {
  let at = index + step;
  while (isTransparent(points[at] ?? -1)) at += step;
  return points[at] ?? -1;
}

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
  if (directions[0] !== 'rtl')
    return `a userName with right-to-left characters must begin with a right-to-left letter, not ${at(0)}`;
  if (has('ltr'))
    return `${at(directions.indexOf('ltr'))} is not allowed in a userName that begins with a right-to-left letter`;
  if (has('arabic number') && has('european number'))
    return `${at(directions.indexOf('arabic number'))} is not allowed in a userName with European digits`;
  const last = directions.findLastIndex((direction) => direction !== 'nonspacing');
  if (directions[last] === 'neutral')
    return `a right-to-left userName must end with a letter or a digit, not ${at(last)}`;
  return undefined;
}
