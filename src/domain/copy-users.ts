/** Moving house: every user from one store into another, ids, meta and versions as they are. */
import { DomainError } from './errors.ts';
import type { KeptUser } from './kept-user.ts';
import { ambiguousUntil, nextMeta } from './meta.ts';
import { noteMove } from './moves.ts';
import type { Clock, Ids, UserStore } from './ports.ts';
import type { User } from './user.ts';
import { mapUserName } from './user-name.ts';

/** Users read at a time, and written at once: enough for a store to share one commit among them. */
const batchSize = 100;

/** A user that was not copied. What `to` had is as it was. */
export interface Left {
  readonly id: string;
  /** For an operator; nothing of any user's but ids. */
  readonly why: string;
}

export interface CopyOptions {
  readonly clock: Clock;
  readonly ids: Pick<Ids, 'version'>;
  /** Puts `from`'s users over what `to` has under their ids. Whatever is written then gets a new version: none comes back. */
  readonly force?: boolean;
  /** Told how many are done, now and then. */
  readonly onProgress?: (done: number) => void;
  readonly onLeft: (left: Left) => void;
}

async function* everybody(store: UserStore): AsyncGenerator<KeptUser[]> {
  let after: string | undefined;
  for (;;) {
    const batch = await store.list({ filters: {}, after, limit: batchSize });
    if (batch.length > 0) yield batch;
    if (batch.length < batchSize) return;
    after = batch.at(-1)?.id;
  }
}

const withoutMeta = ({ user: { meta: _, ...rest } }: KeptUser): string => JSON.stringify(rest);

type Comparison = (one: KeptUser, other: KeptUser) => boolean;

const isEqual: Comparison = (one, other) => !one.isDamaged && !other.isDamaged && one.text === other.text;

/** Also where one was put over something else, and has a version of its own. */
export const hasSameContent: Comparison = (one, other) => {
  if (one.isDamaged || other.isDamaged) return false;
  if (one.text === other.text) return true;
  return one.meta.version !== other.meta.version && withoutMeta(one) === withoutMeta(other);
};

class Copying {
  readonly #to: UserStore;
  readonly #options: CopyOptions;

  constructor(to: UserStore, options: CopyOptions) {
    this.#to = to;
    this.#options = options;
  }

  /** Returns why it was left, if it was. */
  async put(kept: KeptUser): Promise<string | undefined> {
    if (kept.isDamaged) return 'is damaged where it comes from';
    const { user } = kept;
    try {
      await this.#to.insert(this.#options.force ? this.#renewed(user) : user);
      return undefined;
    } catch (error) {
      if (isCode(error, 'user-name-taken')) return this.#namesake(user);
      if (!isCode(error, 'id-taken')) throw error;
    }
    const there = await this.#to.find(user.id);
    if (there === undefined) throw meanwhile(user);
    if (hasSameContent(there, kept)) return undefined;
    return this.#options.force ? this.#putOver(user, there) : 'is there already, and differs';
  }

  async #putOver(user: User, there: KeptUser): Promise<string | undefined> {
    try {
      if (await this.#to.replace(this.#renewed(user, there), there.version)) return undefined;
    } catch (error) {
      if (isCode(error, 'user-name-taken')) return this.#namesake(user);
      throw error;
    }
    throw meanwhile(user);
  }

  #renewed(user: User, there?: KeptUser): User {
    const metas = [user.meta, ...(there === undefined || there.isDamaged ? [] : [there.meta])];
    const latest = metas.reduce((one, other) => (ambiguousUntil(other) > ambiguousUntil(one) ? other : one));
    const { clock, ids } = this.#options;
    return { ...user, meta: nextMeta({ ...latest, created: user.meta.created }, clock.now(), ids.version()) };
  }

  async #namesake({ userName }: User): Promise<string> {
    const named = { filters: { userName: mapUserName(userName) }, limit: 1 };
    const [holder] = await this.#to.list(named);
    return `has the same userName as user ${holder?.id ?? '(gone meanwhile)'}, who is there already`;
  }
}

const isCode = (error: unknown, code: DomainError['code']): boolean =>
  error instanceof DomainError && error.code === code;

const meanwhile = ({ id }: User): Error =>
  new Error(`user ${id} is being written by somebody else: stop the service while users move`);

/** A name may be free once its holder has been put over. */
async function again(from: UserStore, copying: Copying, left: Map<string, string>): Promise<void> {
  for (let before = Number.POSITIVE_INFINITY; left.size < before; ) {
    before = left.size;
    for (const id of [...left.keys()]) {
      const kept = await from.find(id);
      const why = kept && (await copying.put(kept));
      if (why === undefined) left.delete(id);
      else left.set(id, why);
    }
  }
}

/**
 * Copies all users; may be broken off and run again at any point, since a user that is there already is left as it is: one that
 * differs, or whose name another has, is told of. Neither store may be written by others meanwhile. Users that only `to` has
 * stay: `differences` finds them.
 * @returns how many are in `to` as they are in `from`; when that is all, `to` remembers it
 * @throws DomainError as the stores do; Error when `to` remembers such a move already, without `force`
 */
export async function copyUsers(from: UserStore, to: UserStore, options: CopyOptions): Promise<number> {
  const move = await noteMove(from, to, options);
  const copying = new Copying(to, options);
  const left = new Map<string, string>();
  let done = 0;
  for await (const batch of everybody(from)) {
    const whys = await Promise.all(batch.map((kept) => copying.put(kept)));
    for (const [at, { id }] of batch.entries()) {
      const why = whys[at];
      if (why !== undefined) left.set(id, why);
    }
    done += batch.length;
    options.onProgress?.(done);
  }
  if (options.force) await again(from, copying, left);
  for (const [id, why] of left) options.onLeft({ id, why });
  if (left.size === 0) await move.complete();
  return done - left.size;
}

/** How many there are, by reading them: a bar that fills needs to know. */
export async function countUsers(store: UserStore): Promise<number> {
  let count = 0;
  for await (const batch of everybody(store)) count += batch.length;
  return count;
}

async function* oneByOne(store: UserStore): AsyncGenerator<KeptUser> {
  for await (const batch of everybody(store)) yield* batch;
}

/** The ids of users that one of two stores lacks or has otherwise, in order: in constant memory, and to the byte unless told otherwise. */
export async function* differences(
  one: UserStore,
  other: UserStore,
  isSame = isEqual,
): AsyncGenerator<string> {
  const [left, right] = [oneByOne(one), oneByOne(other)];
  let [a, b] = [await left.next(), await right.next()];
  while (a.done !== true || b.done !== true) {
    const first = a.done === true || (b.done !== true && b.value.id < a.value.id) ? b : a;
    const id = first.done === true ? '' : first.value.id;
    const inBoth = a.done !== true && b.done !== true && a.value.id === b.value.id;
    if (!inBoth || (a.value && b.value && !isSame(a.value, b.value))) yield id;
    if (a.done !== true && a.value.id === id) a = await left.next();
    if (b.done !== true && b.value.id === id) b = await right.next();
  }
}
