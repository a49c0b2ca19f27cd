/**
 * When the log is copied into the file. SQLite would do it by itself after a commit, and keep to itself that it failed: the log then grows
 * without end, unseen. Here it is done in the open.
 */
import type { Statement } from 'better-sqlite3';
import { type Connection, logSizeLimit, sqliteCode } from './connection.ts';
import { LogMark, type Mark } from './log-mark.ts';

/** In pages: with those of 4 KiB the log is copied from 16 MiB on. Each time costs a few forced writes, shared by all these pages. */
const every = logSizeLimit / 4096;

/** In bytes: from here on an operator is told, and again whenever it has doubled. */
const toldFrom = 4 * logSizeLimit;

interface LogState {
  readonly busy: number;
  /** In pages; both are -1 while there is no log. */
  readonly log: number;
  readonly checkpointed: number;
}

/** Passing: others are at it, or the disk is full; what is in the log is safe there. */
const isPassing = (cause: unknown): boolean => /^SQLITE_(?:BUSY|FULL)/.test(sqliteCode(cause) ?? '');

export class Checkpoints {
  readonly #db: Connection;
  readonly #mark: LogMark;
  readonly #onProblem: (message: string) => void;
  readonly #look: Statement<[], LogState>;
  readonly #copy: Statement<[], LogState>;
  readonly #pageSize: number;
  /** How long the log was after the last commit, and when it was last tried; in pages. */
  #length = 0;
  #tried = 0;
  #lastMark: Mark | undefined;
  #told = 0;

  constructor(db: Connection, onProblem: (message: string) => void) {
    this.#db = db;
    this.#mark = new LogMark(db);
    this.#onProblem = onProblem;
    this.#look = db.prepare<[], LogState>('PRAGMA wal_checkpoint(NOOP)');
    this.#copy = db.prepare<[], LogState>('PRAGMA wal_checkpoint(PASSIVE)');
    this.#pageSize = Number(db.pragma('page_size', { simple: true }));
  }

  /** Ties the log to the file. @throws SqliteError when the storage fails */
  start(): void {
    if (this.#mark.read().place !== 'log') this.#copyLog();
  }

  /** For after every commit, when its answers are on their way: microseconds, mostly. @throws SqliteError when the storage fails */
  afterCommit(): void {
    const { log } = this.#look.get() ?? { log: 0 };
    const begunAnew = log < this.#length;
    this.#length = log;
    if (begunAnew) this.#tried = 0;
    if (log - this.#tried < every && !(begunAnew && this.#isUntied())) return;
    this.#tried = log;
    this.#copyLog();
  }

  /** Another program has had the log copied, and it began anew without a mark of its own. Other processes of ours set one. */
  #isUntied(): boolean {
    const before = this.#lastMark;
    this.#lastMark = this.#mark.read();
    return this.#lastMark.place !== 'log' || this.#lastMark.id === before?.id;
  }

  /**
   * Closes the connection. The last one empties the log into the file and removes it.
   * @throws SqliteError when the storage fails; then the connection is left open, and the log for the next start
   */
  close(): void {
    try {
      // Not cleared, the file says `log` and has none: that is how other programs leave it, and as good.
      this.#mark.clear();
      this.#copy.get();
    } catch (cause) {
      if (!isPassing(cause)) throw cause;
    }
    this.#db.close();
  }

  /** Copies what is in a log that nobody will find, as far as it can: the mark stays, so that the next start asks for the log. */
  rescue(): void {
    try {
      this.#copy.get();
    } catch {
      // The storage has failed, which is being told.
    }
  }

  #copyLog(): void {
    try {
      const mark = this.#mark.toFile();
      if (mark === undefined) return;
      const { busy, log, checkpointed } = this.#copy.get() ?? { busy: 1, log: 0, checkpointed: 0 };
      // A process that closed the file meanwhile has cleared the mark: then the log has none until the next time.
      this.#mark.toLog(mark);
      this.#lastMark = this.#mark.read();
      this.#length = this.#look.get()?.log ?? 0;
      if (busy === 0 && checkpointed === log) this.#told = 0;
      else this.#tellOfSize(log * this.#pageSize);
    } catch (cause) {
      if (!isPassing(cause)) throw cause;
    }
  }

  #tellOfSize(bytes: number): void {
    if (bytes < toldFrom || bytes < 2 * this.#told) return;
    this.#told = bytes;
    const size = `${Math.round(bytes / 2 ** 20)} MiB`;
    this.#onProblem(
      `The log beside the SQLite file has grown to ${size}, because another program has been reading from the file for long; end that program's reading.`,
    );
  }
}
