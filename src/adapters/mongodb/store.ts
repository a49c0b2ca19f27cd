/**
 * Users in a MongoDB replica set, one document each. Every write is one command on one document, checked by its
 * filter and by unique indexes, so that no transaction is needed. Any number of processes may share the database.
 */
import type { Collection, Db, MongoClient } from 'mongodb';
import { KeptUser } from '../../domain/kept-user.ts';
import type { UserQuery, UserStore } from '../../domain/ports.ts';
import type { User } from '../../domain/user.ts';
import {
  collectionName,
  indexes,
  pageQuery,
  type ShownUser,
  type StoredUser,
  shown,
  toDocument,
  toUser,
} from './documents.ts';
import { described, readFailure, SentId, writeFailure } from './failures.ts';
import { Freshness } from './freshness.ts';
import { defaultOperationTimeout, defaultsFor, durable, type MongoOptions } from './options.ts';
import { Readiness } from './readiness.ts';
import { mongoAddress, openClient } from './uri.ts';

interface Parts {
  readonly client: MongoClient;
  readonly db: Db;
  readonly readiness: Readiness;
  readonly freshness: Freshness;
  readonly maxTimeMS: number;
}

class MongoStore implements UserStore {
  readonly #client: MongoClient;
  readonly #readiness: Readiness;
  readonly #freshness: Freshness;
  readonly #users: Collection<StoredUser>;
  readonly #outgoing: Collection<StoredUser<SentId>>;
  readonly #limits: { readonly maxTimeMS: number };
  readonly #inFlight = new Set<Promise<unknown>>();
  #closing: Promise<void> | undefined;

  constructor({ client, db, readiness, freshness, maxTimeMS }: Parts) {
    this.#client = client;
    this.#readiness = readiness;
    this.#freshness = freshness;
    this.#users = db.collection(collectionName);
    this.#outgoing = db.collection(collectionName);
    this.#limits = { maxTimeMS };
  }

  async find(id: string): Promise<KeptUser | undefined> {
    return this.#read(async () => {
      const options = { ...this.#limits, projection: shown };
      const found = await this.#users.findOne<ShownUser>({ _id: id }, options);
      return found ? KeptUser.of(toUser(found)) : undefined;
    });
  }

  async list(query: UserQuery): Promise<KeptUser[]> {
    return this.#read(async () => {
      const { filter, options } = pageQuery(query);
      const found = this.#users.find<ShownUser>(filter, { ...options, ...this.#limits });
      return (await found.toArray()).map((user) => KeptUser.of(toUser(user)));
    });
  }

  async insert(user: User): Promise<void> {
    await this.#write(user.id, (id) => this.#outgoing.insertOne(toDocument(user, id), this.#limits));
  }

  async replace(user: User, version: string): Promise<boolean> {
    const { matchedCount } = await this.#write(user.id, (id) => {
      const { _id, ...members } = toDocument(user, id);
      return this.#outgoing.replaceOne({ _id, 'meta.version': version }, members, this.#limits);
    });
    return matchedCount === 1;
  }

  async remove(id: string, version: string): Promise<boolean> {
    const { deletedCount } = await this.#write(id, (_id) =>
      this.#outgoing.deleteOne({ _id, 'meta.version': version }, this.#limits),
    );
    return deletedCount === 1;
  }

  async check(): Promise<void> {
    await this.find('');
  }

  async close(): Promise<void> {
    this.#closing ??= this.#close();
    await this.#closing;
  }

  async #close(): Promise<void> {
    this.#readiness.stop();
    await Promise.allSettled(this.#inFlight);
    await this.#client.close();
    await this.#readiness.stopped();
  }

  /** Otherwise the operator has chosen reads that may be old. */
  get #isFromPrimary(): boolean {
    return this.#client.readPreference.mode === 'primary';
  }

  async #read<T>(read: () => Promise<T>): Promise<T> {
    this.#readiness.assertReady();
    try {
      return await this.#awaited(this.#isFromPrimary ? this.#freshness.read(read) : read());
    } catch (cause) {
      throw readFailure(cause);
    }
  }

  async #write<T>(id: string, write: (id: SentId) => Promise<T>): Promise<T> {
    this.#readiness.assertReady();
    const sentId = new SentId(id);
    try {
      return await this.#awaited(write(sentId));
    } catch (cause) {
      throw writeFailure(cause, sentId.attempts);
    }
  }

  async #awaited<T>(doing: Promise<T>): Promise<T> {
    this.#inFlight.add(doing);
    try {
      return await doing;
    } finally {
      this.#inFlight.delete(doing);
    }
  }
}

async function confirmed(db: Db, maxTimeMS: number): Promise<void> {
  const options = { readConcern: 'linearizable', readPreference: 'primary', maxTimeMS } as const;
  await db.collection<StoredUser>(collectionName).findOne({ _id: '' }, options);
}

/** Idempotent, also when several processes do it at once: the server builds each index once. */
async function prepare(client: MongoClient, db: Db): Promise<void> {
  // Operations connect by themselves, but not again after a first time that failed.
  await client.connect();
  const { setName, msg } = await db.admin().command({ hello: 1 });
  if (setName === undefined && msg !== 'isdbgrid') throw new Error('it is not a member of a replica set');
  await db.collection(collectionName).createIndexes(indexes);
}

/**
 * Returns when the server can serve, or was found not to: until it can, every method is `unavailable`, and it
 * becomes ready by itself. Later absences need nothing either.
 * @throws Error when the connection string is malformed or asks for less than durable writes; without what it holds
 */
export async function openMongoStore(options: MongoOptions): Promise<UserStore> {
  const { uri, onProblem, operationTimeout: maxTimeMS = defaultOperationTimeout } = options;
  const { client, database } = openClient(uri, defaultsFor(options), durable);
  const db = client.db(database);
  const freshness = new Freshness(() => confirmed(db, maxTimeMS));
  client.on('topologyDescriptionChanged', ({ newDescription }) => freshness.changed(newDescription));
  const readiness = new Readiness({
    prepare: () => prepare(client, db),
    onDelay: (cause) =>
      onProblem(`MongoDB at ${mongoAddress(uri)} is not ready, trying on: ${described(cause)}`),
  });
  await readiness.start();
  return new MongoStore({ client, db, readiness, freshness, maxTimeMS });
}
