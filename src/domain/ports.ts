/** The ports of the use cases, with the promises that every adapter keeps, failures included. */

import type { DomainError } from './base/errors.ts';
import type { Condition } from './find/conditions.ts';
import type { FilterName } from './find/filters.ts';
import type { Position, Sort } from './find/sorts.ts';
import type { Scope } from './scopes.ts';
import type { StoredUser } from './user/stored-user.ts';

/** Which users are asked for, and who asks. */
export interface Conditions {
  /** Meant for some hundred conditions: what a query costs grows with their number. */
  readonly where: Condition;
  /** The principal's id: a store that works in steps shares its turns between clients. */
  readonly client?: string | undefined;
  /** Whether the client has closed its connection: a query that has not begun may then be `unavailable`. */
  readonly hasLeft?: (() => boolean) | undefined;
}

/** One step of a walk through the users. */
export interface UserQuery extends Conditions {
  /** By id where it is left out. */
  readonly sort?: Sort | undefined;
  /** Only users that come after this place, in the direction of the walk. Left out, from the first one on. */
  readonly after?: Position | undefined;
  /** Walks from the list's end to its beginning: the nearest to `after` comes first. */
  readonly backward?: boolean | undefined;
  /** Passes over so many first of those that match and come after `after`: an integer, 0 or more. Beyond the end there is nobody. */
  readonly skip?: number | undefined;
  /** At most this many users. */
  readonly limit: number;
  /** Batches of one list name the same object: what was found for the first may serve the others, each user checked again. */
  readonly list?: object | undefined;
}

export interface Count extends Conditions {
  /** Where more match, any larger number will do: to count further is in vain. */
  readonly most?: number | undefined;
}

/** One write of a batch: with a version as `replace`, without one as `insert`. */
export interface UserWrite {
  readonly user: StoredUser;
  readonly version?: string | undefined;
}

/** How a write of a batch ended: `stale` where `replace` is false, else the error that the write alone would have thrown. */
export type WriteOutcome = 'done' | 'stale' | DomainError;

/**
 * Where users are kept. Held to its word by test/contract/user-store.ts, over every adapter.
 *
 * Any method may throw DomainError `unavailable` (nothing was changed); a write may throw `outcome-unknown`.
 * A write that returns is durable and visible to every later read through any process on the same store.
 * Of a user that is passed in, its text is stored, as it is; what is returned is never shared.
 */
export interface UserStore {
  /** Undefined when there is no such user. */
  find(id: string): Promise<StoredUser | undefined>;
  /** Those of them who are there, by their ids. Meant for some hundred. */
  findAll(ids: readonly string[]): Promise<ReadonlyMap<string, StoredUser>>;
  /** Whom the filter finds by these keys, at most `limit` for each, by the keys. A key that finds nobody is left out. Meant for some hundred. */
  findAllBy(
    filter: FilterName,
    keys: readonly string[],
    limit: number,
  ): Promise<ReadonlyMap<string, readonly StoredUser[]>>;
  /**
   * In the order of `sort`, with whoever lacks its value last; damaged users do. A user that is there throughout a traversal by
   * `after`, and whose key doesn't change, appears in it exactly once. Holds no lock. Others get their turn meanwhile, however
   * many users are looked at or passed over.
   * @throws DomainError `query-too-costly`
   */
  list(query: UserQuery): Promise<StoredUser[]>;
  /** How many users `list` would give without a limit; exact up to `most`, as of the reading. @throws DomainError `query-too-costly` */
  count(conditions: Count): Promise<number>;
  /** @throws DomainError `id-taken`, `user-name-taken` (compared as mapped, see user-name.ts) */
  insert(user: StoredUser): Promise<void>;
  /**
   * Reads hand out damaged users like others: what is damaged shows where it is looked into. `StoredUser.version` is what the
   * two below compare, which a damaged one has too.
   *
   * Puts `user` in the place of the user with its id, if that one still has `version`: compared and set at once.
   * False when it has another version by now or is gone.
   * @throws DomainError `user-name-taken`
   */
  replace(user: StoredUser, version: string): Promise<boolean>;
  /**
   * Many writes for little more than the price of one; in any order, each as if alone. Meant for some hundred: others who write
   * meanwhile wait for one batch at most. One outcome for each, in the order of `writes`.
   */
  writeAll(writes: readonly UserWrite[]): Promise<readonly WriteOutcome[]>;
  /** Removes the user if it still has `version`; false as in `replace`. */
  remove(id: string, version: string): Promise<boolean>;
  /** A note beside the users, such as that of a completed copy; undefined when there is none. For commands, not for requests. */
  mark(name: string): Promise<string | undefined>;
  /** Durable; overwrites an earlier value. */
  setMark(name: string, value: string): Promise<void>;
  /** Returns when the store can serve. @throws DomainError `unavailable` */
  check(): Promise<void>;
  /** Lets what was accepted finish, then gives back every handle. Calling it again does nothing. */
  close(): Promise<void>;
}

/** Who asks, as far as a directory of services needs to know. */
export interface Principal {
  /** Of the client, as whoever gave it its credentials calls it: an API key's id, or what a token says. Fit for a log. */
  readonly id: string;
  readonly scopes: ReadonlySet<Scope>;
}

/**
 * Proves who asks, from what came with this very request; remembers nothing about earlier ones.
 * Held to its word by test/contract/authenticator.ts.
 */
export interface Authenticator {
  /** The authentication scheme (RFC 9110 §11.1) it answers for, in the spelling of its challenge. */
  readonly scheme: 'Bearer' | 'Basic';
  /**
   * A promise only when something has to be fetched first: otherwise it returns or throws at once.
   * @param credentials what follows the scheme's name
   * @throws DomainError `unauthenticated`, with a message fit for the client, or `unavailable` when there is
   *   no usable key to judge by
   */
  authenticate(credentials: string): Principal | Promise<Principal>;
  close(): Promise<void>;
}

export interface Clock {
  now(): Date;
}

/** Values never given out before, by any process. */
export interface Ids {
  /** A UUIDv7 (RFC 9562 §5.7): ids made later come later in order. */
  userId(): string;
  /** An opaque token of fixed length, random, so that it doesn't come back after a restore or a rollback either. */
  version(): string;
}
