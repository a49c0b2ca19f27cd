/** The keys by which the users of an import's rows are looked up. */

import { isObject } from '../base/plain-values.ts';
import { canonicalUuid } from '../base/uuid.ts';
import type { User } from '../kinds/user/user.ts';
import { mapUserName } from '../kinds/user/user-name.ts';
import type { ImportRow, ImportRules, MatchMember } from './import-users.ts';

/** A query of the store. */
export interface Lookup {
  readonly by: MatchMember;
  /** As the filters' keys: of a userName, as mapped. */
  readonly key: string;
}

/** In UTF-16 code units: longer than any key. It keeps megabytes out of queries. */
const maxKeyLength = 1024;

/** Empty counts as absent, as everywhere. */
export function textOf(value: unknown, member: MatchMember): string | undefined {
  const text = isObject(value) && Object.hasOwn(value, member) ? value[member] : undefined;
  return typeof text === 'string' && text !== '' ? text : undefined;
}

export const idOf = (value: unknown): string | undefined => {
  const id = textOf(value, 'id');
  return id && (canonicalUuid(id) ?? id);
};

function findMatch(value: unknown, match: MatchMember): Lookup | undefined {
  if (match === 'externalId') {
    const key = textOf(value, match);
    return key === undefined ? undefined : { by: match, key };
  }
  const id = match === 'id' ? idOf(value) : undefined;
  if (id !== undefined) return { by: 'id', key: id };
  const name = textOf(value, 'userName');
  return name === undefined ? undefined : { by: 'userName', key: name };
}

/** The key of the row's user; undefined where no user can match. */
export function lookupOf({ value, violations }: ImportRow, { match }: ImportRules): Lookup | undefined {
  const lookup = violations.length > 0 ? undefined : findMatch(value, match);
  if (lookup === undefined || lookup.key.length > maxKeyLength) return undefined;
  return lookup.by === 'userName' ? nameOf({ userName: lookup.key }) : lookup;
}

export const nameOf = ({ userName }: Pick<User, 'userName'>): Lookup => ({
  by: 'userName',
  key: mapUserName(userName),
});

/** The keys of a user. */
export function listTouched(id: string, user: Pick<User, 'userName' | 'externalId'>): Lookup[] {
  const touched: Lookup[] = [{ by: 'id', key: id }, nameOf(user)];
  if (user.externalId !== undefined) touched.push({ by: 'externalId', key: user.externalId });
  return touched;
}
