/**
 * The use cases: list, read, create, replace, change and delete. Each checks the caller's scope, whether or not an adapter has
 * checked it, and throws only DomainError on purpose.
 *
 * A write comes in as plain values. `user/build-user.ts` checks them against the schema (`user/user.ts`) and then against the rules
 * that a schema cannot express, `meta.ts` adds dates and a version, and the result is a `StoredUser`: canonical JSON, printed once,
 * which is stored and sent unchanged. A store (`ports.ts`) compares the version in the same step that writes, so that no update is
 * lost. A list is described by conditions, an order and a place in it (`find/`).
 *
 * The folders, from the bottom:
 * - `base/`: errors, plain values, the schema validator;
 * - `unicode/`: tables, case mapping, folding, PRECIS, the bidi rule. Skip it on a first reading;
 * - `user/`: the schema, its annotations, validation, merge patch, the stored user;
 * - `find/`: filters, sorts, search, and the keys by which stores index users;
 * - `import/`: files of users, in batches of planned rows (`import-users.ts` first); copying one store into another.
 */

import { DomainError, isCode, userChanged, userNotFound } from './base/errors.ts';
import { type Position, positionOf, type Sort } from './find/sorts.ts';
import { firstMeta, mendMeta, nextMeta } from './meta.ts';
import type { Clock, Conditions, Count, Ids, Principal, UserQuery, UserStore } from './ports.ts';
import { authorize } from './scopes.ts';
import { assembleUser, assertSameId, checkPatch, readEdited, readInput } from './user/build-user.ts';
import { mergePatch } from './user/merge-patch.ts';
import type { StoredUser } from './user/stored-user.ts';
import type { User, UserInput } from './user/user.ts';

/** Returns true when the write may go on. `current` is the user at that instant; undefined when it is damaged. */
export type Precondition = (current: Pick<User, 'meta'> | undefined) => boolean;

/** An edit returns it to leave the user as it is: nothing is written, and `meta` stays too. */
export const unchanged = Symbol('unchanged');

/**
 * Returns or resolves with the whole new user, in which `meta` is ignored, or with `unchanged`. `current` is a copy, which it may change
 * and return.
 */
export type Edit = (current: User) => unknown;

/** Users read from the store at a time. Larger batches are slower, too. */
const batchSize = 64;

/** A list holds at most this many times 16 KiB. */
const maxBatchSize = 100;

/** Attempts of one write; each one fails only because another write of the same user succeeded. */
const maxAttempts = 1000;

export interface Walk extends Conditions {
  readonly sort?: Sort | undefined;
}

export interface Users {
  /**
   * All users that match, in their order, a batch at a time: the next is read only when it is asked for.
   * @param walk.after begins behind this place
   * @param walk.skip skips so many users behind it, counted at the time of reading
   * @param walk.backward in reverse order, from the end of the list or from the users in front of `after`
   * @param walk.limit of the whole list; none when left out
   * @param walk.atOnce called before each batch, for its size: for callers that know how large the users are; 64 by default, 100 at most
   * @throws DomainError `query-too-costly`
   */
  list(
    principal: Principal,
    walk: Walk & {
      after?: Position | undefined;
      backward?: boolean | undefined;
      skip?: number | undefined;
      limit?: number | undefined;
      atOnce?: () => number;
    },
  ): AsyncGenerator<StoredUser[], void, undefined>;
  /**
   * Finds the place behind which a page begins that ends in front of `before`; undefined for the first page of the list.
   * @param walk.before the end of the list when it is left out
   * @throws DomainError `query-too-costly`
   */
  findPageBefore(
    principal: Principal,
    walk: Walk & { before?: Position | undefined; limit: number },
  ): Promise<Position | undefined>;
  /** How many match, exactly up to `most`. @throws DomainError `query-too-costly` */
  count(principal: Principal, conditions: Count): Promise<number>;
  /** The user may be damaged, as in a list: its `user`, `text` and `meta` then throw DomainError `damaged-user`. @throws DomainError `user-not-found` */
  read(principal: Principal, id: string): Promise<StoredUser>;
  /**
   * @param condition called after validation and before the store is queried; may throw to prevent the creation
   * @throws DomainError `invalid-user`, `id-taken`, `user-name-taken`
   */
  create(principal: Principal, input: unknown, condition?: () => void): Promise<StoredUser>;
  /** Also of a damaged user. @throws DomainError in this order: `invalid-user`, `user-not-found`, `precondition-failed`, `user-name-taken` */
  replace(principal: Principal, id: string, input: unknown, precondition?: Precondition): Promise<StoredUser>;
  /**
   * Reads, edits and writes as one atomic step. `edit` is called again with the newer user after a concurrent write, so it must
   * have no side effects; its errors are passed on, with nothing changed. The precondition is evaluated before each call.
   * @throws DomainError `user-not-found`, `precondition-failed`, `damaged-user`, `invalid-user`, `user-name-taken`, in this order
   */
  change(principal: Principal, id: string, edit: Edit, precondition?: Precondition): Promise<StoredUser>;
  /** RFC 7396 on the user's members, as a `change`; but violations of the patch by itself are reported first. */
  patch(principal: Principal, id: string, patch: unknown, precondition?: Precondition): Promise<StoredUser>;
  /** @throws DomainError `user-not-found`, `precondition-failed` */
  remove(principal: Principal, id: string, precondition?: Precondition): Promise<void>;
  /** Returns when requests can be served. @throws DomainError `unavailable` */
  check(): Promise<void>;
}

