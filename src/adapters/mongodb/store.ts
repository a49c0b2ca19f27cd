/**
 * Users in a MongoDB replica set, one document each. Every write is one command on one document, checked by its
 * filter and by unique indexes, so that no transaction is needed. Any number of processes may share the database.
 */
import { type Collection, type Db, type MongoClient, MongoError, MongoServerError } from 'mongodb';
import type { KeptUser } from '../../domain/kept-user.ts';
import type { UserQuery, UserStore } from '../../domain/ports.ts';
import type { User } from '../../domain/user.ts';
import {
  collectionName,
  keptIn,
  type Mark,
  marksName,
  pageQuery,
  type ShownUser,
  type StoredUser,
  toDocument,
  withVersion,
} from './documents.ts';
import { described, readFailure, SentId, writeFailure } from './failures.ts';
import { Freshness } from './freshness.ts';
import { lossIn } from './layout.ts';
import { defaults, defaultsFor, durable, type MongoOptions } from './options.ts';
import { prepare } from './prepare.ts';
import { Readiness } from './readiness.ts';
import { mongoAddress, openClient } from './uri.ts';

interface Parts {
  readonly client: MongoClient;
  readonly db: Db;
  readonly readiness: Readiness;
  readonly freshness: Freshness;
  readonly maxTimeMS: number;
}

/** Between two looks at the indexes, in milliseconds: how long one that is gone may go unnoticed where nobody probes. */
const lookInterval = 1000;

class MongoStore implements UserStore {
  readonly #client: MongoClient;
  readonly #db: Db;
  readonly #watch: NodeJS.Timeout;
  readonly #readiness: Readiness;
  /** None when the operator has chosen reads that may be old. */
  readonly #freshness: Freshness | undefined;
  readonly #users: Collection<StoredUser>;
  readonly #outgoing: Collection<StoredUser<SentId>>;
  readonly #marks: Collection<Mark>;
  readonly #outgoingMarks: Collection<Mark<SentId>>;
  readonly #limits: { readonly maxTimeMS: number };
  #inFlight = 0;
  #onIdle: () => void = () => {};
  #closing: Promise<void> | undefined;

