/**
 * Users in one SQLite file. Reads run on the main thread, where a point read takes microseconds; all writes go
 * through one worker thread that commits what has queued up together. Several processes may share the file.
 */
import { closeSync, openSync, realpathSync, statfsSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { Worker } from 'node:worker_threads';
import { DomainError } from '../../../domain/errors.ts';
import type { FilterName } from '../../../domain/filters.ts';
import type { Conditions, UserQuery, UserStore, UserWrite, WriteOutcome } from '../../../domain/ports.ts';
import type { StoredUser } from '../../../domain/stored-user.ts';
import { makeFolder } from '../../files.ts';
import type { Readable, StoreReadings } from '../../store-module.ts';
import { Turns } from '../../turns.ts';
import {
  type Connection,
  describeError,
  isStorageFault,
  openConnection,
  smallCaches,
  sqliteCode,
} from './connection.ts';
import { logOf } from './file-watch.ts';
import { assertUndamaged } from './integrity.ts';
import { assertLogFits } from './log-fit.ts';
import { assertDriverLoads } from './native-driver.ts';
import { Queries } from './queries.ts';
import { Reads } from './reads.ts';
import { assertReadable, schemaVersion } from './schema.ts';
import { assertUsableFile } from './usable-file.ts';
import { writeBatches } from './write-batches.ts';
import { WriterClient } from './writer-client.ts';
import type { WriterData } from './writer-messages.ts';

export interface SqliteOptions {
  /** Made when missing, readable by its owner only, as are the folders above it. Must be on a local disk. */
  readonly file: string;
  /**
   * Called once, when the content of the file is uncertain (an I/O error, also of a checkpoint or a read; damage; the file moved
   * away; the writer's death). Every write from then on is `unavailable`: the process should end, and recover by starting again.
   */
  readonly onFatal: (cause: unknown) => void;
  /** Called with a line for the log, about trouble that the service survives. */
  readonly onProblem?: (message: string) => void;
  /** Told what is in order and can't be seen otherwise, such as that there was no file. Fit for a log. */
  readonly onNotice?: (message: string) => void;
  /** Called after each commit, with how many writes it had. */
  readonly onCommit?: ((writes: number) => void) | undefined;
  /** More writes than this without an answer are `unavailable` at once; 10,000 by default. */
  readonly maxQueued?: number;
  /** How long writes wait for another process's, in milliseconds, before they are `unavailable`; 5,000 by default. */
  readonly busyTimeout?: number;
  /** See `StoreHooks`. */
  readonly isPassedThrough?: boolean | undefined;
}

/** The writer keeps little beyond a batch. Room for new values only: more would go to garbage that waits. */
const smallHeap = { maxYoungGenerationSizeMb: 4 };

/** In milliseconds. With a write-ahead log readers never wait; if they should, the event loop must not be blocked for long. */
const readBusyTimeout = 100;

/** Point reads in one turn of the event loop: some tenths of a millisecond. */
const readsInTurn = 64;

/** What is found by the keys, in steps. @param together runs its argument in one transaction, so that SQLite looks once for what others wrote */
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

/** In bytes; 0 for a file that isn't there, as the log isn't before the first write. */
const sizeOf = (file: string): number => statSync(file, { throwIfNoEntry: false })?.size ?? 0;

class SqliteStore implements UserStore, Readable {
  readonly #file: string;
  readonly #db: Connection;
  readonly #reads: Reads;
  readonly #queries: Queries;
  readonly #turns = new Turns();
  readonly #writer: WriterClient;
  readonly #together: (reads: () => void) => void;

  constructor(file: string, db: Connection, writer: WriterClient) {
    this.#file = file;
    this.#db = db;
    this.#reads = new Reads(db);
    this.#queries = new Queries(db);
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
    return this.#inSteps(this.#queries.list(query));
  }

  async count(conditions: Conditions): Promise<number> {
    return this.#inSteps(this.#queries.count(conditions));
  }

  async #inSteps<T>(steps: Generator<undefined, T, void>): Promise<T> {
    for (;;) {
      const step = this.#read(() => steps.next());
      if (step.done) return step.value;
      await this.#turns.wait();
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
    // The last connection to close copies the log into the file and removes it. That should be a healthy writer, so the reader closes
    // first; after a writer's death the log must stay, for the next start to recover.
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
      // A write into a damaged file could damage more of it, and what is answered from it may be wrong.
      if (isStorageFault(cause)) this.#writer.fail(new Error(describeError(cause), { cause }));
      throw new DomainError('unavailable', 'The store could not be read.', { cause });
    }
  }
}

