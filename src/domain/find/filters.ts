/**
 * The filters of a list, a line each. A filter matches exactly: one of the user's keys must equal the key
 * that is asked for. Stores index the keys (see keys.ts) and know nothing else of filters.
 */

import { lowerCase } from '../unicode/case-mapping.ts';
import { fold } from '../unicode/folding.ts';
import type { User } from '../user/user.ts';
import { mapUserName } from '../user/user-name.ts';

interface Filter {
  /** The keys under which a user is found. */
  readonly keys: (user: User) => readonly string[];
  /** The key for a client's value; undefined when the value is invalid. */
  readonly key: (value: string) => string | undefined;
  /** Many users may share a key: a store may count the users of each key. */
  readonly isShared?: boolean;
}

const asIs = (value: string): string => value;

/** Folded as for `search`; undefined when nothing is left. */
const folded = (value = ''): string | undefined => fold(value) || undefined;

const foldedKeys = (value: string | undefined): readonly string[] => {
  const key = folded(value);
  return key === undefined ? [] : [key];
};

export const filters = {
  userName: { keys: (user) => [mapUserName(user.userName)], key: mapUserName },
  externalId: { keys: (user) => (user.externalId === undefined ? [] : [user.externalId]), key: asIs },
  email: { keys: (user) => user.emails?.map((email) => lowerCase(email.value)) ?? [], key: lowerCase },
  active: {
    keys: (user) => [String(user.active)],
    key: (value) => (value === 'true' || value === 'false' ? value : undefined),
    isShared: true,
  },
  role: { keys: (user) => user.roles ?? [], key: asIs, isShared: true },
  department: { keys: (user) => foldedKeys(user.enterprise?.department), key: folded, isShared: true },
  userType: { keys: (user) => foldedKeys(user.userType), key: folded, isShared: true },
} as const satisfies Record<string, Filter>;

export type FilterName = keyof typeof filters;
export const filterNames = Object.keys(filters) as readonly FilterName[];

/** Filters whose values are shared by many users. After a change here raise `searchVersion` (search.ts): stores then rebuild their indexes. */
export const sharedFilters: ReadonlySet<string> = new Set(
  Object.entries<Filter>(filters).flatMap(([name, { isShared }]) => (isShared ? [name] : [])),
);

/** The requested keys, by filter. */
export type Filters = Readonly<Partial<Record<FilterName, string>>>;
