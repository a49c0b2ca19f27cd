/**
 * When a user may sign in: from `validFrom` on, and before `validUntil`. `active` stays the answer to "may this user sign in"; it follows
 * when one of the instants comes (../../follow-time.ts).
 *
 * A user that was written after `validFrom` has begun: from then on, deactivating it is final.
 */

import type { TimeRules } from '../../resource/build.ts';
import { beInstant } from '../../validation/attribute-types.ts';
import type { Violation } from '../../validation/errors.ts';
import { canonicalDate } from '../../validation/plain-values.ts';
import type { User } from './user.ts';

type Validity = Partial<Pick<User, 'active' | 'validFrom' | 'validUntil'>>;

/** Stored instants are in UTC, with milliseconds: their order is that of the texts. */
function findOutside({ validFrom, validUntil }: Validity, at: string): string | undefined {
  if (validFrom !== undefined && at < validFrom) return `before validFrom, ${validFrom}`;
  if (validUntil !== undefined && at >= validUntil) return `from validUntil on, ${validUntil}`;
  return undefined;
}

const isSame = (one: Validity, other: Validity): boolean =>
  one.active === other.active && one.validFrom === other.validFrom && one.validUntil === other.validUntil;

function nextAt({ active, validFrom, validUntil, meta }: User): string | undefined {
  if (active) return validUntil;
  return validFrom !== undefined && validFrom > meta.lastModified ? validFrom : undefined;
}

/** A due change comes before any other write, which is then validated again. */
function isLate(user: User, at: string): boolean {
  const next = nextAt(user);
  return next !== undefined && next <= at;
}

export const userTimes: TimeRules<User> = {
  nextAt,
  follow: (user, at) => ({ active: findOutside(user, at) === undefined }),
  inherit: ({ active, ...validity }, at) => ({
    active: active === true && findOutside(validity, at) === undefined,
  }),
  findFaults(next, current, at, hides) {
    const outside = next.active ? findOutside(next, at) : undefined;
    if (outside === undefined) return [];
    const old = current();
    if (old !== undefined && (isSame(next, old) || isLate(old, at))) return [];
    const isTold = !hides('/validFrom') && !hides('/validUntil');
    return [{ pointer: '/active', detail: `must not be true ${isTold ? outside : 'now'}` }];
  },
};

/** @param user whose valid parts have the types of the schema */
export function findValidityFaults(user: Readonly<Record<string, unknown>>): Violation[] {
  const members = ['validFrom', 'validUntil'] as const;
  const wrong = members.flatMap((member): Violation[] => {
    const given = user[member];
    if (typeof given !== 'string' || canonicalDate(given) !== undefined) return [];
    return [{ pointer: `/${member}`, detail: `must ${beInstant}` }];
  });
  if (wrong.length > 0) return wrong;
  const [from, until] = members.map((member) => canonicalDate(String(user[member] ?? '')));
  if (from === undefined || until === undefined || from < until) return [];
  // A violation of a member that a write leaves unchanged is not reported.
  return [
    { pointer: '/validFrom', detail: 'must be before validUntil' },
    { pointer: '/validUntil', detail: 'must be after validFrom' },
  ];
}
