/**
 * Checkpoints: copies the WAL into the file. SQLite could do so by itself after a commit, but would not report a failure, and the WAL would grow
 * without end.
 */

import { type Connection, logSizeLimit } from '../file/connection.ts';
import { freeSpaceBeside } from '../file/space.ts';
import { isFull, isPassing } from '../file/sqlite-errors.ts';
import { Wal, type WalState } from './wal.ts';
import { WalMark } from './wal-mark.ts';

/**
 * The WAL is copied each time it has grown by a step of `logSizeLimit`. A copy costs a few forced writes, which all pages of the step share. On a
 * small disk a step is this share of the free space, so that the file has room to grow, and at least `smallestStep` bytes.
 */
const shareOfSpace = 1 / 4;
const smallestStep = 2 ** 18;

/**
 * In steps. SQLite begins the WAL anew only when no connection reads from it, which never happens while several clients read all the time. From
 * this size on, a checkpoint keeps writers out and waits until all readers have left.
 */
const restartFrom = 4;

interface CheckpointOptions {
  /** In bytes, on the disk of the file. */
  readonly freeSpace?: () => number;
  /**
   * In ms: how long writers may wait for readers. Reads of the service are shorter than the default of 2000, except for the rarest searches.
   */
  readonly restartTimeout?: number;
}

export class Checkpoints {
  readonly #db: Connection;
  readonly #mark: WalMark;
  readonly #wal: Wal;
  readonly #onProblem: (message: string) => void;
  readonly #freeSpace: () => number;
  readonly #restartTimeout: number;
  /** The length of the WAL at the last attempt to copy it, in pages. */
  #tried = 0;
  /** The last restart that readers prevented; undefined once they have moved on. Sizes in pages. */
  #prevented: WalState | undefined;

  constructor(
    db: Connection,
    onProblem: (message: string) => void,
    { freeSpace = () => freeSpaceBeside(db.name), restartTimeout = 2000 }: CheckpointOptions = {},
  ) {
    this.#db = db;
    this.#freeSpace = freeSpace;
    this.#restartTimeout = restartTimeout;
    this.#mark = new WalMark(db);
    this.#wal = new Wal(db);
    this.#onProblem = onProblem;
  }

  /** Marks the WAL as that of the file, and copies what a killed process has left. @throws SqliteError when the storage fails */
  start(): void {
    this.#copyWal();
  }

  /** To be called after each commit, when its answers are on their way. It mostly takes microseconds. @throws SqliteError when the storage fails */
  afterCommit(): void {
    const log = this.#wal.length;
    this.#trying(() => {
      if (this.#mark.follow()) this.#tried = 0;
    });
    const grown = (log - this.#tried) * this.#wal.pageSize;
    if (grown < smallestStep || grown < this.#step()) return;
    this.#tried = log;
    this.#copyWal();
  }

  /** @returns undefined if others are at work, or the disk is full @throws SqliteError when the storage fails */
  #trying<T>(run: () => T, onFull: () => void = () => {}): T | undefined {
    try {
      return run();
    } catch (cause) {
      if (!isPassing(cause)) throw cause;
      if (isFull(cause)) onFull();
      return undefined;
    }
  }

  /** In bytes. */
  #step(): number {
    return Math.min(logSizeLimit, Math.max(smallestStep, shareOfSpace * this.#freeSpace()));
  }

  /**
   * For a full disk: copies the WAL, begins it anew in its own space, and frees most of that.
   * @returns whether the WAL has begun anew @throws SqliteError when the storage fails
   */
  makeRoom(): boolean {
    this.#wal.cutTo(smallestStep);
    const hasRestarted = this.#trying(() => {
      if (this.#restart().busy !== 0) return false;
      this.#markAnew();
      return true;
    });
    return hasRestarted === true;
  }

  /** For a WAL that has begun anew. */
  #markAnew(): void {
    this.#tried = 0;
    this.#mark.write();
  }

  /**
   * Copies the WAL into the file and empties it: neither has rows that were removed before.
   * @param timeout in ms, for readers of an earlier state of the file @param change changes the file itself while the WAL is empty
   * @returns whether all steps succeeded @throws SqliteError when the storage fails
   */
  purge(timeout: number, change?: () => void): boolean {
    const empty = () =>
      this.#wal.copy('TRUNCATE').busy === 0 && (change === undefined || this.#changeFile(change));
    const isDone = this.#trying(() => {
      if (!this.#mark.begin()) return false;
      // After a kill in between, the file must not ask for a WAL that is empty.
      this.#mark.write();
      if (!this.#wal.waitForReaders(timeout, empty)) return false;
      this.#markAnew();
      return true;
    });
    // From now on it asks for the new one.
    if (isDone) this.#copyWal();
    return isDone === true;
  }

  /**
   * Closes the connection. The last one empties the WAL into the file and removes it.
   * @throws SqliteError when the storage fails; the connection stays open then, until the thread ends
   */
  close(): void {
    this.#trying(() => {
      // SQLite doesn't report when its own last copy fails.
      this.#mark.write(true);
      this.#mark.clearingAfter(() => this.#wal.copy('PASSIVE'));
    });
    this.#mark.close();
    this.#db.close();
  }

  /** Copies as much as possible of a WAL that has lost its name. The mark stays, so that the next start asks for the WAL. */
  rescue(): void {
    try {
      this.#wal.copy('PASSIVE');
    } catch {
      // The storage has failed, which is reported already.
    }
  }

  /**
   * Runs `change` while no one writes: the transaction keeps writers out, and an empty WAL has nothing to copy.
   * @returns false if another process has written since the WAL was emptied
   */
  #changeFile(change: () => void): boolean {
    const run = this.#db.transaction(() => {
      if (!this.#mark.isEmpty) return false;
      change();
      // This commit tells other connections that their caches are outdated.
      this.#mark.write();
      return true;
    });
    const isDone = run.immediate();
    // This connection doesn't notice its own commit, so it drops its cache.
    this.#db.pragma('shrink_memory');
    return isDone;
  }

  #copyWal(): void {
    this.#trying(
      () => {
        if (!this.#mark.begin()) return;
        const prevented = this.#mark.clearingAfter(() => this.#checkpoint());
        if (prevented) this.#report(prevented);
      },
      () => this.makeRoom(),
    );
  }

  /**
   * After readers have prevented a restart, the next attempt waits until they have moved on, or the WAL has doubled.
   * @returns the state of the WAL if readers prevent a restart
   */
  #checkpoint(): WalState | undefined {
    const log = this.#wal.length;
    const step = this.#step();
    this.#wal.cutTo(Math.floor(step));
    const limit = Math.max((restartFrom * step) / this.#wal.pageSize, 2 * (this.#prevented?.log ?? 0));
    if (log < limit) {
      const state = this.#wal.copy('PASSIVE');
      if (this.#prevented && state.checkpointed > this.#prevented.checkpointed) this.#prevented = undefined;
      return undefined;
    }
    const state = this.#restart();
    this.#prevented = state.busy === 1 && state.log >= 0 ? state : undefined;
    return this.#prevented;
  }

  #restart(): WalState {
    return this.#wal.waitForReaders(this.#restartTimeout, () => this.#wal.copy('RESTART'));
  }

  #report({ log }: WalState): void {
    const size = `${Math.round((log * this.#wal.pageSize) / 2 ** 20)} MiB`;
    this.#onProblem(
      `The log beside the SQLite file has grown to ${size}, because a process has been reading one state of the file for too long; the log becomes smaller when this read ends.`,
    );
  }
}
