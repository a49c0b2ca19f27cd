/** Copies every user from one store into another, with their ids, meta and versions. */

import { everybody, matching } from '../find/conditions.ts';
import type { Position } from '../find/sorts.ts';
import type { User } from '../kinds/user/user.ts';
import { mapUserName } from '../kinds/user/user-name.ts';
import { ambiguousUntil, nextMeta } from '../meta.ts';
import type { Clock, Ids } from '../ports.ts';
import { Stored } from '../resource/stored.ts';
import type { Actor, Page, Store, StoredResource, Write } from '../store.ts';

/** Users read at a time, and written at once. */
const batchSize = 100;
/** Enough to keep a store busy. */
const batchesAtOnce = 5;

/** A user that was not copied; nothing was changed. */
export interface Left {
  readonly id: string;
  /** For an operator; of personal data only ids. */
  readonly why: string;
}

export interface CopyOptions {
  readonly clock: Clock;
  readonly ids: Pick<Ids, 'version'>;
  /** Overwrites users of `to` that have the same id. Every written user then gets a new version, so that no version is reused. */
  readonly force?: boolean;
  /** Who copies. */
  readonly by: Actor;
  /** Called after each batch with the number of users so far. */
  readonly onProgress?: (done: number) => void;
  readonly onLeft: (left: Left) => void;
}

/** The next batch is read while the caller works on one. */
async function* listAll(store: Store): AsyncGenerator<readonly Stored<User>[]> {
  const read = (after?: Position): Promise<Page> => {
    const batch = store.page('user', { where: everybody, after, limit: batchSize });
    // It is awaited with the next iteration, which may never come.
    batch.catch(() => {});
    return batch;
  };
  for (let next = read(); ; ) {
    const { items, last, more } = await next;
    if (more) next = read(last);
    if (items.length > 0) yield items as readonly Stored<User>[];
    if (!more) return;
  }
}

const printWithoutMeta = ({ value: { meta: _, ...rest } }: Stored<User>): string => JSON.stringify(rest);

type Comparison = (one: Stored<User>, other: Stored<User>) => boolean;

const isEqual: Comparison = (one, other) => one.text === other.text;

/** Ignores `meta` where the versions differ: a user that overwrote another has a new one. */
export const hasSameContent: Comparison = (one, other) => {
  if (one.text === other.text) return true;
  return one.meta.version !== other.meta.version && printWithoutMeta(one) === printWithoutMeta(other);
};

type WriteOfUser = Extract<Write, { next: StoredResource }>;

/** By the ids of users that were not copied. */
type Reasons = Map<string, string>;

class Copying {
  readonly #to: Store;
  readonly #options: CopyOptions;

  constructor(to: Store, options: CopyOptions) {
    this.#to = to;
    this.#options = options;
  }

