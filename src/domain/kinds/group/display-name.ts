import { lowerCasePoints } from '../../unicode/case-mapping.ts';
import { codePoints, label, setOf } from '../../unicode/code-points.ts';
import { isJoiner } from '../../unicode/precis.ts';
import * as tables from '../../unicode/tables.ts';

/**
 * The number stored beside a mapped name, as part of that of all names (find/keys.ts). Raise it with any change of the mapping or of the
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

/** Zero-width characters, bidirectional controls and blank letters: names that differ by them look the same. */
const invisible =
  /[\u00AD\u061C\u115F\u1160\u180E\u200B-\u200F\u202A-\u202E\u2060-\u206F\u3164\uFEFF\uFFA0]|[\u{E0000}-\u{E007F}]|\u034F/u;

/** Between emoji a joiner makes one of them. */
const emojiJoiner =
  /(?<=\p{Extended_Pictographic}|\uFE0F|[\u{1F3FB}-\u{1F3FF}])\u200D(?=\p{Extended_Pictographic})/gu;

/** A variation selector that changes no symbol and no ideograph is invisible. */
const idleSelector =
  /(?<!\p{S}|\p{Extended_Pictographic}|\p{Script=Han})(?:[\uFE00-\uFE0F]|[\u{E0100}-\u{E01EF}])(?!\u20E3)/u;

/** @returns the end of a violation, undefined for a name that a new group may have */
export function findDisplayNameFault(name: string): string | undefined {
  if (/^\s|\s$/u.test(name)) return 'must not begin or end with a space';
  if (ascii.test(name)) return undefined;
  const points = codePoints(name.replace(emojiJoiner, ''));
  const found =
    points.find((point, at) => invisible.test(String.fromCodePoint(point)) && !isJoiner(points, at)) ??
    idleSelector.exec(name)?.[0].codePointAt(0);
  return found === undefined ? undefined : `has ${label(found)}, which is invisible`;
}
