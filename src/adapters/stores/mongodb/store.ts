/**
 * Users and groups in a MongoDB replica set, one document each. A write of a document is one command, checked by its filter and by unique
 * indexes; only what changes memberships takes a transaction. Any number of processes may share the database.
 */
import type { Collection, Db, Document, MongoClient } from 'mongodb';
import type { User } from '../../../domain/kinds/user/user.ts';
import type { GroupStore, UserStore, UserWrite, WriteOutcome } from '../../../domain/ports.ts';
import type { Resource } from '../../../domain/resource/resource.ts';
import type { Stored } from '../../../domain/resource/stored.ts';
import type { Readable, StoreReadings } from '../base/store-module.ts';
import type { SentId } from './connection/driver-errors.ts';
import type { ElectionFence } from './connection/election-fence.ts';
import { Operations } from './connection/operations.ts';
import type { Readiness } from './connection/readiness.ts';
import {
  type DocumentType,
  groupDocuments,
  type UserDocument,
  userDocuments,
} from './documents/stored-document.ts';
import { MongoGroups } from './groups.ts';
import { CatchUp } from './layout/catch-up.ts';
import { findLoss } from './layout/layout.ts';
import { fromPrimary } from './layout/prepare.ts';
import { Memberships } from './query/memberships.ts';
import { MongoReads } from './query/reads.ts';
import { MongoRows, type RowsParts } from './rows.ts';
import { Batches } from './write/batches.ts';
import { Marks } from './write/marks.ts';
import { Members } from './write/members.ts';
import { Transactions } from './write/transactions.ts';

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

/** What serves the documents of one kind. */
function rowsParts<T extends Resource>(
  { client, db, readiness, maxTimeMS }: Parts,
  operations: Operations,
  type: DocumentType<T>,
): RowsParts<T> {
  // Without a write concern: the driver takes long to leave it out of each read.
  const reading = client.db(db.databaseName, { writeConcern: {} });
  return {
    type,
    operations,
    maxTimeMS,
    reads: new MongoReads(reading.collection<UserDocument>(type.collection), type, { maxTimeMS }),
    catchUp: new CatchUp({
      documents: db.collection(type.collection, fromPrimary),
      type,
      maxTimeMS,
      onFault: (cause) => readiness.revoke(cause),
    }),
    outgoing: db.collection(type.collection),
    memberships: new Memberships({
      users: reading.collection(userDocuments.collection),
      groups: reading.collection(groupDocuments.collection),
      maxTimeMS,
    }),
  };
}

export class MongoStore extends MongoRows<User> implements UserStore, Readable {
  readonly readings: () => StoreReadings;
  readonly groups: GroupStore;
  readonly #client: MongoClient;
  readonly #db: Db;
  readonly #regularCheck: NodeJS.Timeout;
  readonly #readiness: Readiness;
  readonly #operations: Operations;
  readonly #users: Collection<Document & { readonly _id: string }>;
  readonly #outgoing: Collection<UserDocument<SentId>>;
  readonly #batches: Batches;
  readonly #marks: Marks;
  readonly #members: Members;
  readonly #transactions: Transactions;
  readonly #limits: { readonly maxTimeMS: number };
  #closing: Promise<void> | undefined;
  /** Whether a set of members was dropped, or may have been by a process that was killed. */
  #mayHaveDropped = true;
  #sweeping: Promise<void> = Promise.resolve();

  constructor(parts: Parts) {
    const { client, db, readiness, fence, maxTimeMS, readings } = parts;
    const operations = new Operations(
      readiness,
      client.readPreference.mode === 'primary' ? fence : undefined,
    );
    const ofUsers = rowsParts(parts, operations, userDocuments);
    const ofGroups = rowsParts(parts, operations, groupDocuments);
    super(ofUsers);
    this.readings = readings;
    this.#client = client;
    this.#db = db;
    this.#readiness = readiness;
    this.#operations = operations;
    this.#users = db.collection(userDocuments.collection);
    this.#outgoing = ofUsers.outgoing;
    this.#batches = new Batches(operations, db.collection(userDocuments.collection), maxTimeMS);
    this.#marks = new Marks(operations, db, maxTimeMS);
    this.#members = new Members(db, groupDocuments.collection, maxTimeMS);
    this.#transactions = new Transactions(client, maxTimeMS);
    this.groups = new MongoGroups({
      ...ofGroups,
      groups: db.collection(groupDocuments.collection),
      members: this.#members,
      transactions: this.#transactions,
      onDropped: () => this.#sweepSoon(),
    });
    this.#limits = { maxTimeMS };
    this.#regularCheck = setInterval(() => {
      // A server that is away is reported by the requests that need it.
      this.#checkLayout()
        .then(() => Promise.all([ofUsers.catchUp.run(), ofGroups.catchUp.run()]))
        .then(() => this.#mayHaveDropped && this.#sweepSoon())
        .catch(() => {});
    }, checkInterval).unref();
  }

  async insert(user: Stored<User>): Promise<void> {
    await this.insertDocument(user);
  }

  async writeAll(writes: readonly UserWrite[]): Promise<readonly WriteOutcome[]> {
    return await this.#batches.write(writes);
  }

  async remove(id: string, version: string): Promise<boolean> {
    const isAlone = { groups: { $in: [null, []] } } as Document;
    const { deletedCount } = await this.#operations.write(id, (_id) =>
      this.#outgoing.deleteOne({ _id, ...userDocuments.withVersion(version), ...isAlone }, this.#limits),
    );
    return deletedCount === 1 || (await this.#removeMember(id, version));
  }

  /** A user that belongs to groups. */
  async #removeMember(id: string, version: string): Promise<boolean> {
    const removed = await this.#operations.transact(
      () =>
        this.#transactions.run(id, async (session) => {
          const options = { session, ...this.#limits };
          const filter = { _id: id, ...userDocuments.withVersion(version) };
          const found = await this.#users.findOneAndDelete(filter, { ...options, projection: { groups: 1 } });
          if (found === null) return undefined;
          await this.#members.leave(session, found.groups ?? []);
          return true;
        }),
      'user',
    );
    return removed ?? false;
  }

  #sweepSoon(): void {
    this.#mayHaveDropped = true;
    this.#sweeping = this.#sweeping
      .then(() => this.#operations.look(() => this.#members.sweep(() => this.#closing !== undefined)))
      .then(() => {
        this.#mayHaveDropped = false;
      })
      // The next regular check goes on with it.
      .catch(() => {});
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