  /** Returns the reasons why users were not copied. */
  async put(users: readonly Stored<User>[]): Promise<Reasons> {
    const reasons: Reasons = new Map();
    const there = await this.#to.findAll(
      'user',
      users.map(({ id }) => id),
    );
    const writes = users.flatMap((user) => this.#planWrite(user, there.get(user.id), reasons));
    const outcomes = await this.#to.commit(writes, this.#options.by);
    for (const [at, { next }] of writes.entries()) {
      const outcome = outcomes[at];
      const user = next as Stored<User>;
      if (outcome === 'done') continue;
      if (outcome === undefined || outcome === 'stale' || outcome.code === 'id-taken')
        throw concurrentWrite(user);
      if (outcome.code !== 'user-name-taken') throw outcome;
      reasons.set(user.id, await this.#describeNamesake(user));
    }
    return reasons;
  }

  #planWrite(user: Stored<User>, found: StoredResource | undefined, reasons: Reasons): WriteOfUser[] {
    const { force = false } = this.#options;
    const there = found as Stored<User> | undefined;
    const write = { kind: 'user', id: user.id } as const;
    if (there === undefined)
      return [{ ...write, op: 'create', next: force ? this.#giveNewVersion(user) : user }];
    if (hasSameContent(there, user)) return [];
    if (force) return [{ ...write, op: 'replace', before: there, next: this.#giveNewVersion(user, there) }];
    reasons.set(user.id, 'is there already, and differs');
    return [];
  }

  #giveNewVersion({ value: user }: Stored<User>, there?: Stored<User>): Stored<User> {
    const metas = [user.meta, ...(there === undefined ? [] : [there.meta])];
    const latest = metas.reduce((one, other) => (ambiguousUntil(other) > ambiguousUntil(one) ? other : one));
    const { clock, ids } = this.#options;
    const meta = nextMeta({ ...latest, created: user.meta.created }, clock.now(), ids.version());
    return Stored.of({ ...user, meta });
  }

  async #describeNamesake({ value: { userName } }: Stored<User>): Promise<string> {
    const named = { where: matching({ userName: mapUserName(userName) }), limit: 1 };
    const [holder] = (await this.#to.page('user', named)).items;
    return `has the same userName as user ${holder?.id ?? '(gone meanwhile)'}, who is there already`;
  }
}

const concurrentWrite = ({ id }: Stored<User>): Error =>
  new Error(`user ${id} is being written by somebody else: stop the service while users move`);

/** Retries the users that were not copied, one by one: a name may be free once its holder has been overwritten. */
async function retryLeft(from: Store, copying: Copying, left: Reasons): Promise<void> {
  for (let before = Number.POSITIVE_INFINITY; left.size < before; ) {
    before = left.size;
    for (const id of [...left.keys()]) {
      const user = await from.find('user', id);
      const why = user && (await copying.put([user as Stored<User>])).get(id);
      if (why === undefined) left.delete(id);
      else left.set(id, why);
    }
  }
}

/** Writes several batches at a time, and yields their results in order. */
async function* putAll(from: Store, copying: Copying) {
  const underWay: { readonly count: number; readonly reasons: Promise<Reasons> }[] = [];
  try {
    for await (const batch of listAll(from)) {
      const reasons = copying.put(batch);
      // It is awaited in its turn, which may not come.
      reasons.catch(() => {});
      underWay.push({ count: batch.length, reasons });
      if (underWay.length < batchesAtOnce) continue;
      const [first] = underWay.splice(0, 1);
      if (first) yield { count: first.count, reasons: await first.reasons };
    }
    for (const { count, reasons } of underWay) yield { count, reasons: await reasons };
  } finally {
    await Promise.allSettled(underWay.map(({ reasons }) => reasons));
  }
}

/**
 * Copies all users. It may be interrupted and run again: a user that exists in `to` is left as it is, and reported when it differs or
 * another user has its name. Other processes must not write to either store meanwhile. Users that exist only in `to` stay:
 * `findDifferences` finds them.
 * @returns how many users are equal in both stores
 * @throws DomainError as the stores do
 */
export async function copyUsers(from: Store, to: Store, options: CopyOptions): Promise<number> {
  const copying = new Copying(to, options);
  const left: Reasons = new Map();
  let done = 0;
  for await (const { count, reasons } of putAll(from, copying)) {
    for (const [id, why] of reasons) left.set(id, why);
    done += count;
    options.onProgress?.(done);
  }
  if (options.force) await retryLeft(from, copying, left);
  for (const [id, why] of left) options.onLeft({ id, why });
  return done - left.size;
}

async function* listOneByOne(store: Store): AsyncGenerator<Stored<User>> {
  for await (const batch of listAll(store)) yield* batch;
}

/** Yields, in order and in constant memory, the ids of users that only one store has or that differ: byte by byte, unless `isSame` is given. */
export async function* findDifferences(one: Store, other: Store, isSame = isEqual): AsyncGenerator<string> {
  const [left, right] = [listOneByOne(one), listOneByOne(other)];
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
