/**
 * Makes keys anew that another release made. Each document by itself, compared with what was read and set at once, so
 * that it gets in no writer's way, can be interrupted, and is done together by several processes that start at once.
 */
import { type AnyBulkWriteOperation, type Collection, type Filter, MongoServerError } from 'mongodb';
import {
  type Derived,
  derivedFrom,
  keptIn,
  keyedByIndex,
  type StoredUser,
  withVersion,
} from './documents.ts';
import { keyMaker, standing } from './key-maker.ts';

/** Documents held in memory, and changed in one command. */
const batchSize = 500;

/** As it may have been left by another release. */
export type AnyUser = Omit<StoredUser, 'keyedBy'> & { readonly keyedBy?: string | null };

/** Two users whose names were different and no longer are. */
class Collision extends Error {}

const isDuplicate = (cause: unknown): boolean => cause instanceof MongoServerError && cause.code === 11000;

/** Unchanged, by a user of it or by another release. */
const asRead = (found: AnyUser): Filter<AnyUser> => ({
  _id: found._id,
  ...withVersion(keptIn(found).version),
  keyedBy: found.keyedBy ?? null,
});

/** A damaged user gets no keys, and a name that nobody can ask for: it is found by its id only, until it is mended. */
function derived(found: AnyUser): Derived {
  const kept = keptIn(found);
  return kept.isDamaged
    ? { userNameKey: `\0${found._id}`, keys: [], keyedBy: keyMaker }
    : derivedFrom(kept.user);
}

const renewed = (found: AnyUser) => ({ $set: derived(found) });

class Rekeying {
  readonly #users: Collection<AnyUser>;
  readonly #outdated: Filter<AnyUser>;

  /** @param makers those whose keys are outdated; null is nobody known */
  constructor(users: Collection<AnyUser>, makers: readonly (string | null)[]) {
    this.#users = users;
    this.#outdated = { keyedBy: { $in: makers } };
  }

  async isNeeded(): Promise<boolean> {
    const found = await this.#users.findOne(this.#outdated, { hint: keyedByIndex, projection: { _id: 1 } });
    return found !== null;
  }

  /** @throws Error naming two users when names have become the same one, after everybody else's were renewed */
  async run(): Promise<void> {
    const collisions: Collision[] = [];
    const batch: AnyUser[] = [];
    const renew = async (): Promise<void> => {
      for (const id of await this.#leftOver(batch.splice(0))) {
        const collision = await this.#renewed(id).catch(collisionOnly);
        if (collision) collisions.push(collision);
      }
    };
    for await (const found of this.#users.find(this.#outdated, { hint: keyedByIndex, batchSize })) {
      if (batch.push(found) === batchSize) await renew();
    }
    await renew();
    const [first] = collisions;
    if (first) throw new Error(`${first.message} (${collisions.length} in all)`);
  }

  /** Renews those that it can at once, and returns the ids of the others. */
  async #leftOver(batch: readonly AnyUser[]): Promise<string[]> {
    if (batch.length === 0) return [];
    const updates = batch.map(
      (found): AnyBulkWriteOperation<AnyUser> => ({
        updateOne: { filter: asRead(found), update: renewed(found) },
      }),
    );
    try {
      const { matchedCount } = await this.#users.bulkWrite(updates, { ordered: false });
      if (matchedCount === batch.length) return [];
    } catch (cause) {
      if (!isDuplicate(cause)) throw cause;
    }
    const left = { _id: { $in: batch.map(({ _id }) => _id) }, ...this.#outdated };
    const found = await this.#users.find(left, { projection: { _id: 1 } }).toArray();
    return found.map(({ _id }) => _id);
  }

  /** @param waiting who can't be renewed before this one, because it has the name they need */
  async #renewed(id: string, waiting: ReadonlySet<string> = new Set()): Promise<undefined> {
    for (;;) {
      const found = await this.#users.findOne({ _id: id, ...this.#outdated });
      if (!found) return;
      try {
        const { matchedCount } = await this.#users.updateOne(asRead(found), renewed(found));
        if (matchedCount === 1) return;
      } catch (cause) {
        if (!isDuplicate(cause)) throw cause;
        await this.#makeWay(found, new Set([...waiting, id]));
      }
    }
  }

  /** Has whoever has the name that `wanting` needs renewed first: under the new keys it may have another. */
  async #makeWay(wanting: AnyUser, waiting: ReadonlySet<string>): Promise<void> {
    const { userNameKey } = renewed(wanting).$set;
    const holder = await this.#users.findOne({ userNameKey });
    if (!holder) return;
    const name = `the userName of user ${wanting._id}`;
    if (!(await this.#users.findOne({ _id: holder._id, ...this.#outdated }))) {
      throw new Collision(`${name} is now the same as that of user ${holder._id}; rename one first`);
    }
    if (!waiting.has(holder._id)) return void (await this.#renewed(holder._id, waiting));
    // They wait for each other: this one's old name is put away, until it gets its new one. No mapped name has a NUL.
    await this.#users.updateOne(
      { ...asRead(holder), userNameKey },
      { $set: { userNameKey: `\0${holder._id}` } },
    );
  }
}

function collisionOnly(cause: unknown): Collision {
  if (cause instanceof Collision) return cause;
  throw cause;
}

/**
 * Returns when no keys are left that an earlier release had made before; finding that there are none is a look into an index.
 * @param onBegin called when there are, before they are made anew
 * @throws Error when a newer release was here, or two names have become the same one
 */
export async function renewKeys(users: Collection<AnyUser>, onBegin: () => void): Promise<void> {
  const makers = await users.distinct('keyedBy');
  const known = makers.filter((maker) => typeof maker === 'string');
  if (known.some((maker) => standing(maker) === 'newer')) {
    throw new Error('a newer release has written to it; it was left as it is');
  }
  const outdated = known.filter((maker) => standing(maker) === 'outdated');
  const rekeying = new Rekeying(users, [null, ...outdated]);
  if (!(await rekeying.isNeeded())) return;
  onBegin();
  await rekeying.run();
}
