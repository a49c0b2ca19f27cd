/**
 * Users in a MongoDB replica set, one document each. Every write is one command on one document, checked by its
 * filter and by unique indexes, so that no transaction is needed. Any number of processes may share the database.
 */
import { type Collection, type Db, type MongoClient, MongoError, MongoServerError } from 'mongodb';
import type { UserQuery, UserStore } from '../../../domain/ports.ts';
import type { StoredUser } from '../../../domain/stored-user.ts';
import { describeError, SentId, toReadError, toWriteError } from './driver-errors.ts';
import { ElectionFence } from './election-fence.ts';
import { findLoss } from './layout.ts';
import { clientDefaults, defaults, durableWrites, type MongoOptions } from './options.ts';
import { prepare } from './prepare.ts';
import { Readiness } from './readiness.ts';
import {
  collectionName,
  type Mark,
  marksName,
  type ProjectedDocument,
  pageQuery,
  readStored,
  toDocument,
  type UserDocument,
  withVersion,
} from './stored-document.ts';
import { mongoAddress, openClient } from './uri.ts';

interface Parts {
  readonly client: MongoClient;
  readonly db: Db;
  readonly readiness: Readiness;
  readonly fence: ElectionFence;
  readonly maxTimeMS: number;
}

/** In milliseconds: how long a missing index may go unnoticed where nobody probes the readiness. */
const layoutCheckInterval = 1000;

class MongoStore implements UserStore {
  readonly #client: MongoClient;
  readonly #db: Db;
  readonly #layoutCheck: NodeJS.Timeout;
  readonly #readiness: Readiness;
  /** None when the operator has chosen reads that may be old. */
  readonly #fence: ElectionFence | undefined;
  readonly #users: Collection<UserDocument>;
  readonly #outgoing: Collection<UserDocument<SentId>>;
  readonly #marks: Collection<Mark>;
  readonly #outgoingMarks: Collection<Mark<SentId>>;
  readonly #limits: { readonly maxTimeMS: number };
  #inFlight = 0;
  #onIdle: () => void = () => {};
  #closing: Promise<void> | undefined;

  constructor({ client, db, readiness, fence, maxTimeMS }: Parts) {
    this.#client = client;
    this.#db = db;
    this.#readiness = readiness;
    this.#fence = client.readPreference.mode === 'primary' ? fence : undefined;
    // Without a write concern: the driver takes long to leave it out of each read.
    this.#users = client.db(db.databaseName, { writeConcern: {} }).collection(collectionName);
    this.#outgoing = db.collection(collectionName);
    this.#marks = db.collection(marksName);
    this.#outgoingMarks = db.collection(marksName);
    this.#limits = { maxTimeMS };
    this.#layoutCheck = setInterval(() => {
      // A server that is away is reported by the requests that need it.
      this.#checkLayout().catch(() => {});
    }, layoutCheckInterval).unref();
  }

  async find(id: string): Promise<StoredUser | undefined> {
    const found = await this.#read(() => this.#users.findOne<ProjectedDocument>({ _id: id }, this.#limits));
    return found ? readStored(found) : undefined;
  }

  async list(query: UserQuery): Promise<StoredUser[]> {
    const { filter, options } = pageQuery(query);
    const all = { ...options, ...this.#limits };
    const found = await this.#read(() => this.#users.find<ProjectedDocument>(filter, all).toArray());
    return found.map(readStored);
  }

  async insert(user: StoredUser): Promise<void> {
    await this.#write(user.id, (id) => this.#outgoing.insertOne(toDocument(user, id), this.#limits));
  }

  async replace(user: StoredUser, version: string): Promise<boolean> {
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
    await this.#checkLayout();
    await this.find('');
  }

  /** @throws DomainError `unavailable`, also from now on, when the collection or an index is gone: without them names would not be unique */
  async #checkLayout(): Promise<void> {
    this.#begin();
    try {
      const loss = await findLoss(this.#db, this.#limits.maxTimeMS);
      if (loss !== undefined) this.#readiness.revoke(new Error(loss));
    } catch (cause) {
      throw toReadError(cause);
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
    clearInterval(this.#layoutCheck);
    if (this.#inFlight > 0) await new Promise<void>((resolve) => (this.#onIdle = resolve));
    await this.#client.close();
    await this.#readiness.waitUntilStopped();
  }

  async #read<T>(read: () => Promise<T>): Promise<T> {
    this.#begin();
    try {
      return await (this.#fence ? this.#fence.read(read) : read());
    } catch (cause) {
      throw toReadError(cause);
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
      throw toWriteError(cause, sentId.attempts);
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

/** Returns when a majority has confirmed the state of the primary. */
async function readLinearizably(db: Db, maxTimeMS: number): Promise<void> {
  const options = { readConcern: 'linearizable', readPreference: 'primary', maxTimeMS } as const;
  await db.collection<UserDocument>(collectionName).findOne({ _id: '' }, options);
}

/** Reports why the store is not ready, each reason once. */
function makeReports({ uri, onProblem }: MongoOptions) {
  const told = new Set<string>();
  const onDelay = (cause: unknown): void => {
    const reason = describeError(cause);
    // The driver has many messages for a server that is away, and some count connections.
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
  const { client, database } = openClient(uri, clientDefaults(options), durableWrites);
  const db = client.db(database);
  const fence = new ElectionFence(() => readLinearizably(db, maxTimeMS));
  client.on('topologyDescriptionChanged', ({ newDescription }) => fence.onTopologyChange(newDescription));
  const readiness = new Readiness({
    prepare: (onDelay, wasReady) => prepare({ client, db, wasReady, onDelay }),
    ...makeReports(options),
  });
  try {
    await readiness.start();
  } catch (cause) {
    await client.close();
    throw cause;
  }
  return new MongoStore({ client, db, readiness, fence, maxTimeMS });
}
