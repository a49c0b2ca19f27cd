/**
 * What a caller may see and write: the whole directory or, with an access profile, some of its resources and some of their members.
 *
 * `access/profile.ts` makes an `Access` from the rules of a profile. A principal carries it from authentication on, and the use cases apply it
 * in two places: `access/limited-store.ts` shows them a store in which everything outside of the filter is missing, and a projection
 * (resource/projection.ts) hides members of what is inside. `resource/build.ts` checks what a caller writes.
 */

import type { MemberAccess } from '../resource/resource.ts';
import type { KindName } from '../validation/errors.ts';
import type { Condition } from './conditions.ts';

/** Names of members in the dotted form of CSV (`enterprise.department`), or all. */
export type MemberNames = '*' | readonly string[];

/** The members of one kind in the rules of a profile. */
export interface NamedMembers {
  /** The visible members. */
  readonly read: MemberNames;
  /** Members that are hidden although `read` names them or an object that contains them. */
  readonly except?: readonly string[] | undefined;
  /** The members that may be changed, if they are visible. Left out: none. A new resource may have all visible ones. */
  readonly write?: MemberNames | undefined;
}

/** What a profile allows for the resources of one kind. The members of a group are its member `members`. */
export interface KindAccess extends MemberAccess {
  /** Only resources that match exist for the caller: without a filter all of them, none of a kind that the profile leaves out. */
  readonly where: Condition;
  /** Identifies the filter, in entries of the change log: the same for equal filters. Undefined without a filter. */
  readonly filterMark: string | undefined;
  /** Also for people and programs that ask what they may do. */
  readonly named: NamedMembers;
  readonly mayCreate: boolean;
  readonly mayDelete: boolean;
}

export interface Access {
  /** The profile's name. */
  readonly profile: string;
  /** Identifies the current rules of the profile: letters, digits, `-` and `_`. Entity tags and cursors have it. */
  readonly mark: string;
  /** @throws RangeError for an unknown name */
  of(kind: KindName): KindAccess;
}

/** The profiles of an installation as they are now: an operator changes them while the service runs. */
export interface Profiles {
  /** @throws DomainError `unavailable` if the profiles can't be read */
  find(name: string): Access | undefined;
  /** While the profiles can't be read: the last ones. */
  readonly all: readonly Access[];
}
