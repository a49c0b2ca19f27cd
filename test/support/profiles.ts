/** Access profiles for tests. */

import { parseProfiles } from '../../src/config/profile-file.ts';
import { type KindRules, makeAccess } from '../../src/domain/access/profile.ts';
import type { Access } from '../../src/domain/find/access.ts';
import { kindsOf } from '../../src/domain/kinds.ts';

/** By the name of the kind; kinds that are left out are not there for the caller. */
export type Rules = Readonly<Record<string, KindRules>>;

let made = 0;

export const profileOf = (rules: Rules): Access =>
  makeAccess(kindsOf(), 'tested', new Map(Object.entries(rules)), () => `mark${++made}`);

/** By name. @param profiles the member of the file */
export function profilesIn(profiles: string): ReadonlyMap<string, Access> {
  const found = parseProfiles(kindsOf(), `{ profiles: ${profiles} }`);
  if (found instanceof Map) return found;
  throw new Error([...found].join('\n'));
}
