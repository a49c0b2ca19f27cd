import { lowerCasePoints } from '../unicode/case-mapping.ts';
import { codePoints, setOf } from '../unicode/code-points.ts';
import * as tables from '../unicode/tables.ts';

/**
 * The number stored beside a mapped name. Raise it with any change of the mapping or of the tables: names mapped before the change must
 * be mapped again before they may be compared with new ones.
 */
export const displayNameVersion = 1;

const isUnassigned = setOf(tables.unassigned);
const ascii = /^\p{ASCII}*$/u;

/**
 * Names are equal if this mapping of them is: lower case by the pinned tables, then NFC. Marks and compatibility forms make a difference,
 * unlike in searches. Mapping a mapped name changes nothing.
 */
export function mapDisplayName(name: string): string {
  if (ascii.test(name)) return name.toLowerCase();
  // Runtimes agree on the normalisation of the code points that were assigned when the tables were pinned, and only of those.
  const normalize = (text: string) => (codePoints(text).some(isUnassigned) ? text : text.normalize('NFC'));
  return normalize(lowerCasePoints(codePoints(normalize(name))));
}
