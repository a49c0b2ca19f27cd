/**
 * The use cases. Each checks the caller's scope itself, whatever an adapter has checked before, and each
 * throws DomainError and nothing else on purpose.
 */
import { changed, DomainError, isCode, notFound } from './errors.ts';
import type { Filters } from './filters.ts';
import { mergePatch } from './merge-patch.ts';
import { firstMeta, mendedMeta, nextMeta } from './meta.ts';
import type { Clock, Ids, Principal, UserStore } from './ports.ts';
import { authorize } from './scopes.ts';
import type { StoredUser } from './stored-user.ts';
import type { User, UserInput } from './user.ts';
import { checkPatch, readEdited, readInput, sameId, wholeUser } from './user-input.ts';

/** Says whether a write may go on, given the user as it stands at that instant; undefined when that one is damaged. */
export type Precondition = (current: Pick<User, 'meta'> | undefined) => boolean;

/** What shall stand in the place of `current`: the whole user, in which `meta` is ignored. Gets a value of its own, which it may change. */
export type Edit = (current: User) => unknown;

/** Users read from the store in one step of a walk; bounds what a walk holds in memory: this many times 16 KiB. More at once are slower, too. */
const batchSize = 64;

/** How often a write starts anew because another came first. Each time some writer got through, so nobody waits in vain. */
const maxAttempts = 1000;

export interface Users {
  /**
   * All users that match, in id order, a batch at a time: the next is read only when it is asked for.
   * @param walk.limit how many at most in all; all there are when left out
   * @param walk.atOnce asked before each step, how many it may read: for callers that know how large the users are. 64 at most
   */
  list(
    principal: Principal,
    walk: {
      filters: Filters;
      after?: string | undefined;
      limit?: number | undefined;
      atOnce?: () => number;
    },
  ): AsyncGenerator<StoredUser[], void, undefined>;
  /** What is handed out may be damaged, as in a list: it throws DomainError `damaged-user` when it is looked into. @throws DomainError `user-not-found` */
  read(principal: Principal, id: string): Promise<StoredUser>;
  /**
   * @param condition called when the user is right, before the store is asked; what it throws ends it
   * @throws DomainError `invalid-user`, `id-taken`, `user-name-taken`
   */
  create(principal: Principal, input: unknown, condition?: () => void): Promise<StoredUser>;
  /** Also in a damaged one's place. @throws DomainError `invalid-user`, `user-not-found`, `precondition-failed`, `user-name-taken`, in this order */
  replace(principal: Principal, id: string, input: unknown, precondition?: Precondition): Promise<StoredUser>;
  /**
   * What others know as read, edit and write, as one step: `edit` is called with the user as it stands, and again with the newer one
   * when another write came between, so it must do nothing but return; what it throws ends it, with nothing changed. The precondition
   * is asked before each call, of the same user: atomic with or without it.
   * @throws DomainError `user-not-found`, `precondition-failed`, `damaged-user`, `invalid-user`, `user-name-taken`, in this order
   */
  change(principal: Principal, id: string, edit: Edit, precondition?: Precondition): Promise<StoredUser>;
  /** RFC 7396 on the user's members, as a `change`; what is wrong with the patch by itself is told first. */
  patch(principal: Principal, id: string, patch: unknown, precondition?: Precondition): Promise<StoredUser>;
  /** @throws DomainError `user-not-found`, `precondition-failed` */
  remove(principal: Principal, id: string, precondition?: Precondition): Promise<void>;
  /** Whether requests can be served. @throws DomainError `unavailable` */
  check(): Promise<void>;
}

export function users(store: UserStore, clock: Clock, ids: Ids): Users {
  async function existing(id: string): Promise<StoredUser> {
    const user = await store.find(id);
    if (user === undefined) throw notFound();
    return user;
  }

  /** Reads, decides and writes until no other write came in between: the precondition holds of what was overwritten. */
  async function write<T>(
    id: string,
    precondition: Precondition | undefined,
    attempt: (user: StoredUser) => Promise<T | undefined>,
  ): Promise<T> {
    for (let attempts = 0; attempts < maxAttempts; attempts += 1) {
      const user = await existing(id);
      if (precondition?.(user.isDamaged ? undefined : user) === false) throw changed();
      const done = await attempt(user);
      if (done !== undefined) return done;
    }
    throw new DomainError('unavailable', 'Too many others are writing this user.');
  }

  /** In place of one that is not known yet, where only the length counts. */
  const anyMeta = firstMeta(clock.now(), ids.version());

  const update = (
    id: string,
    precondition: Precondition | undefined,
    input: (current: StoredUser) => UserInput,
  ) =>
    write(id, precondition, async (current) => {
      const given = input(current);
      const now = clock.now();
      // Of a damaged one it may not be known whether it was active: then nobody is let in by mending it.
      const { active, meta } = current.isDamaged
        ? { active: current.remains.active === true, meta: mendedMeta(current.remains.meta, now) }
        : current.user;
      const next = wholeUser(id, given, active, nextMeta(meta, now, ids.version()));
      return (await store.replace(next, current.version)) ? next : undefined;
    });

  const change = (id: string, precondition: Precondition | undefined, edit: Edit) =>
    update(id, precondition, (current) => readEdited(edit(current.copy()), current.user));

  return {
    async *list(principal, { filters, after, limit = Number.POSITIVE_INFINITY, atOnce = () => batchSize }) {
      authorize(principal, 'list');
      let from = after;
      for (let left = limit; left > 0; ) {
        const wanted = Math.min(left, batchSize, atOnce());
        const batch = await store.list({ filters, after: from, limit: wanted });
        if (batch.length > 0) yield batch;
        if (batch.length < wanted) return;
        from = batch.at(-1)?.id;
        left -= batch.length;
      }
    },

    async read(principal, id) {
      authorize(principal, 'read');
      // Waited for here: a promise handed on by another takes three turns to arrive.
      return await existing(id);
    },

    async create(principal, input, condition) {
      authorize(principal, 'create');
      const given = readInput(input);
      const user = wholeUser(given.id ?? ids.userId(), given, true, firstMeta(clock.now(), ids.version()));
      condition?.();
      await store.insert(user);
      return user;
    },

    async replace(principal, id, input, precondition) {
      authorize(principal, 'replace');
      sameId(input, id);
      const given = await readReplacement(input, id);
      try {
        return await update(id, precondition, () => given);
      } catch (error) {
        // Its size is told before what only the store knows (422 before 404), but looked at only where it comes to that.
        if (!isCode(error, 'outcome-unknown')) wholeUser(id, given, false, anyMeta);
        throw error;
      }
    },

    async change(principal, id, edit, precondition) {
      authorize(principal, 'change');
      return change(id, precondition, edit);
    },

    async patch(principal, id, patch, precondition) {
      authorize(principal, 'patch');
      sameId(patch, id);
      const given = checkPatch(patch);
      return change(id, precondition, (current) => mergePatch(current, given));
    },

    async remove(principal, id, precondition) {
      authorize(principal, 'remove');
      await write(id, precondition, async (user) => (await store.remove(id, user.version)) || undefined);
    },

    check: () => store.check(),
  };

  /** Wrong input is told before the store is asked (422 before 404), unless what is wrong may be what stands there already. */
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
