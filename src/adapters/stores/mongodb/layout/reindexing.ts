/**
 * Rebuilds keys that another release made. Each document is updated by itself, and only if it is unchanged since it was read. So
 * reindexing doesn't block writers, can be interrupted, and several processes that start at once share the work.
 */
import { type AnyBulkWriteOperation, type Collection, type Filter, MongoServerError } from 'mongodb';
import { parkedName } from '../../../../domain/find/keys.ts';
import { keyedByIndex } from '../documents/indexes.ts';
import {
  type AnyDocumentType,
  type Derived,
  derive,
  type UserDocument,
} from '../documents/stored-document.ts';

/** Documents held in memory, and changed in one command. */
const batchSize = 500;

/** A document of any release. */
export type AnyDocument = Omit<UserDocument, keyof Derived> &
  Partial<Omit<Derived, 'keyedBy'>> & { readonly keyedBy?: string | null };

/** Two users whose names were different and no longer are. */
class Collision extends Error {}

const isDuplicate = (cause: unknown): boolean => cause instanceof MongoServerError && cause.code === 11000;

/** Matches the document if neither a client nor another release has changed it. */
const matchAsRead = (type: AnyDocumentType, found: AnyDocument): Filter<AnyDocument> => ({
  _id: found._id,
  ...type.withVersion(type.reread(found).version),
  keyedBy: found.keyedBy ?? null,
});

const keyUpdate = (type: AnyDocumentType, found: AnyDocument) => ({
  $set: derive(type.reread(found).keys),
});

/** Called after each batch. @param count counts the rest */
export type OnBatch = (done: number, count: () => Promise<number>) => Promise<void>;

export class Reindexing {
  readonly #documents: Collection<AnyDocument>;
  readonly #outdated: Filter<AnyDocument>;

  readonly #type: AnyDocumentType;

  /** @param outdated the outdated rules */
  constructor(
    documents: Collection<AnyDocument>,
    type: AnyDocumentType,
    outdated: readonly (string | null)[],
  ) {
    this.#documents = documents;
    this.#type = type;
    this.#outdated = { keyedBy: { $in: outdated } };
  }

  async isNeeded(): Promise<boolean> {
    const found = await this.#documents.findOne(this.#outdated, {
      hint: keyedByIndex,
      projection: { _id: 1 },
    });
    return found !== null;
  }

  /** @throws Error naming two users when two names have become equal, after the keys of all others were rebuilt */
  async run(onBatch: OnBatch = async () => {}): Promise<void> {
    const collisions: Collision[] = [];
    const batch: AnyDocument[] = [];
    let done = 0;
    const count = (): Promise<number> =>
      this.#documents.countDocuments(this.#outdated, { hint: keyedByIndex });
    const flush = async (): Promise<void> => {
      done += batch.length;
      for (const id of await this.#reindexBatch(batch.splice(0))) {
        const collision = await this.#reindexOne(id).catch(rethrowUnlessCollision);
        if (collision) collisions.push(collision);
      }
      await onBatch(done, count);
    };
    for await (const found of this.#documents.find(this.#outdated, { hint: keyedByIndex, batchSize })) {
      if (batch.push(found) === batchSize) await flush();
    }
    await flush();
    const [first] = collisions;
    if (first) throw new Error(`${first.message} (${collisions.length} in all)`);
  }

  /** Reindexes as many as it can in one command, and returns the ids of the others. */
  async #reindexBatch(batch: readonly AnyDocument[]): Promise<string[]> {
    if (batch.length === 0) return [];
    const updates = batch.map(
      (found): AnyBulkWriteOperation<AnyDocument> => ({
        updateOne: { filter: matchAsRead(this.#type, found), update: keyUpdate(this.#type, found) },
      }),
    );
    try {
      const { matchedCount } = await this.#documents.bulkWrite(updates, { ordered: false });
      if (matchedCount === batch.length) return [];
    } catch (cause) {
      if (!isDuplicate(cause)) throw cause;
    }
    const left = { _id: { $in: batch.map(({ _id }) => _id) }, ...this.#outdated };
    const found = await this.#documents.find(left, { projection: { _id: 1 } }).toArray();
    return found.map(({ _id }) => _id);
  }

  /** @param waiting ids of users that need the name which this one holds, and wait for it */
  async #reindexOne(id: string, waiting: ReadonlySet<string> = new Set()): Promise<undefined> {
    for (;;) {
      const found = await this.#documents.findOne({ _id: id, ...this.#outdated });
      if (!found) return;
      try {
        const { matchedCount } = await this.#documents.updateOne(
          matchAsRead(this.#type, found),
          keyUpdate(this.#type, found),
        );
        if (matchedCount === 1) return;
      } catch (cause) {
        if (!isDuplicate(cause)) throw cause;
        await this.#freeName(found, new Set([...waiting, id]));
      }
    }
  }

  /** Reindexes the user that holds the name which `wanting` needs: under the new rules it may get another name. */
  async #freeName(wanting: AnyDocument, waiting: ReadonlySet<string>): Promise<void> {
    const { nameKey } = keyUpdate(this.#type, wanting).$set;
    const holder = await this.#documents.findOne({ nameKey });
    if (!holder) return;
    const { name: kind } = this.#type.kind;
    const name = `the ${kind === 'user' ? 'userName' : 'displayName'} of ${kind} ${wanting._id}`;
    if (!(await this.#documents.findOne({ _id: holder._id, ...this.#outdated }))) {
      throw new Collision(`${name} is now the same as that of ${kind} ${holder._id}; rename one first`);
    }
    if (!waiting.has(holder._id)) return void (await this.#reindexOne(holder._id, waiting));
    // They wait for each other: this one gets a placeholder until its new name is free.
    await this.#documents.updateOne(
      { ...matchAsRead(this.#type, holder), nameKey },
      { $set: { nameKey: parkedName(holder._id) } },
    );
  }
}

function rethrowUnlessCollision(cause: unknown): Collision {
  if (cause instanceof Collision) return cause;
  throw cause;
}