export function users(store: UserStore, clock: Clock, ids: Ids): Users {
  async function findExisting(id: string): Promise<StoredUser> {
    const user = await store.find(id);
    if (user === undefined) throw userNotFound();
    return user;
  }

  /** Repeats after concurrent writes, so that the precondition holds for exactly the user that is overwritten. */
  async function write<T>(
    id: string,
    precondition: Precondition | undefined,
    attempt: (user: StoredUser) => Promise<T | undefined>,
  ): Promise<T> {
    for (let attempts = 0; attempts < maxAttempts; attempts += 1) {
      const user = await findExisting(id);
      if (precondition?.(user.isDamaged ? undefined : user) === false) throw userChanged();
      const done = await attempt(user);
      if (done !== undefined) return done;
    }
    throw new DomainError('unavailable', 'Too many others are writing this user.');
  }

  /** Stands in for a meta that is not known yet, to measure the size of a user. */
  const anyMeta = firstMeta(clock.now(), ids.version());

  const update = (
    id: string,
    precondition: Precondition | undefined,
    input: (current: StoredUser) => UserInput | Promise<UserInput | undefined>,
  ) =>
    write(id, precondition, async (current) => {
      const given = await input(current);
      if (given === undefined) return current;
      const now = clock.now();
      // A damaged user whose `active` is unreadable becomes inactive: replacing it must not let the person in.
      const { active, meta } = current.isDamaged
        ? { active: current.remains.active === true, meta: mendMeta(current.remains.meta, now) }
        : current.user;
      const next = assembleUser(id, given, active, nextMeta(meta, now, ids.version()));
      return (await store.replace(next, current.version)) ? next : undefined;
    });

  const change = (id: string, precondition: Precondition | undefined, edit: Edit) =>
    update(id, precondition, async (current) => {
      const edited = await edit(current.copy());
      return edited === unchanged ? undefined : readEdited(edited, current.user);
    });

  return {
    async *list(
      principal,
      { after, skip, limit = Number.POSITIVE_INFINITY, atOnce = () => batchSize, ...walk },
    ) {
      authorize(principal, 'list');
      const list = {};
      let from: Pick<UserQuery, 'after' | 'skip'> = { after, skip };
      for (let left = limit; left > 0; ) {
        const wanted = Math.min(left, maxBatchSize, atOnce());
        const batch = await store.list({ ...walk, ...from, list, limit: wanted, client: principal.id });
        const last = batch.at(-1);
        if (last !== undefined) yield batch;
        if (last === undefined || batch.length < wanted) return;
        from = { after: positionOf(last, walk.sort) };
        left -= batch.length;
      }
    },

    async findPageBefore(principal, { before, limit, ...walk }) {
      authorize(principal, 'list');
      // Users of the page are skipped, which costs less than reading them.
      const behind = { after: before, backward: true, skip: limit, limit: 1 };
      const [user] = await store.list({ ...walk, ...behind, client: principal.id });
      return user && positionOf(user, walk.sort);
    },

    async count(principal, conditions) {
      authorize(principal, 'list');
      return await store.count({ ...conditions, client: principal.id });
    },

    async read(principal, id) {
      authorize(principal, 'read');
      // `await`: returning the promise itself would take three more microtasks.
      return await findExisting(id);
    },

    async create(principal, input, condition) {
      authorize(principal, 'create');
      const given = readInput(input);
      const user = assembleUser(given.id ?? ids.userId(), given, true, firstMeta(clock.now(), ids.version()));
      condition?.();
      await store.insert(user);
      return user;
    },

    async replace(principal, id, input, precondition) {
      authorize(principal, 'replace');
      assertSameId(input, id);
      const given = await readReplacement(input, id);
      try {
        return await update(id, precondition, () => given);
      } catch (error) {
        // A user that is too large is reported first (422 before 404); measuring takes time, so only after a failure.
        if (!isCode(error, 'outcome-unknown')) assembleUser(id, given, false, anyMeta);
        throw error;
      }
    },

    async change(principal, id, edit, precondition) {
      authorize(principal, 'change');
      return change(id, precondition, edit);
    },

    async patch(principal, id, patch, precondition) {
      authorize(principal, 'patch');
      assertSameId(patch, id);
      const given = checkPatch(patch);
      return change(id, precondition, (current) => mergePatch(current, given));
    },

    async remove(principal, id, precondition) {
      authorize(principal, 'remove');
      await write(id, precondition, async (user) => (await store.remove(id, user.version)) || undefined);
    },

    check: () => store.check(),
  };

  /** Reports violations before the store is queried (422 before 404), except in members that are unchanged. */
  async function readReplacement(input: unknown, id: string) {
    try {
      return readInput(input);
    } catch (error) {
      const stored = await store.find(id);
      if (stored === undefined || stored.isDamaged) throw error;
      return readInput(input, stored.user);
    }
  }
}
