/** What the use cases need of the outside, and what each adapter promises, failures included. */
import type { Filters } from './filters.ts';
import type { KeptUser } from './kept-user.ts';
import type { Scope } from './scopes.ts';
import type { User } from './user.ts';

/** One step of a walk through the users, in id order. */
export interface UserQuery {
  /** All of them must match. */
  readonly filters: Filters;
  /** Only users whose id comes after this one; it need not exist. */
  readonly after?: string | undefined;
  /** At most this many users. */
  readonly limit: number;
}

/**
 * Where users are kept. Held to its word by test/contract/user-store.ts, over every adapter.
 *
 * Any method may throw DomainError `unavailable` (nothing was changed); a write may throw `outcome-unknown`.
 * A write that returns is durable and visible to every later read through any process on the same store.
 * What is passed in is never kept by reference, what is returned never shared.
 */
export interface UserStore {
  /** Undefined when there is no such user. */
  find(id: string): Promise<KeptUser | undefined>;
  /** Ids ascending. A user that is there throughout a traversal by `after` appears in it exactly once. Holds no lock. */
  list(query: UserQuery): Promise<KeptUser[]>;
  /** @throws DomainError `id-taken`, `user-name-taken` (compared as mapped, see user-name.ts) */
  insert(user: User): Promise<void>;
  /**
   * Reads hand out damaged users like others: what is damaged shows where it is looked into. `KeptUser.version` is what the
   * two below compare, which a damaged one has too.
   *
   * Puts `user` in the place of the user with its id, if that one still has `version`: compared and set at once.
   * False when it has another version by now or is gone.
   * @throws DomainError `user-name-taken`
   */
  replace(user: User, version: string): Promise<boolean>;
  /** Removes the user if it still has `version`; false as in `replace`. */
  remove(id: string, version: string): Promise<boolean>;
  /** What was noted under the name, beside the users; undefined when nothing was. For commands, not for requests. */
  mark(name: string): Promise<string | undefined>;
  /** Notes it for good, in place of what was noted before. */
  setMark(name: string, value: string): Promise<void>;
  /** Returns when the store can serve. @throws DomainError `unavailable` */
  check(): Promise<void>;
  /** Lets what was accepted finish, then gives back every handle. Calling it again does nothing. */
  close(): Promise<void>;
}

/** Who asks, as far as a directory of services needs to know. */
export interface Principal {
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
   * A promise only when something has to be fetched first: what is known is judged at once, refusals thrown.
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