  constructor({ client, db, readiness, freshness, maxTimeMS }: Parts) {
    this.#client = client;
    this.#db = db;
    this.#readiness = readiness;
    this.#freshness = client.readPreference.mode === 'primary' ? freshness : undefined;
    // How to write is no matter of a read's, and the driver takes long to leave it out of each.
    this.#users = client.db(db.databaseName, { writeConcern: {} }).collection(collectionName);
    this.#outgoing = db.collection(collectionName);
    this.#marks = db.collection(marksName);
    this.#outgoingMarks = db.collection(marksName);
    this.#limits = { maxTimeMS };
    this.#watch = setInterval(() => {
      // What keeps the look from being made is met, and told, by whoever asks for a user.
      this.#look().catch(() => {});
    }, lookInterval).unref();
  }

  async find(id: string): Promise<KeptUser | undefined> {
    const found = await this.#read(() => this.#users.findOne<ShownUser>({ _id: id }, this.#limits));
    return found ? keptIn(found) : undefined;
  }

  async list(query: UserQuery): Promise<KeptUser[]> {
    const { filter, options } = pageQuery(query);
    const all = { ...options, ...this.#limits };
    const found = await this.#read(() => this.#users.find<ShownUser>(filter, all).toArray());
    return found.map(keptIn);
  }

  async insert(user: User): Promise<void> {
    await this.#write(user.id, (id) => this.#outgoing.insertOne(toDocument(user, id), this.#limits));
  }

  async replace(user: User, version: string): Promise<boolean> {
    const { matchedCount } = await this.#write(user.id, (id) => {
      const { _id, ...members } = toDocument(user, id);
      return this.#outgoing.replaceOne({ _id, ...withVersion(version) }, members, this.#limits);
    });
    return matchedCount === 1;
  }

  async remove(id: string, version: string): Promise<boolean> {
    const { deletedCount } = await this.#write(id, (_id) =>
      this.#outgoing.deleteOne({ _id, ...withVersion(version) }, this.#limits),
    );
    return deletedCount === 1;
  }

  async mark(name: string): Promise<string | undefined> {
    const found = await this.#read(() => this.#marks.findOne({ _id: name }, this.#limits));
    return found?.value;
  }

  async setMark(name: string, value: string): Promise<void> {
    await this.#write(name, (_id) =>
      this.#outgoingMarks.updateOne({ _id }, { $set: { value } }, { upsert: true, ...this.#limits }),
    );
  }

  async check(): Promise<void> {
    await this.#look();
    await this.find('');
  }

  /** @throws DomainError `unavailable`, also from now on, when the collection is no longer what names being unique rests on */
  async #look(): Promise<void> {
    this.#begin();
    try {
      const loss = await lossIn(this.#db, this.#limits.maxTimeMS);
      if (loss !== undefined) this.#readiness.lost(new Error(loss));
    } catch (cause) {
      throw readFailure(cause);
    } finally {
      this.#end();
    }
    this.#readiness.assertReady();
  }

  async close(): Promise<void> {
    this.#closing ??= this.#close();
    await this.#closing;
  }

  async #close(): Promise<void> {
    this.#readiness.stop();
    clearInterval(this.#watch);
    if (this.#inFlight > 0) await new Promise<void>((resolve) => (this.#onIdle = resolve));
    await this.#client.close();
    await this.#readiness.stopped();
  }

  async #read<T>(read: () => Promise<T>): Promise<T> {
    this.#begin();
    try {
      return await (this.#freshness ? this.#freshness.read(read) : read());
    } catch (cause) {
      throw readFailure(cause);
    } finally {
      this.#end();
    }
  }

  async #write<T>(id: string, write: (id: SentId) => Promise<T>): Promise<T> {
    this.#begin();
    const sentId = new SentId(id);
    try {
      return await write(sentId);
    } catch (cause) {
      throw writeFailure(cause, sentId.attempts);
    } finally {
      this.#end();
    }
  }

  #begin(): void {
    this.#readiness.assertReady();
    this.#inFlight += 1;
  }

  #end(): void {
    this.#inFlight -= 1;
    if (this.#inFlight === 0) this.#onIdle();
  }
}

async function confirmed(db: Db, maxTimeMS: number): Promise<void> {
  const options = { readConcern: 'linearizable', readPreference: 'primary', maxTimeMS } as const;
  await db.collection<StoredUser>(collectionName).findOne({ _id: '' }, options);
}

/** Tells the operator what keeps the store from being ready, each reason once however often it is met. */
function reports({ uri, onProblem }: MongoOptions) {
  const told = new Set<string>();
  const onDelay = (cause: unknown): void => {
    const reason = described(cause);
    // The driver has many words for one absence, and counts connections in some.
    const kind = cause instanceof MongoError && !(cause instanceof MongoServerError) ? 'absence' : reason;
    if (told.has(kind)) return;
    told.add(kind);
    onProblem(`MongoDB at ${mongoAddress(uri)} is not ready, trying on: ${reason}`);
  };
  const onLost = (cause: unknown): void => {
    told.clear();
    onDelay(cause);
  };
  return { onDelay, onLost };
}

/**
 * Returns when the server can serve, or was found not to: until it can, every method is `unavailable`, and it
 * becomes ready by itself. Later absences need nothing either.
 * @throws Error when the connection string is malformed or asks for less than durable writes; without what it holds
 */
export async function openMongoStore(options: MongoOptions): Promise<UserStore> {
  const { uri, operationTimeout: maxTimeMS = defaults.operationTimeout } = options;
  const { client, database } = openClient(uri, defaultsFor(options), durable);
  const db = client.db(database);
  const freshness = new Freshness(() => confirmed(db, maxTimeMS));
  client.on('topologyDescriptionChanged', ({ newDescription }) => freshness.changed(newDescription));
  const readiness = new Readiness({
    prepare: (onDelay, wasReady) => prepare({ client, db, wasReady, onDelay }),
    ...reports(options),
  });
  try {
    await readiness.start();
  } catch (cause) {
    await client.close();
    throw cause;
  }
  return new MongoStore({ client, db, readiness, freshness, maxTimeMS });
}
