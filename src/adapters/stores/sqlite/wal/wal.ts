/** The WAL of a connection: its length, its limit, and SQLite's ways to copy it. */

import { openSync, readSync } from 'node:fs';
import type { Connection } from '../file/connection.ts';
import { sharedMemoryOf } from '../file/database-files.ts';

export interface WalState {
  /** 1 if other connections prevented the checkpoint. */
  readonly busy: number;
  /** In pages; both are -1 without a WAL, and while another connection makes a checkpoint. */
  readonly log: number;
  readonly checkpointed: number;
}

export class Wal {
  readonly #db: Connection;
  /** In the machine's byte order. */
  readonly #length = new Uint32Array(1);
  #fd: number | undefined;
  readonly pageSize: number;

  constructor(db: Connection) {
    this.#db = db;
    this.pageSize = Number(db.pragma('page_size', { simple: true }));
  }

  /**
   * In pages, from the header of the memory that all processes share (https://www.sqlite.org/walformat.html#the_wal_index_header).
   * `PRAGMA wal_checkpoint(NOOP)` returns it, too, but takes a lock: after each commit of a client that is alone, it took up to a twelfth of the
   * write.
   */
  get length(): number {
    // Stays open until the thread ends: closing it would release the locks of this process's connections.
    this.#fd ??= openSync(sharedMemoryOf(this.#db.name), 'r');
    readSync(this.#fd, this.#length, 0, this.#length.byteLength, 16);
    return this.#length[0] ?? 0;
  }

  /** @throws SqliteError when the storage fails, or others are at work */
  copy(mode: 'PASSIVE' | 'RESTART' | 'TRUNCATE'): WalState {
    const [state] = this.#db.pragma(`wal_checkpoint(${mode})`) as [WalState];
    return state;
  }

  /** @param size in bytes: the length to which the WAL is cut when it begins anew */
  cutTo(size: number): void {
    this.#db.pragma(`journal_size_limit = ${size}`);
  }

  /** @param timeout in ms: how long `run` may wait for readers, and keep writers out */
  waitForReaders<T>(timeout: number, run: () => T): T {
    const before = this.#db.pragma('busy_timeout', { simple: true });
    this.#db.pragma(`busy_timeout = ${timeout}`);
    try {
      return run();
    } finally {
      this.#db.pragma(`busy_timeout = ${before}`);
    }
  }
}
