/**
 * Resources in a MongoDB replica set: a collection for each kind, a document for each resource. The writes of a process
 * share transactions, which the change log puts in order. Any number of processes may share the database.
 */

import { setTimeout as pause } from 'node:timers/promises';
import type { ChangeLog } from '../../../domain/changes/log.ts';
import { anyOf } from '../../../domain/find/conditions.ts';
import type { FilterName } from '../../../domain/find/filters.ts';
import { byOwner } from '../../../domain/find/owners.ts';
import type { Kind } from '../../../domain/kinds/kind.ts';
import type {
  Actor,
  FoundById,
  FoundByKey,
  Outcome,
  Page,
  PageQuery,
  RelatedIds,
  Store,
  StoredResource,
  Write,
} from '../../../domain/store.ts';
import type { KindName } from '../../../domain/validation/errors.ts';
import type { Readable, StoreReadings } from '../port/store-module.ts';
import type { ElectionFence } from './connection/election-fence.ts';
import { Operations } from './connection/operations.ts';
import type { Readiness } from './connection/readiness.ts';
import type { Transactions } from './connection/transactions.ts';
import { documentsOf, readStored, relationOf, type ShownDocument, shown } from './documents/document.ts';
import { idIndex } from './documents/indexes.ts';
import type { IndexBuilder } from './layout/building.ts';
import { findLoss, fromPrimary, type Preparation } from './layout/layout.ts';
import { logCollectionsOf } from './log/entries.ts';
import { MongoLog } from './log/log.ts';
import { MigrationRunner, type RunnerParts } from './migrations/run.ts';
import { findByKeys } from './query/by-keys.ts';
import { usesKeys } from './query/conditions.ts';
import { Memberships } from './query/memberships.ts';
import { Pages } from './query/pages.ts';
import { Commits } from './write/commit.ts';
import { endedSetsOf, sweepLeftSets } from './write/left-sets.ts';
import { droppedSetsOf, sweepMembers } from './write/members.ts';

interface StoreParts extends Pick<Preparation, 'client' | 'db' | 'kinds' | 'rebuilds'> {
  readonly readiness: Readiness;
  readonly fence: ElectionFence;
  readonly maxTimeMS: number;
  readonly transactions: Transactions;
  readonly isLogged: boolean;
  readonly mayFill: boolean;
  readonly migrating: Pick<RunnerParts, 'migration' | 'quiet' | 'onProgress' | 'onContract'>;
  readonly readings: () => StoreReadings;
  readonly builder: IndexBuilder;
  /** Throws, and reports, when a newer release has raised the number of the layout: this process changes nothing any more. */
  readonly assertLayout: () => Promise<void>;
}

/** In milliseconds: how long a missing index, a write of another release, or a dropped set of members may go unnoticed without requests. */
const checkInterval = 1000;

export class MongoStore implements Store, Readable {
  readonly readings: () => StoreReadings;
  readonly changes: ChangeLog | undefined;
  readonly #parts: StoreParts;
  readonly #limits: { readonly maxTimeMS: number };
  readonly #pages: ReadonlyMap<Kind, Pages>;
  readonly #operations: Operations;
  readonly #memberships: Memberships;
  readonly #commits: Commits;
  #closing: Promise<void> | undefined;

