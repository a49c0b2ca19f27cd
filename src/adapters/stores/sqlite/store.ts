/**
 * Resources in one SQLite file, which several processes may share.
 *
 * Point reads and pages that are part of an index are read on the main thread (reads.ts), where a point read takes microseconds. Other searches
 * have a thread of their own (search/search-thread.ts; search/sql.ts has the SQL). Writes go to a third thread, which commits all that have queued
 * up together (write/writer.ts).
 *
 * Read layout/tables.ts first, then reads.ts, write/writes.ts and write/group-commit.ts, and search/ last. A first reading may skip file/ and wal/,
 * which keep the file usable through kills, full disks, backups and replaced files, and layout/rebuild.ts, which an upgrade needs.
 *
 * A smaller service needs one line of pragmas and one query builder. This one needs more, because it promises more:
 * - An answered write survives a power cut, at a share of an fsync: threads, group commits (write/).
 * - A word or any filters are found among a million users in milliseconds, and slow searches delay only each other (search/).
 * - No file keeps erased values (file/gaps.ts, write/erasures.ts).
 * - Full disks, other processes (SQLITE_BUSY: file/sqlite-errors.ts), and files that are moved or replaced cost no answered write (file/, wal/).
 */

import { statSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import type { ChangeLog } from '../../../domain/changes/log.ts';
import type { FilterName } from '../../../domain/find/filters.ts';
import { type Kinds, ofKind } from '../../../domain/kinds.ts';
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
import { DomainError, type KindName } from '../../../domain/validation/errors.ts';
import { eventLoop } from '../../scheduler/event-loop.ts';
import type { Readable, StoreReadings } from '../port/store-module.ts';
import { SqliteLog } from './changes/log.ts';
import type { Connection } from './file/connection.ts';
import { markOpen, walOf } from './file/database-files.ts';
import { describeError, isStorageFault, sqliteCode } from './file/sqlite-errors.ts';
import { tablesOf } from './layout/tables.ts';

import { Memberships, Reads } from './reads.ts';
import { SearchClient } from './search/client.ts';
import type { WriterClient } from './write/writer-client.ts';

/** Point reads in one turn of the event loop, which take some tenths of a millisecond. */
const readsInTurn = 64;

/** Ids of related resources that are read in one turn, which takes a millisecond; more if one resource has more. */
const relatedInTurn = 1_000;

/** Writes in a transaction, which takes some 40 ms. More would save nothing. */
const inBatch = 512;

/**
 * While other processes write, a transaction takes some 10 ms, and then leaves the lock free for as long. SQLite has no queue for the lock: a waiting
 * process polls it, in the end every 100 ms, and would otherwise hardly ever find it free.
 */
const inSharedBatch = 128;
/** In ms. */
const gap = 10;

/** In bytes; 0 for a missing file, such as the WAL before the first write. */
const sizeOf = (file: string): number => statSync(file, { throwIfNoEntry: false })?.size ?? 0;

export class SqliteStore implements Store, Readable {
  readonly #file: string;
  readonly #db: Connection;
  readonly #writer: WriterClient;
  readonly #search: SearchClient;
  readonly #reads: ReadonlyMap<KindName, Reads>;
  readonly changes: ChangeLog | undefined;
  readonly #inTransaction: <R>(reads: () => R) => R;
  readonly #memberships: Memberships;
  readonly #markClosed: () => void;

  constructor(file: string, kinds: Kinds, db: Connection, writer: WriterClient, isLogged: boolean) {
    this.#file = file;
    this.#markClosed = markOpen(file);
    this.#db = db;
    this.#writer = writer;
    this.#inTransaction = db.transaction((reads) => reads());
    const readLog = <R>(reads: () => R): R => this.#readTogether(reads);
    const members = kinds.relation.members.name;
    this.changes = isLogged
      ? new SqliteLog(db, members, readLog, (write) => writer.sendToLog(write))
      : undefined;
    this.#search = new SearchClient({ file, kinds: kinds.source }, (reason) =>
      writer.fail(new Error(reason)),
    );
    const all = tablesOf(kinds);
    this.#reads = new Map([...all].map(([name, tables]) => [name, new Reads(db, tables)]));
    this.#memberships = new Memberships(db, all.relation);
  }

  async find(kind: KindName, id: string): Promise<StoredResource | undefined> {
    return this.#read(() => ofKind(this.#reads, kind).find(id));
  }

  async findAll(kind: KindName, ids: readonly string[], client?: string): Promise<FoundById> {
    const reads = ofKind(this.#reads, kind);
    return this.#lookUpEach(ids, (id) => reads.find(id), { client });
  }

  async findAllBy(
    kind: KindName,
    filter: FilterName,
    keys: readonly string[],
    limit: number,
  ): Promise<FoundByKey> {
    const reads = ofKind(this.#reads, kind);
    const find = (key: string): readonly StoredResource[] | undefined => {
      const found = reads.findBy(filter, key, limit);
      return found.length > 0 ? found : undefined;
    };
    return this.#lookUpEach(keys, find);
  }

  async findMembers(group: string, users: readonly string[]): Promise<ReadonlySet<string>> {
    const isMember = (user: string): true | undefined => this.#memberships.isMember(group, user) || undefined;
    return new Set((await this.#lookUpEach(users, isMember)).keys());
  }

  async related(kind: KindName, ids: readonly string[], limit: number, client?: string): Promise<RelatedIds> {
    const { hasMembers } = ofKind(this.#reads, kind).tables;
    const find = (id: string): readonly string[] | undefined => {
      const found = hasMembers
        ? this.#memberships.membersOf(id, limit)
        : this.#memberships.groupsOf(id, limit);
      return found.length > 0 ? found : undefined;
    };
    const inTurn = Math.max(1, Math.floor(relatedInTurn / limit));
    return this.#lookUpEach(ids, find, { client, inTurn });
  }

  async page(kind: KindName, query: PageQuery): Promise<Page> {
    const reads = ofKind(this.#reads, kind);
    const read = this.#read(() => reads.page(query));
    const page = 'documents' in read ? read : await this.#search.page(kind, query, read);
    const { documents, ...places } = page;
    return { items: documents.map(reads.tables.read), ...places };
  }

  async commit(writes: readonly Write[], by: Actor): Promise<readonly Outcome[]> {
    return writeBatches(this.#writer, writes, by);
  }

  async check(): Promise<void> {
    this.#writer.assertAlive();
    for (const reads of this.#reads.values()) this.#read(() => reads.find(''));
  }

  readings(): StoreReadings {
    return { fileBytes: sizeOf(this.#file), logBytes: sizeOf(walOf(this.#file)) };
  }

  async close(): Promise<void> {
    // The last connection that closes copies the WAL into the file and removes it. So the readers close before a healthy writer, and after a
    // dead one, whose WAL the next start must recover.
    await this.#search.close();
    const { isDead } = this.#writer;
    if (!isDead) this.#db.close();
    await this.#writer.close();
    if (isDead) this.#db.close();
    this.#markClosed();
  }

  /** Finds values by keys, in several turns of the event loop. */
  async #lookUpEach<T>(
    keys: readonly string[],
    find: (key: string) => T | undefined,
    { client = '', inTurn = readsInTurn }: { client?: string | undefined; inTurn?: number } = {},
  ): Promise<ReadonlyMap<string, T>> {
    const found = new Map<string, T>();
    const lookUp = (some: readonly string[]): void => {
      for (const key of some) {
        const value = find(key);
        if (value !== undefined) found.set(key, value);
      }
    };
    for (let from = 0; from < keys.length; from += inTurn) {
      if (from > 0) await eventLoop.next(client);
      this.#readTogether(() => lookUp(keys.slice(from, from + inTurn)));
    }
    return found;
  }

  /** In one transaction: SQLite looks for other writers once, and all reads see one state. @throws as `#read` */
  #readTogether<R>(reads: () => R): R {
    return this.#read(() => this.#inTransaction(reads));
  }

  /** @throws DomainError `unavailable` */
  #read<R>(query: () => R): R {
    if (!this.#db.open) throw new DomainError('unavailable', 'The store is closed.');
    try {
      return query();
    } catch (cause) {
      if (sqliteCode(cause) === undefined) throw cause;
      // A damaged file may answer wrongly, and writes could damage more of it.
      if (isStorageFault(cause)) this.#writer.fail(new Error(describeError(cause), { cause }));
      throw new DomainError('unavailable', 'The store could not be read.', { cause });
    }
  }
}

/** Writes a load in transactions between which other processes can write to the file. @returns one outcome for each */
export async function writeBatches(
  writer: Pick<WriterClient, 'isShared' | 'send'>,
  writes: readonly Write[],
  by: Actor,
): Promise<readonly Outcome[]> {
  // Single writes share transactions anyway.
  if (writes.length === 1) return await writer.send(writes, by);
  const outcomes: Outcome[] = [];
  while (outcomes.length < writes.length) {
    const size = writer.isShared ? inSharedBatch : inBatch;
    const batch = writes.slice(outcomes.length, outcomes.length + size);
    outcomes.push(...(await writer.send(batch, by)));
    if (writer.isShared) await pause(gap);
  }
  return outcomes;
}