/**
 * Opens the file, bringing one of an earlier release up to date; returns when it can serve.
 * @throws Error whose message names the file and what is wrong with it, fit for an operator. A file that isn't ours or
 *   that a newer release wrote is left as it is.
 */
export async function openSqliteStore(options: SqliteOptions): Promise<UserStore & Readable> {
  const file = resolve(options.file);
  try {
    assertDriverLoads();
    assertUsableFile(file);
    await assertLogFits(file);
    prepareFile(file);
    await assertUndamaged(file);
    const layout = assertReadable(file);
    if (isEarlier(layout))
      options.onNotice?.(
        `The SQLite file ${file} has layout ${layout}, which is being changed to ${schemaVersion}.`,
      );
    const store = await openReaderAndWriter(file, options);
    const notice = noticeOf(file, layout);
    if (notice !== undefined) options.onNotice?.(notice);
    return store;
  } catch (cause) {
    throw new Error(
      `The SQLite file ${file} can't be used: ${reasonOf(cause)}${noteFullDisk(dirname(file))}`,
      {
        cause,
      },
    );
  }
}

/** 0 is an empty file's. */
const isEarlier = (layout: number): boolean => layout > 0 && layout < schemaVersion;

/** An operator whose disk was not mounted, or who would go back to the release before, has no other sign of it. */
function noticeOf(file: string, layout: number): string | undefined {
  if (layout === 0) return `The SQLite file ${file} was not there, or empty: it begins with no users.`;
  if (!isEarlier(layout)) return undefined;
  return `The SQLite file ${file} was brought up to layout ${schemaVersion}: releases that know ${layout} refuse it from now on.`;
}

/** SQLite's message alone, such as "disk I/O error", would leave open what it was. */
const reasonOf = (cause: unknown): string => {
  if (sqliteCode(cause) !== undefined) return describeError(cause);
  return cause instanceof Error ? cause.message : describeError(cause);
};

/** A full disk causes errors of many kinds, so it is mentioned with each of them. */
function noteFullDisk(folder: string): string {
  try {
    return statfsSync(folder).bavail === 0 ? ' (the disk is full)' : '';
  } catch {
    return '';
  }
}

/** SQLite gives the files beside it the same mode. */
function prepareFile(file: string): void {
  makeFolder(dirname(file));
  closeSync(openSync(file, 'a', 0o600));
}

async function openReaderAndWriter(file: string, options: SqliteOptions): Promise<SqliteStore> {
  const {
    onFatal,
    onProblem = () => {},
    onNotice = () => {},
    maxQueued = 10_000,
    busyTimeout = 5_000,
    onCommit = () => {},
    isPassedThrough = false,
  } = options;
  const caches = isPassedThrough ? smallCaches : undefined;
  const workerData: WriterData = { file, busyTimeout, cache: caches?.writer };
  const worker = new Worker(new URL('./writer.js', import.meta.url), {
    workerData,
    ...(isPassedThrough ? { resourceLimits: smallHeap } : {}),
  });
  const writer = new WriterClient(worker, { onFatal, onProblem, onNotice, onCommit, maxQueued });
  await writer.waitUntilStarted();
  try {
    const cache = caches?.reader;
    const db = openConnection(file, { readonly: true, busyTimeout: readBusyTimeout, cache });
    // SQLite's log lies beside the file itself, not beside a link to it.
    return new SqliteStore(realpathSync(file), db, writer);
  } catch (cause) {
    await writer.close();
    throw cause;
  }
}