  constructor(parts: StoreParts) {
    const { client, db, kinds, readiness, fence, transactions, maxTimeMS, mayFill } = parts;
    this.#parts = parts;
    this.#limits = { maxTimeMS };
    this.readings = parts.readings;
    // Without a write concern: the driver takes long to leave it out of each read.
    const reading = client.db(db.databaseName, { writeConcern: {} });
    this.#pages = new Map(
      kinds.all.map((kind) => [kind, new Pages(kind, documentsOf(reading, kind), { maxTimeMS })]),
    );
    const operations = new Operations(readiness, fence, client.readPreference.mode !== 'primary');
    this.#operations = operations;
    this.#memberships = new Memberships(client, relationOf(reading, kinds), endedSetsOf(reading), maxTimeMS);
    this.#commits = new Commits({ db, kinds, operations, transactions, maxTimeMS, mayFill });
    this.changes = parts.isLogged ? new MongoLog(db, kinds, operations, transactions, maxTimeMS) : undefined;
    void this.#checkRegularly();
  }

  async find(kind: KindName, id: string): Promise<StoredResource | undefined> {
    const options = { ...this.#limits, projection: shown };
    return await this.#read(kind, async ({ documents, kind }) => {
      const found = await documents.findOne<ShownDocument>({ _id: id }, options);
      return found ? readStored(kind, found) : undefined;
    });
  }

  async findAll(kind: KindName, ids: readonly string[]): Promise<FoundById> {
    const options = { ...this.#limits, hint: idIndex, batchSize: ids.length, projection: shown };
    return await this.#read(kind, async ({ documents, kind }) => {
      const found = await documents.find<ShownDocument>({ _id: { $in: ids } }, options).toArray();
      return new Map(found.map((document) => [document._id, readStored(kind, document)]));
    });
  }

  async findAllBy(
    kind: KindName,
    filter: FilterName,
    keys: readonly string[],
    limit: number,
  ): Promise<FoundByKey> {
    return await this.#read(kind, async (pages) => {
      await this.#parts.rebuilds.get(pages.kind)?.catchUp({ where: { exists: filter } });
      return await findByKeys(pages, { filter, keys, limit }, this.#limits.maxTimeMS);
    });
  }

  async findMembers(group: string, users: readonly string[]): Promise<ReadonlySet<string>> {
    const { relation } = this.#parts.kinds;
    if (relation === undefined) return new Set();
    const where = { all: [anyOf(users.map((id) => ({ id }))), { filter: byOwner, key: group }] };
    const query = { where, limit: users.length, maxLength: 1 };
    const { items, rest = [] } = await this.page(relation.members.name, query);
    return new Set([...items.map(({ id }) => id), ...rest]);
  }

  async related(name: KindName, ids: readonly string[], limit: number): Promise<RelatedIds> {
    const { kinds } = this.#parts;
    const isOwner = kinds.of(name) === kinds.relation?.owners;
    return await this.#operations.read(() => this.#memberships.related(isOwner, ids, limit));
  }

  async page(kind: KindName, query: PageQuery): Promise<Page> {
    const isByKeys = query.sort?.by !== undefined || usesKeys(query.where);
    return await this.#read(kind, async (pages) => {
      if (isByKeys) await this.#parts.rebuilds.get(pages.kind)?.catchUp(query);
      return await this.#memberships.reading(query, (where, snapshot) => pages.read(where, query, snapshot));
    });
  }

  async commit(writes: readonly Write[], by: Actor): Promise<readonly Outcome[]> {
    return await this.#commits.commit(writes, by);
  }

  /** @throws DomainError `unavailable`, also later, if a collection or an index is missing: without it names would not be unique */
  async check(): Promise<void> {
    const { db, kinds, readiness, rebuilds } = this.#parts;
    const loss = await this.#operations.read(() => findLoss(db, kinds, this.#limits.maxTimeMS, rebuilds));
    if (loss !== undefined) readiness.revoke(new Error(loss));
    readiness.assertReady();
  }

  #read<T>(name: KindName, read: (pages: Pages) => Promise<T>): Promise<T> {
    const pages = this.#pages.get(this.#parts.kinds.of(name)) as Pages;
    return this.#operations.read(() => read(pages));
  }

  /** Runs until the store is closed. Requests report an unreachable server. */
  async #checkRegularly(): Promise<void> {
    const { db, kinds, assertLayout, transactions, maxTimeMS, migrating } = this.#parts;
    const isClosing = (): boolean => this.#closing !== undefined;
    const isOver = () => assertLayout().then(isClosing);
    const relation = relationOf(db, kinds);
    const sweep = async () => {
      await sweepMembers(relation, droppedSetsOf(db), maxTimeMS, isOver);
      await sweepLeftSets(db, relation, transactions, maxTimeMS, isOver);
    };
    const log = logCollectionsOf(db, fromPrimary);
    const read: RunnerParts['read'] = (run) => this.#operations.readLatest(run);
    const runner = new MigrationRunner({ ...migrating, log, relation: kinds.relation, maxTimeMS, read });
    const checkAll = async (): Promise<void> => {
      await this.check();
      await assertLayout();
      await Promise.all([...this.#parts.rebuilds.values()].map((rebuild) => rebuild.catchUp()));
      this.#parts.builder.begin(isClosing);
      await this.#operations.read(sweep);
      await runner.look();
    };
    while (!isClosing()) {
      await pause(checkInterval, undefined, { ref: false });
      await checkAll().catch(() => {});
    }
  }

  async close(): Promise<void> {
    this.#closing ??= this.#close();
    await this.#closing;
  }

  async #close(): Promise<void> {
    const { client, readiness } = this.#parts;
    const stopped = readiness.stop();
    await this.#operations.waitUntilIdle();
    await client.close();
    await stopped;
  }
}
