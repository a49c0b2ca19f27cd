import { lowerCasePoints } from '../../unicode/case-mapping.ts';
import { codePoints, label, setOf } from '../../unicode/code-points.ts';
import { isJoiner } from '../../unicode/precis.ts';
import * as tables from '../../unicode/tables.ts';

/**
 * The version of the mapping, which stores keep beside mapped names (find/keys.ts). Raise it with any change of the mapping or of the
 * tables: names mapped before the change must be mapped again before they may be compared with new ones.
 */
export const displayNameVersion = 2;

const isUnassigned = setOf(tables.unassigned);
const ascii = /^\p{ASCII}*$/u;

/**
 * Names are equal if this mapping of them is: lower case by the pinned tables, then NFC. Marks and compatibility forms make a difference,
 * unlike in searches. Mapping a mapped name changes nothing.
 */
export function mapDisplayName(name: string): string {
  if (ascii.test(name)) return name.toLowerCase();
  return normalize(lowerCasePoints(codePoints(normalize(name))));
}

/** Runtimes agree on NFC of code points that were assigned when the tables were pinned: only the runs of these are normalized. */
function normalize(text: string): string {
  const points = codePoints(text);
  if (!points.some(isUnassigned)) return text.normalize('NFC');
  let [normalized, run] = ['', ''];
  for (const point of points) {
    const character = String.fromCodePoint(point);
    if (isUnassigned(point)) {
      normalized += run.normalize('NFC') + character;
      run = '';
    } else run += character;
  }
  return normalized + run.normalize('NFC');
}

/** Characters that make names differ invisibly: characters without a shape, controls and line breaks. */
const isInvisible = setOf(tables.invisible);
const isSpace = setOf(tables.space);

/** Between emoji, a joiner combines them into one. */
const emojiJoiner =
  /(?<=\p{Extended_Pictographic}|\uFE0F|[\u{1F3FB}-\u{1F3FF}])\u200D(?=\p{Extended_Pictographic})/gu;

/** Variation selectors that change a symbol, an ideograph or a letter of Mongolian. */
const selectors =
  /(?<=\p{S}|\p{Extended_Pictographic}|\p{Script=Han})[\uFE00-\uFE0F\u{E0100}-\u{E01EF}]|[\uFE00-\uFE0F](?=\u20E3)|(?<=\p{Script=Mongolian})[\u180B-\u180D\u180F]/gu;

/** Beside another space, a special space adds nothing visible. */
const isIdleSpace = (points: readonly number[], at: number): boolean =>
  points[at] !== 0x20 && [at - 1, at + 1].some((beside) => isSpace(points[beside] ?? -1));

/** @returns the end of a violation, undefined for a name that a new group may have */
export function findDisplayNameFault(name: string): string | undefined {
  if (/^\s|\s$/u.test(name)) return 'must not begin or end with a space';
  const points = codePoints(name.replace(emojiJoiner, '').replace(selectors, ''));
  for (const [at, point] of points.entries()) {
    if (isInvisible(point) && !isJoiner(points, at)) return `has ${label(point)}, which is invisible`;
    if (isSpace(point) && isIdleSpace(points, at)) return `has ${label(point)} beside another space`;
  }
  return undefined;
}
