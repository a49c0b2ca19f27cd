/** The code points that names may have: the IdentifierClass of PRECIS (RFC 8264 §4.2), by pinned Unicode tables. */
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

function dependsOnWholeName(point: number): boolean {
  return point === katakanaMiddleDot || isArabicIndic(point) || isExtendedArabicIndic(point);
}

/** RFC 5892, appendices A.7 to A.9, once for each name: once for each digit would be quadratic. */
function findWholeNameFault(points: Points): string | undefined {
  if (points.includes(katakanaMiddleDot) && !points.some(isKanaOrHan)) {
    return `${label(katakanaMiddleDot)} is allowed in a userName only with Hiragana, Katakana or Han`;
  }
  const arabic = points.findIndex(isArabicIndic);
  const extended = points.findIndex(isExtendedArabicIndic);
  if (arabic < 0 || extended < 0) return undefined;
  const [one, other] = arabic < extended ? [arabic, extended] : [extended, arabic];
  return `${label(points[one] as number)} is not allowed in a userName with ${label(points[other] as number)}`;
}

/** A zero width non-joiner between letters that join, ignoring marks between them. */
function breaksJoin(points: Points, index: number): boolean {
  return joinsNext(firstBeyond(points, index, -1)) && joinsPrevious(firstBeyond(points, index, 1));
}

function firstBeyond(points: Points, index: number, step: 1 | -1): number {
  let at = index + step;
  while (isTransparent(points[at] ?? -1)) at += step;
  return points[at] ?? -1;
}
