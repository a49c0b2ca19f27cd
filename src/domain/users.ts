/**
 * The use cases. Each checks the caller's scope itself, whatever an adapter has checked before, and each
 * throws DomainError and nothing else on purpose.
 */
import { changed, DomainError, notFound } from './errors.ts';
import type { Filters } from './filters.ts';
import type { KeptUser } from './kept-user.ts';
import { firstMeta, mendedMeta, nextMeta } from './meta.ts';
import type { Clock, Ids, Principal, UserStore } from './ports.ts';
import { authorize } from './scopes.ts';
import type { User } from './user.ts';
import { checkPatch, readInput, readPatch, sameId, wholeUser } from './user-input.ts';

/** Says whether a write may go on, given the user as it stands at that instant; undefined when that one is damaged. */
export type Precondition = (current: Pick<User, 'meta'> | undefined) => boolean;

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
  ): AsyncGenerator<KeptUser[], void, undefined>;
  /** What is handed out may be damaged, as in a list: it throws DomainError `damaged-user` when it is looked into. @throws DomainError `user-not-found` */
  read(principal: Principal, id: string): Promise<KeptUser>;
  /**
   * @param condition called when the user is right, before the store is asked; what it throws ends it
   * @throws DomainError `invalid-user`, `id-taken`, `user-name-taken`
   */
  create(principal: Principal, input: unknown, condition?: () => void): Promise<User>;
  /** Also in a damaged one's place. @throws DomainError `invalid-user`, `user-not-found`, `precondition-failed`, `user-name-taken`, in this order */
  replace(principal: Principal, id: string, input: unknown, precondition?: Precondition): Promise<User>;
  /** RFC 7396 on the user's members; atomic with or without a precondition. Throws as `replace`, and `damaged-user`. */
  patch(principal: Principal, id: string, patch: unknown, precondition?: Precondition): Promise<User>;
  /** @throws DomainError `user-not-found`, `precondition-failed` */
  remove(principal: Principal, id: string, precondition?: Precondition): Promise<void>;
  /** Whether requests can be served. @throws DomainError `unavailable` */
  check(): Promise<void>;
}

export function users(store: UserStore, clock: Clock, ids: Ids): Users {
  async function existing(id: string): Promise<KeptUser> {
    const user = await store.find(id);
    if (user === undefined) throw notFound();
    return user;
  }

  /** Reads, decides and writes until no other write came in between: the precondition holds of what was overwritten. */
  async function write<T>(
    id: string,
    precondition: Precondition | undefined,
    attempt: (user: KeptUser) => Promise<T | undefined>,
  ): Promise<T> {
    for (let attempts = 0; attempts < maxAttempts; attempts += 1) {
      const user = await existing(id);
      if (precondition?.(user.isDamaged ? undefined : user) === false) throw changed();
      const done = await attempt(user);
      if (done !== undefined) return done;
    }
    throw new DomainError('unavailable', 'Too many others are writing this user.');
  }

  const anyMeta = firstMeta(clock.now(), ids.version());

  const update = (
    id: string,
    precondition: Precondition | undefined,
    input: (kept: KeptUser) => ReturnType<typeof readInput>,
  ) =>
    write(id, precondition, async (kept) => {
      const given = input(kept);
      const now = clock.now();
      // Of a damaged one it may not be known whether it was active: then nobody is let in by mending it.
      const { active, meta } = kept.isDamaged
        ? { active: kept.remains.active === true, meta: mendedMeta(kept.remains.meta, now) }
        : kept.user;
      const next = wholeUser(id, given, active, nextMeta(meta, now, ids.version()));
      return (await store.replace(next, kept.version)) ? next : undefined;
    });

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
      const given = await judged(input, id);
      return update(id, precondition, () => given);
    },

    async patch(principal, id, patch, precondition) {
      authorize(principal, 'patch');
      sameId(patch, id);
      const given = checkPatch(patch);
      return update(id, precondition, ({ user }) => readPatch(given, user));
    },

    async remove(principal, id, precondition) {
      authorize(principal, 'remove');
      await write(id, precondition, async (user) => (await store.remove(id, user.version)) || undefined);
    },

    check: () => store.check(),
  };

  async function judged(input: unknown, id: string) {
    const given = await readable(input, id);
    // For its size: whichever meta and activity it will have, it is no larger than with these.
    wholeUser(id, given, false, anyMeta);
    return given;
  }

  /** Wrong input is told before the store is asked (422 before 404), unless what is wrong may be what stands there already. */
  async function readable(input: unknown, id: string) {
    try {
      return readInput(input);
    } catch (error) {
      const stored = await store.find(id);
      if (stored === undefined || stored.isDamaged) throw error;
      return readInput(input, stored.user);
    }
  }
}
