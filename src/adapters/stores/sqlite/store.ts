/**
 * Users in one SQLite file. Reads run on the main thread, where a point read takes microseconds; all writes go
 * through one worker thread that commits what has queued up together. Several processes may share the file.
 */
import { statSync } from 'node:fs';
import { DomainError } from '../../../domain/base/errors.ts';
import type { FilterName } from '../../../domain/find/filters.ts';
import type { Conditions, UserQuery, UserStore, UserWrite, WriteOutcome } from '../../../domain/ports.ts';
import type { StoredUser } from '../../../domain/user/stored-user.ts';
import { eventLoop } from '../../scheduler/event-loop.ts';
import type { Readable, StoreReadings } from '../../store-module.ts';
import { type Connection, describeError, isStorageFault, sqliteCode } from './file/connection.ts';
import { logOf } from './file/file-watch.ts';
import { Reads } from './reads.ts';
import { Searches } from './search/searches.ts';
import { writeBatches } from './write/write-batches.ts';
import type { WriterClient } from './write/writer-client.ts';

/** Point reads in one turn of the event loop: some tenths of a millisecond. */
const readsInTurn = 64;

/** Finds values by keys, in steps. @param together runs its argument in one transaction, so that SQLite checks once for other writers */
function* lookUpEach<T>(
  keys: readonly string[],
  find: (key: string) => T | undefined,
  together: (reads: () => void) => void,
): Generator<undefined, ReadonlyMap<string, T>, void> {
  const found = new Map<string, T>();
  for (let from = 0; from < keys.length; from += readsInTurn) {
    if (from > 0) yield;
    together(() => {
      for (const key of keys.slice(from, from + readsInTurn)) {
        const value = find(key);
        if (value !== undefined) found.set(key, value);
      }
    });
  }
  return found;
}

/** In bytes; 0 for a missing file, such as the WAL before the first write. */
const sizeOf = (file: string): number => statSync(file, { throwIfNoEntry: false })?.size ?? 0;

export class SqliteStore implements UserStore, Readable {
  readonly #file: string;
  readonly #db: Connection;
  readonly #reads: Reads;
  readonly #searches: Searches;
  readonly #writer: WriterClient;
  readonly #together: (reads: () => void) => void;

  constructor(file: string, db: Connection, writer: WriterClient) {
    this.#file = file;
    this.#db = db;
    this.#reads = new Reads(db);
    this.#searches = new Searches(file, (reason) => writer.fail(new Error(reason)));
    this.#writer = writer;
    this.#together = db.transaction((reads: () => void) => reads());
  }

  async find(id: string): Promise<StoredUser | undefined> {
    return this.#read(() => this.#reads.find(id));
  }

  async findAll(ids: readonly string[]): Promise<ReadonlyMap<string, StoredUser>> {
    return this.#inSteps(lookUpEach(ids, (id) => this.#reads.find(id), this.#together));
  }

  async findAllBy(
    filter: FilterName,
    keys: readonly string[],
    limit: number,
  ): Promise<ReadonlyMap<string, readonly StoredUser[]>> {
    const find = (key: string): readonly StoredUser[] | undefined => {
      const users = this.#reads.findBy(filter, key, limit);
      return users.length > 0 ? users : undefined;
    };
    return this.#inSteps(lookUpEach(keys, find, this.#together));
  }

  async list(query: UserQuery): Promise<StoredUser[]> {
    return this.#read(() => this.#reads.list(query)) ?? this.#searches.list(query);
  }

  async count(conditions: Conditions): Promise<number> {
    return this.#read(() => this.#reads.count(conditions)) ?? this.#searches.count(conditions);
  }

  async #inSteps<T>(steps: Generator<undefined, T, void>): Promise<T> {
    for (;;) {
      const step = this.#read(() => steps.next());
      if (step.done) return step.value;
      await eventLoop.next('');
    }
  }

  async insert(user: StoredUser): Promise<void> {
    await this.#writer.send({ kind: 'insert', document: user.text });
  }

  async replace(user: StoredUser, version: string): Promise<boolean> {
    return this.#writer.send({ kind: 'replace', document: user.text, version });
  }

  async writeAll(writes: readonly UserWrite[]): Promise<readonly WriteOutcome[]> {
    return writeBatches(
      this.#writer,
      writes.map(({ user: { text }, version }) =>
        version === undefined
          ? { kind: 'insert', document: text }
          : { kind: 'replace', document: text, version },
      ),
    );
  }

  async remove(id: string, version: string): Promise<boolean> {
    return this.#writer.send({ kind: 'remove', id, version });
  }

  async mark(name: string): Promise<string | undefined> {
    return this.#read(() => this.#reads.mark(name));
  }

  async setMark(name: string, value: string): Promise<void> {
    await this.#writer.send({ kind: 'mark', name, value });
  }

  async check(): Promise<void> {
    this.#writer.assertAlive();
    this.#read(() => this.#reads.find(''));
  }

  readings(): StoreReadings {
    return { fileBytes: sizeOf(this.#file), logBytes: sizeOf(logOf(this.#file)) };
  }

  async close(): Promise<void> {
    // The last connection to close copies the log into the file and removes it. That should be a healthy writer, so the readers close
    // first; after a writer's death the log must stay, for the next start to recover.
    await this.#searches.close();
    const isDead = this.#writer.isDead;
    if (!isDead) this.#db.close();
    await this.#writer.close();
    if (isDead) this.#db.close();
  }

  #read<T>(query: () => T): T {
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
