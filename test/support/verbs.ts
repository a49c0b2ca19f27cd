/**
 * A store in the words of tests: a method for each kind of write, users on the store itself, and lists that are read forwards or backwards.
 * `verbsOf` (store-verbs.ts) puts them over the port, `portOf` (stores.ts) the port over them, so that a test can replace one.
 */

import type { ChangeLog } from '../../src/domain/changes/log.ts';
import type { Condition } from '../../src/domain/find/conditions.ts';
import type { FilterName } from '../../src/domain/find/filters.ts';
import type { Position, Sort } from '../../src/domain/find/sorts.ts';
import type { GroupDocument } from '../../src/domain/kinds/group/kind.ts';
import type { User } from '../../src/domain/kinds/user/user.ts';
import type { Resource } from '../../src/domain/resource/resource.ts';
import type { Stored } from '../../src/domain/resource/stored.ts';
import type { MembersChange } from '../../src/domain/store.ts';
import type { DomainError } from '../../src/domain/validation/errors.ts';

/** The conditions of a query, and its client. */
export interface Conditions {
  /** Meant for some hundred conditions: the cost of a query grows with their number. */
  readonly where: Condition;
  /** The principal's id: a store that works in steps shares its turns between clients. */
  readonly client?: string | undefined;
  /** Whether the client has closed its connection: a query that has not begun may then be `unavailable`. */
  readonly hasLeft?: (() => boolean) | undefined;
  /**
   * All reads for one response name the same object: those by membership are `unavailable` once the group or the user that they began
   * with is deleted, or the group's members are replaced as a whole.
   */
  readonly view?: object | undefined;
}

/** One step of a traversal of users or groups. */
export interface Query extends Conditions {
  /** By id when left out. */
  readonly sort?: Sort | undefined;
  /** Only resources behind this place, in the direction of the traversal. Left out: from the first one. */
  readonly after?: Position | undefined;
  /** From the list's end to its beginning: the resource nearest to `after` comes first. */
  readonly backward?: boolean | undefined;
  /** Skips this many matches behind `after`: an integer, 0 or more. Beyond the end the list is empty. */
  readonly skip?: number | undefined;
  /** At most this many. */
  readonly limit: number;
  /** All batches of a list name the same object: a store may reuse what it found for the first, and checks each match again. */
  readonly list?: object | undefined;
}

export interface Count extends Conditions {
  /** If more match, any larger number may be returned. */
  readonly most?: number | undefined;
}

/** One write of a batch: with a version as `replace`, without one as `insert`. */
export interface UserWrite {
  readonly user: Stored<User>;
  readonly version?: string | undefined;
}

/** How a write of a batch ended: `stale` where `replace` is false, else the error that the write alone would have thrown. */
export type WriteOutcome = 'done' | 'stale' | DomainError;

/**
 * Stores the resources of one kind. Any method may throw DomainError `unavailable` (nothing was changed); a write may throw
 * `outcome-unknown`. A write that returns is durable and visible to every later read through any process on the same store.
 * Texts are stored unchanged; returned values are never shared.
 */
export interface ResourceStore<T extends Resource> {
  /** Undefined when there is none with this id. */
  find(id: string): Promise<Stored<T> | undefined>;
  /** Those with these ids, by id; unknown ids are left out. Meant for some hundred. @param client for whom, who pays for the time */
  findAll(ids: readonly string[], client?: string): Promise<ReadonlyMap<string, Stored<T>>>;
  /** Those that the filter finds, by key, at most `limit` a key. Keys that find nothing are left out. Meant for some hundred keys. */
  findAllBy(
    filter: FilterName,
    keys: readonly string[],
    limit: number,
  ): Promise<ReadonlyMap<string, readonly Stored<T>[]>>;
  /** The ids of the groups of users, or of the members of groups, by id: at most `limit` each. Ids without any are left out. */
  related(ids: readonly string[], limit: number): Promise<ReadonlyMap<string, readonly string[]>>;
  /**
   * In the order of `sort`; resources without its value come last. One that exists throughout a traversal by
   * `after`, and whose key doesn't change, appears in it exactly once. Holds no lock, and doesn't delay other requests, however many
   * are scanned or skipped.
   * @throws DomainError `query-too-costly`
   */
  list(query: Query): Promise<Stored<T>[]>;
  /** The number of matches at the time of reading; exact up to `most`. @throws DomainError `query-too-costly` */
  count(conditions: Count): Promise<number>;
  /** @throws DomainError `id-taken`, or the kind's error when another has its name (compared as mapped) */
  insert(resource: Stored<T>): Promise<void>;
  /**
   * Replaces the resource with its id, if that one still has `version` (`Stored.version`), in one atomic step.
   * False when it has another version or is gone.
   * @throws DomainError, the kind's when another has its name
   */
  replace(resource: Stored<T>, version: string): Promise<boolean>;
  /** Removes the resource if it still has `version`; false as in `replace`. */
  remove(id: string, version: string): Promise<boolean>;
}

/**
 * Stores groups and who belongs to them.
 *
 * The filter `group` of users and the filter `member` of groups, each by id, find by membership; an unknown id finds nothing. Removing a
 * user ends its memberships in the same write, and so does removing a group, at any size and without delaying other requests: readers
 * see all of its members or none.
 *
 * Changes of members lock neither group nor user: each counts, however many run at once. They alter no document, but `memberCount`, which is
 * exact, and `revision`, unless nothing changes. Their cost doesn't depend on the size of the group.
 */
export interface GroupStore extends ResourceStore<GroupDocument> {
  /** With these members, in the same step. @throws UnknownMembers */
  insert(group: Stored<GroupDocument>, members?: readonly string[]): Promise<void>;
  /** With this change of members, in the same step. @throws DomainError `invalid-members`, as `insert` */
  replace(group: Stored<GroupDocument>, version: string, members?: MembersChange): Promise<boolean>;
  /**
   * All or nothing. False when the group is gone, or has another `Stored.version` than the one given, if any.
   * @throws DomainError `invalid-members`, as `insert`
   */
  changeMembers(id: string, change: MembersChange, version?: string): Promise<boolean>;
}

/** Stores users, and groups beside them.  */
export interface UserStore extends ResourceStore<User> {
  readonly groups: GroupStore;
  /** As of the port. */
  readonly changes?: ChangeLog | undefined;
  /**
   * Many writes for little more than the cost of one; in any order, each as if alone. Meant for some hundred: other writes wait for one
   * batch at most. One outcome for each, in the order of `writes`.
   */
  writeAll(writes: readonly UserWrite[]): Promise<readonly WriteOutcome[]>;
  /** Returns when the store can serve. @throws DomainError `unavailable` */
  check(): Promise<void>;
  /** Finishes accepted operations, then releases every handle. Calling it again does nothing. */
  close(): Promise<void>;
}
