/**
 * Users in one SQLite file. Reads run on the main thread, where a point read takes microseconds; all writes go
 * through one worker thread that commits what has queued up together. Several processes may share the file.
 */
import { closeSync, openSync, statfsSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { DomainError } from '../../domain/errors.ts';
import type { KeptUser } from '../../domain/kept-user.ts';
import type { UserQuery, UserStore } from '../../domain/ports.ts';
import type { User } from '../../domain/user.ts';
import { makeFolder } from '../files.ts';
import { type Connection, described, isStorageFault, openConnection, sqliteCode } from './connection.ts';
import { assertLogFits } from './log-fit.ts';
import type { WriterData } from './protocol.ts';
import { Reads } from './reads.ts';
import { assertReadableBy, schemaVersion } from './schema.ts';
import { assertSound } from './soundness.ts';
import { assertUsableFile } from './usable-file.ts';
import { WriterClient } from './writer-client.ts';

export interface SqliteOptions {
  /** Made when missing, readable by its owner only, as are the folders above it. Must be on a local disk. */
  readonly file: string;
  /**
   * Called once, when nobody knows any more what the file holds (an I/O error, also of a checkpoint or a read; damage; the file moved
   * away; the writer's death). Every write from then on is `unavailable`: the process should end, and recover by starting again.
   */
  readonly onFatal: (cause: unknown) => void;
  /** Told what an operator should know and the service lives through. Fit for a log. */
  readonly onProblem?: (message: string) => void;
  /** Told what is in order and can't be seen otherwise, such as that there was no file. Fit for a log. */
  readonly onNotice?: (message: string) => void;
  /** More writes than this without an answer are `unavailable` at once; 10,000 by default. */
  readonly maxQueued?: number;
  /** How long writes wait for another process's, in milliseconds, before they are `unavailable`; 5,000 by default. */
  readonly busyTimeout?: number;
}

/** Readers wait for nobody while the log is on; should they ever, the event loop must not stand still for long. */
const readBusyTimeout = 100;

class SqliteStore implements UserStore {
  readonly #db: Connection;
  readonly #reads: Reads;
  readonly #writer: WriterClient;

  constructor(db: Connection, writer: WriterClient) {
    this.#db = db;
    this.#reads = new Reads(db);
    this.#writer = writer;
  }

  async find(id: string): Promise<KeptUser | undefined> {
    return this.#read(() => this.#reads.find(id));
  }

  async list(query: UserQuery): Promise<KeptUser[]> {
    const steps = this.#reads.list(query);
    for (;;) {
      const step = this.#read(() => steps.next());
      if (step.done) return step.value;
      await turn();
    }
  }

  async insert(user: User): Promise<void> {
    await this.#writer.send({ kind: 'insert', document: JSON.stringify(user) });
  }

  async replace(user: User, version: string): Promise<boolean> {
    return this.#writer.send({ kind: 'replace', document: JSON.stringify(user), version });
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

  async close(): Promise<void> {
    // Only a writer that is the last to leave can empty the log into the file: one that is well shall, so the reader goes first.
    // One that has died must not: the log is for the next start to recover.
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
      if (isStorageFault(cause)) this.#writer.fail(new Error(described(cause), { cause }));
      throw new DomainError('unavailable', 'The store could not be read.', { cause });
    }
  }
}

/**
 * Opens the file, bringing one of an earlier release up to date; returns when it can serve.
 * @throws Error whose message names the file and what is wrong with it, fit for an operator. A file that isn't ours or
 *   that a newer release wrote is left as it is.
 */
export async function openSqliteStore(options: SqliteOptions): Promise<UserStore> {
  const file = resolve(options.file);
  try {
    assertUsableFile(file);
    await assertLogFits(file);
    prepareFile(file);
    await assertSound(file);
    const layout = assertReadableBy(file);
    const store = await opened(file, options);
    const notice = noticeOf(file, layout);
    if (notice !== undefined) options.onNotice?.(notice);
    return store;
  } catch (cause) {
    throw new Error(`The SQLite file ${file} can't be used: ${reasonOf(cause)}${roomBelow(dirname(file))}`, {
      cause,
    });
  }
}

/** An operator whose disk was not mounted, or who would go back to the release before, has no other sign of it. */
function noticeOf(file: string, layout: number): string | undefined {
  if (layout === 0) return `The SQLite file ${file} was not there, or empty: it begins with no users.`;
  if (layout === schemaVersion) return undefined;
  return `The SQLite file ${file} was brought up to layout ${schemaVersion}: releases that know ${layout} refuse it from now on.`;
}

/** SQLite's message alone, such as "disk I/O error", would leave open what it was. */
const reasonOf = (cause: unknown): string => {
  if (sqliteCode(cause) !== undefined) return described(cause);
  return cause instanceof Error ? cause.message : described(cause);
};

/** A full disk shows in many ways: said, where it may be the reason. */
function roomBelow(folder: string): string {
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

async function opened(file: string, options: SqliteOptions): Promise<UserStore> {
  const { onFatal, onProblem = () => {}, maxQueued = 10_000, busyTimeout = 5_000 } = options;
  const workerData: WriterData = { file, busyTimeout };
  const worker = new Worker(new URL('./writer.js', import.meta.url), { workerData });
  const writer = new WriterClient(worker, { onFatal, onProblem, maxQueued });
  await writer.started();
  try {
    return new SqliteStore(openConnection(file, { readonly: true, busyTimeout: readBusyTimeout }), writer);
  } catch (cause) {
    await writer.close();
    throw cause;
  }
}
