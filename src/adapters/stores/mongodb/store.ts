/**
 * Users in a MongoDB replica set, one document each. Every write is one command on one document, checked by its
 * filter and by unique indexes, so that no transaction is needed. Any number of processes may share the database.
 */
import type { Collection, Db, MongoClient } from 'mongodb';
import { isEverybody } from '../../../domain/find/conditions.ts';
import type { FilterName } from '../../../domain/find/filters.ts';
import type { Count, UserQuery, UserStore, UserWrite, WriteOutcome } from '../../../domain/ports.ts';
import type { StoredUser } from '../../../domain/user/stored-user.ts';
import type { Readable, StoreReadings } from '../../store-module.ts';
import type { SentId } from './connection/driver-errors.ts';
import type { ElectionFence } from './connection/election-fence.ts';
import { Operations } from './connection/operations.ts';
import type { Readiness } from './connection/readiness.ts';
import { collectionName, toDocument, type UserDocument, withVersion } from './documents/stored-document.ts';
import { CatchUp } from './layout/catch-up.ts';
import { findLoss } from './layout/layout.ts';
import { fromPrimary } from './layout/prepare.ts';
import { MongoReads } from './query/reads.ts';
import { Batches } from './write/batches.ts';
import { Marks } from './write/marks.ts';

interface Parts {
  readonly client: MongoClient;
  readonly db: Db;
  readonly readiness: Readiness;
  readonly fence: ElectionFence;
  readonly maxTimeMS: number;
  readonly readings: () => StoreReadings;
}

/** In milliseconds: how long a missing index, or a write of another release, may go unnoticed without requests. */
const checkInterval = 1000;

export class MongoStore implements UserStore, Readable {
  readonly readings: () => StoreReadings;
  readonly #client: MongoClient;
  readonly #db: Db;
  readonly #regularCheck: NodeJS.Timeout;
  readonly #readiness: Readiness;
  readonly #operations: Operations;
  readonly #reads: MongoReads;
  readonly #catchUp: CatchUp;
  readonly #outgoing: Collection<UserDocument<SentId>>;
  readonly #batches: Batches;
  readonly #marks: Marks;
  readonly #limits: { readonly maxTimeMS: number };
  #closing: Promise<void> | undefined;

  constructor({ client, db, readiness, fence, maxTimeMS, readings }: Parts) {
    this.readings = readings;
    this.#client = client;
    this.#db = db;
    this.#readiness = readiness;
    this.#operations = new Operations(
      readiness,
      client.readPreference.mode === 'primary' ? fence : undefined,
    );
    // Without a write concern: the driver takes long to leave it out of each read.
    const users = client.db(db.databaseName, { writeConcern: {} }).collection<UserDocument>(collectionName);
    this.#reads = new MongoReads(users, { maxTimeMS });
    this.#catchUp = new CatchUp({
      users: db.collection(collectionName, fromPrimary),
      maxTimeMS,
      onFault: (cause) => readiness.revoke(cause),
    });
    this.#outgoing = db.collection(collectionName);
    this.#batches = new Batches(this.#operations, db.collection(collectionName), maxTimeMS);
    this.#marks = new Marks(this.#operations, db, maxTimeMS);
    this.#limits = { maxTimeMS };
    this.#regularCheck = setInterval(() => {
      // A server that is away is reported by the requests that need it.
      this.#checkLayout()
        .then(() => this.#catchUp.run())
        .catch(() => {});
    }, checkInterval).unref();
  }

  async find(id: string): Promise<StoredUser | undefined> {
    return await this.#operations.read(() => this.#reads.find(id));
  }

  async findAll(ids: readonly string[]): Promise<ReadonlyMap<string, StoredUser>> {
    return await this.#operations.read(() => this.#reads.findAll(ids));
  }

  async findAllBy(
    filter: FilterName,
    keys: readonly string[],
    limit: number,
  ): Promise<ReadonlyMap<string, readonly StoredUser[]>> {
    return await this.#operations.read(async () => {
      await this.#catchUp.run();
      return await this.#reads.findAllBy(filter, keys, limit);
    });
  }

  async list(query: UserQuery): Promise<StoredUser[]> {
    const isByKeys = query.sort?.by !== undefined || !isEverybody(query.where);
    return await this.#operations.read(async () => {
      if (isByKeys) await this.#catchUp.run();
      return await this.#reads.list(query);
    });
  }

  count(conditions: Count): Promise<number> {
    return this.#operations.read(async () => {
      if (!isEverybody(conditions.where)) await this.#catchUp.run();
      return await this.#reads.count(conditions);
    });
  }

  async insert(user: StoredUser): Promise<void> {
    await this.#operations.write(user.id, (id) =>
      this.#outgoing.insertOne(toDocument(user, id), this.#limits),
    );
  }

  async replace(user: StoredUser, version: string): Promise<boolean> {
    const { matchedCount } = await this.#operations.write(user.id, (id) => {
      const { _id, ...members } = toDocument(user, id);
      return this.#outgoing.replaceOne({ _id, ...withVersion(version) }, members, this.#limits);
    });
    return matchedCount === 1;
  }

  async writeAll(writes: readonly UserWrite[]): Promise<readonly WriteOutcome[]> {
    return await this.#batches.write(writes);
  }

  async remove(id: string, version: string): Promise<boolean> {
    const { deletedCount } = await this.#operations.write(id, (_id) =>
      this.#outgoing.deleteOne({ _id, ...withVersion(version) }, this.#limits),
    );
    return deletedCount === 1;
  }

  mark(name: string): Promise<string | undefined> {
    return this.#marks.find(name);
  }

  setMark(name: string, value: string): Promise<void> {
    return this.#marks.set(name, value);
  }

  async check(): Promise<void> {
    await this.#checkLayout();
    await this.find('');
  }

  /** @throws DomainError `unavailable`, also from now on, when the collection or an index is gone: without them names would not be unique */
  async #checkLayout(): Promise<void> {
    const loss = await this.#operations.look(() => findLoss(this.#db, this.#limits.maxTimeMS));
    if (loss !== undefined) this.#readiness.revoke(new Error(loss));
    this.#readiness.assertReady();
  }

  async close(): Promise<void> {
    this.#closing ??= this.#close();
    await this.#closing;
  }

  async #close(): Promise<void> {
    this.#readiness.stop();
    clearInterval(this.#regularCheck);
    await this.#operations.waitUntilIdle();
    await this.#client.close();
    await this.#readiness.waitUntilStopped();
  }
}
