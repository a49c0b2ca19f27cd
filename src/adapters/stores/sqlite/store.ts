/**
 * Resources in one SQLite file. Point reads and plain pages run on the main thread, where a point read takes microseconds; searches in
 * a thread of their own; all writes go through one worker thread that commits what has queued up together. Several processes may share the
 * file.
 */
import { statSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import type { ChangeLog } from '../../../domain/changes/log.ts';
import type { FilterName } from '../../../domain/find/filters.ts';
import { type Kinds, ofKind } from '../../../domain/kinds.ts';
import type { Actor, Outcome, Page, PageQuery, Store, StoredResource, Write } from '../../../domain/store.ts';
import { DomainError, type KindName } from '../../../domain/validation/errors.ts';
import { eventLoop } from '../../scheduler/event-loop.ts';
import type { Readable, StoreReadings } from '../port/store-module.ts';
import { SqliteLog } from './changes/log.ts';
import { type Connection, describeError, isStorageFault, sqliteCode } from './file/connection.ts';
import { logOf } from './file/file-watch.ts';
import { tablesOf } from './layout/tables.ts';
import { Memberships } from './memberships.ts';
import { Reads } from './reads.ts';
import { SearchClient } from './search/client.ts';
import type { WriterClient } from './write/writer-client.ts';

/** Point reads in one turn of the event loop: some tenths of a millisecond. */
const readsInTurn = 64;

/** Ids of related resources that are found in one turn, unless one resource has more: a millisecond. */
const relatedInTurn = 1_000;

/** Writes in a transaction, some 40 ms. More would save nothing. */
const inBatch = 512;

/**
 * While other processes write: some 10 ms, and as long without the lock. SQLite has no queue for the lock: a process that waits polls,
 * finally every 100 ms, and would hardly ever find it free.
 */
const inSharedBatch = 128;
/** In milliseconds. */
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
  readonly #together: (reads: () => unknown) => unknown;
  /** Undefined without a kind that has members. */
  readonly #memberships: Memberships | undefined;

  constructor(file: string, kinds: Kinds, db: Connection, writer: WriterClient, isLogged: boolean) {
    this.#file = file;
    this.#db = db;
    this.#writer = writer;
    this.#together = db.transaction((reads: () => unknown) => reads());
    // In one transaction, so that SQLite checks once for other writers, and all is of one state.
    const readLog = <R>(reads: () => R): R => this.#read(() => this.#together(reads) as R);
    this.changes = isLogged ? new SqliteLog(db, readLog, (write) => writer.sendToLog(write)) : undefined;
    this.#search = new SearchClient({ file, kinds: kinds.source }, (reason) =>
      writer.fail(new Error(reason)),
    );
    const all = [...tablesOf(kinds).values()];
    this.#reads = new Map(all.map((tables) => [tables.kind.name, new Reads(db, tables)]));
    const [relation] = all.flatMap((tables) => tables.relation ?? []);
    this.#memberships = relation && new Memberships(db, relation);
  }

  async find(kind: KindName, id: string): Promise<StoredResource | undefined> {
    return this.#read(() => ofKind(this.#reads, kind).find(id));
  }

  async findAll(
    kind: KindName,
    ids: readonly string[],
    client?: string,
  ): Promise<ReadonlyMap<string, StoredResource>> {
    const reads = ofKind(this.#reads, kind);
    return this.#lookUpEach(ids, (id) => reads.find(id), { client });
  }

  async findAllBy(
    kind: KindName,
    filter: FilterName,
    keys: readonly string[],
    limit: number,
  ): Promise<ReadonlyMap<string, readonly StoredResource[]>> {
    const reads = ofKind(this.#reads, kind);
    const find = (key: string): readonly StoredResource[] | undefined => {
      const found = reads.findBy(filter, key, limit);
      return found.length > 0 ? found : undefined;
    };
    return this.#lookUpEach(keys, find);
  }

  async findMembers(group: string, users: readonly string[]): Promise<ReadonlySet<string>> {
    const isMember = (user: string): true | undefined =>
      this.#memberships?.isMember(group, user) || undefined;
    return new Set((await this.#lookUpEach(users, isMember)).keys());
  }

  async related(
    kind: KindName,
    ids: readonly string[],
    limit: number,
    client?: string,
  ): Promise<ReadonlyMap<string, readonly string[]>> {
    const { hasMembers } = ofKind(this.#reads, kind).tables;
    const find = (id: string): readonly string[] | undefined => {
      const found = hasMembers
        ? this.#memberships?.membersOf(id, limit)
        : this.#memberships?.groupsOf(id, limit);
      return found?.length ? found : undefined;
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
    return { fileBytes: sizeOf(this.#file), logBytes: sizeOf(logOf(this.#file)) };
  }

  async close(): Promise<void> {
    // The last connection to close copies the log into the file and removes it. That should be a healthy writer, so the readers close
    // first; after a writer's death the log must stay, for the next start to recover.
    await this.#search.close();
    const { isDead } = this.#writer;
    if (!isDead) this.#db.close();
    await this.#writer.close();
    if (isDead) this.#db.close();
  }

  /** Finds values by keys; the event loop has its turn after some. */
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
      // In one transaction, so that SQLite checks once for other writers.
      this.#read(() => this.#together(() => lookUp(keys.slice(from, from + inTurn))));
    }
    return found;
  }

  /** @throws DomainError `unavailable` */
  #read<R>(query: () => R): R {
    if (!this.#db.open) throw new DomainError('unavailable', 'The store is closed.');
    try {
      return query();
    } catch (cause) {
      if (sqliteCode(cause) === undefined) throw cause;
      // A write into a damaged file could damage more of it, and its answers may be wrong.
      if (isStorageFault(cause)) this.#writer.fail(new Error(describeError(cause), { cause }));
      throw new DomainError('unavailable', 'The store could not be read.', { cause });
    }
  }
}

/** Writes a load in transactions that leave room for other processes which write to the same file. @returns one outcome for each */
export async function writeBatches(
  writer: Pick<WriterClient, 'isShared' | 'send'>,
  writes: readonly Write[],
  by: Actor,
): Promise<readonly Outcome[]> {
  // The transactions of requests are shared anyway.
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
