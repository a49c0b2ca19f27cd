import { lowerCasePoints } from '../../unicode/case-mapping.ts';
import { codePoints, mappingOf, setOf } from '../../unicode/code-points.ts';
import { findBidiFault, findClassFault } from '../../unicode/precis.ts';
import * as tables from '../../unicode/tables.ts';

/**
 * The number stored beside a mapped name. Raise it with any change of the mapping or of the tables:
 * names mapped before the change must be mapped again before they may be compared with new ones.
 */
export const mappingVersion = 1;

const width = mappingOf(tables.width);
const isUnassigned = setOf(tables.unassigned);

const printableAscii = /^[!-~]+$/;

/**
 * Names are equal if this mapping of them is: RFC 8265, section 3.3 (UsernameCaseMapped), without its checks. Total: invalid names
 * are mapped too, so that looking one up finds no user.
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
 * Returns the reason why the profile refuses the name; undefined when it allows it. The reason is about the mapped name, which
 * RFC 8265, section 3.3.3 checks, and names its first offending code point. The length is checked elsewhere.
 * The string class and the directionality rule must both hold; the class comes first, since its reason points at one code point.
 */
export function findUserNameFault(name: string): string | undefined {
  if (printableAscii.test(name)) return undefined;
  if (name === '') return 'a userName must not be empty';
  const mapped = mapUserName(name);
  const points = codePoints(mapped);
  const reason = findClassFault(points) ?? findBidiFault(points);
  if (reason !== undefined) return reason;
  // RFC 8264, section 7 rejects names that never become stable; no name is known to get here with these tables.
  return mapUserName(mapped) === mapped ? undefined : 'a userName must not change when mapped again';
}
