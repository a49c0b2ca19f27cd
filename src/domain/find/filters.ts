/**
 * The filters of lists, a line each. A filter matches exactly: one of the resource's keys must equal the key
 * that is asked for. Stores index the keys (see keys.ts) and know nothing else of filters, except of the two by membership.
 */

import { anyCaseUuidPattern, canonicalUuid } from '../base/uuid.ts';
import { mapDisplayName } from '../group/display-name.ts';
import type { GroupDocument } from '../group/group.ts';
import { lowerCase } from '../unicode/case-mapping.ts';
import { fold } from '../unicode/folding.ts';
import type { User } from '../user/user.ts';
import { mapUserName } from '../user/user-name.ts';

export interface Filter<T = never> {
  /** The keys under which a resource is found. Left out: the filter is by membership, which stores keep beside the documents. */
  readonly keys?: (resource: T) => readonly string[];
  /** The key for a client's value; undefined when the value is invalid. */
  readonly key: (value: string) => string | undefined;
  /** For the contract, in the place of what it says of any filter. */
  readonly description?: string;
  /** For the contract: that of the values. Left out: any text. */
  readonly pattern?: string;
  /** Many resources may share a key: a store may count those of each key. */
  readonly isShared?: boolean;
}

const asIs = (value: string): string => value;

/** Folded as for `search`; undefined when nothing is left. */
const folded = (value = ''): string | undefined => fold(value) || undefined;

const foldedKeys = (value: string | undefined): readonly string[] => {
  const key = folded(value);
  return key === undefined ? [] : [key];
};

/** Of users. */
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
  /** The members of the group with this id. */
  group: {
    key: canonicalUuid,
    isShared: true,
    pattern: anyCaseUuidPattern,
    description: 'Only members of the group with this id. Takes the scope `groups:read`, too.',
  },
} as const satisfies Record<string, Filter<User>>;

export const groupFilters = {
  displayName: { keys: (group) => [mapDisplayName(group.displayName)], key: mapDisplayName },
  externalId: { keys: (group) => (group.externalId === undefined ? [] : [group.externalId]), key: asIs },
  /** The groups of the user with this id. */
  member: {
    key: canonicalUuid,
    pattern: anyCaseUuidPattern,
    description: 'Only groups to which the user with this id belongs.',
  },
} as const satisfies Record<string, Filter<GroupDocument>>;

export type UserFilterName = keyof typeof filters;
export const filterNames = Object.keys(filters) as readonly UserFilterName[];
/** Of any kind. */
export type FilterName = UserFilterName | keyof typeof groupFilters;

/** Filters whose values many resources share. After a change here raise `searchVersion` (search.ts): stores then rebuild their indexes. */
export const sharedFilters: ReadonlySet<string> = new Set(
  Object.entries<Filter>({ ...filters, ...groupFilters }).flatMap(([name, { isShared }]) =>
    isShared ? [name] : [],
  ),
);

/** The requested keys, by filter. */
export type Filters = Readonly<Partial<Record<FilterName, string>>>;
