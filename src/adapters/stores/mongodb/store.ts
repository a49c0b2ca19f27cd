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
import type { Database } from './connection/database.ts';
import type { ElectionFence } from './connection/election-fence.ts';
import { Operations } from './connection/operations.ts';
import type { Readiness } from './connection/readiness.ts';
import { documentsOf, readStored, relationOf, type ShownDocument, shown } from './documents/document.ts';
import { idIndex } from './documents/indexes.ts';
import type { IndexBuilder } from './layout/building.ts';
import { findLoss } from './layout/layout.ts';
import type { Rebuilds } from './layout/rebuild.ts';
import { MongoLog } from './log/log.ts';
import { type Migrating, MigrationRunner } from './migrations/run.ts';
import { findByKeys } from './query/by-keys.ts';
import { usesKeys } from './query/conditions.ts';
import { Memberships } from './query/memberships.ts';
import { Pages } from './query/pages.ts';
import { Commits } from './write/commit.ts';
import { endedSetsOf, sweepSets } from './write/left-sets.ts';

interface StoreParts {
  readonly database: Database;
  readonly rebuilds: Rebuilds;
  readonly readiness: Readiness;
  readonly fence: ElectionFence;
  readonly isLogged: boolean;
  readonly mayFill: boolean;
  readonly migrating: Migrating;
  readonly readings: () => StoreReadings;
  readonly builder: IndexBuilder;
  /** As `Database.assertLayout`, which it also reports. */
  readonly reportLayout: () => Promise<void>;
}

/** In milliseconds: how long a missing index, a write of another release, or a dropped set of members may go unnoticed without requests. */
const checkInterval = 1000;

export class MongoStore implements Store, Readable {
  readonly readings: () => StoreReadings;
  readonly changes: ChangeLog | undefined;
  readonly #parts: StoreParts;
  readonly #database: Database;
  readonly #pages: ReadonlyMap<Kind, Pages>;
  readonly #operations: Operations;
  readonly #memberships: Memberships;
  readonly #commits: Commits;
  #closing: Promise<void> | undefined;

  constructor(parts: StoreParts) {
    const { database, readiness, fence, mayFill } = parts;
    const { client, db, kinds, limits } = database;
    this.#parts = parts;
    this.#database = database;
    this.readings = parts.readings;
    // Without a write concern: the driver takes long to leave it out of each read.
    const reading = client.db(db.databaseName, { writeConcern: {} });
    this.#pages = new Map(
      kinds.all.map((kind) => [kind, new Pages(kind, documentsOf(reading, kind), limits)]),
    );
    const operations = new Operations(readiness, fence, client.readPreference.mode !== 'primary');
    this.#operations = operations;
    this.#memberships = new Memberships(database, relationOf(reading, kinds), endedSetsOf(reading));
    this.#commits = new Commits(database, operations, mayFill);
    this.changes = parts.isLogged ? new MongoLog(database, operations) : undefined;
    void this.#checkRegularly();
  }

  async find(kind: KindName, id: string): Promise<StoredResource | undefined> {
    const options = { ...this.#database.limits, projection: shown };
    return await this.#read(kind, async ({ documents, kind }) => {
      const found = await documents.findOne<ShownDocument>({ _id: id }, options);
      return found ? readStored(kind, found) : undefined;
    });
  }

  async findAll(kind: KindName, ids: readonly string[]): Promise<FoundById> {
    const options = {
      ...this.#database.limits,
      ...{ hint: idIndex, batchSize: ids.length, projection: shown },
    };
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
      return await findByKeys(pages, { filter, keys, limit }, this.#database.limits);
    });
  }

  async findMembers(group: string, users: readonly string[]): Promise<ReadonlySet<string>> {
    const { relation } = this.#database.kinds;
    const where = { all: [anyOf(users.map((id) => ({ id }))), { filter: byOwner, key: group }] };
    const query = { where, limit: users.length, maxLength: 1 };
    const { items, rest = [] } = await this.page(relation.members.name, query);
    return new Set([...items.map(({ id }) => id), ...rest]);
  }

  async related(name: KindName, ids: readonly string[], limit: number): Promise<RelatedIds> {
    const { kinds } = this.#database;
    const isOwner = kinds.of(name) === kinds.relation.owners;
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
    const { readiness, rebuilds } = this.#parts;
    const loss = await this.#operations.read(() => findLoss(this.#database, rebuilds));
    if (loss !== undefined) readiness.revoke(new Error(loss));
    readiness.assertReady();
  }

  #read<T>(name: KindName, read: (pages: Pages) => Promise<T>): Promise<T> {
    const pages = this.#pages.get(this.#database.kinds.of(name)) as Pages;
    return this.#operations.read(() => read(pages));
  }

  /** Runs until the store is closed. Requests report an unreachable server. */
  async #checkRegularly(): Promise<void> {
    const { reportLayout, migrating, rebuilds, builder } = this.#parts;
    const isClosing = (): boolean => this.#closing !== undefined;
    const isOver = () => reportLayout().then(isClosing);
    const runner = new MigrationRunner(this.#database, this.#operations, migrating);
    const checkAll = async (): Promise<void> => {
      await this.check();
      await reportLayout();
      await Promise.all([...rebuilds.values()].map((rebuild) => rebuild.catchUp()));
      builder.begin(isClosing);
      await this.#operations.read(() => sweepSets(this.#database, isOver));
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
    const { readiness } = this.#parts;
    const stopped = readiness.stop();
    await this.#operations.waitUntilIdle();
    await this.#database.client.close();
    await stopped;
  }
}
