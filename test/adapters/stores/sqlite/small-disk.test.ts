import { once } from 'node:events';
import { copyFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import Database from 'better-sqlite3';
import { expect } from 'chai';
import { type Connection, openConnection } from '../../../../src/adapters/stores/sqlite/file/connection.ts';
import { createLayout } from '../../../../src/adapters/stores/sqlite/layout/layout.ts';
import { Checkpoints } from '../../../../src/adapters/stores/sqlite/wal/checkpoints.ts';
import { assertWalFits } from '../../../../src/adapters/stores/sqlite/wal/wal-fit.ts';
import { WalMark } from '../../../../src/adapters/stores/sqlite/wal/wal-mark.ts';
import { deadline } from '../../../support/deadlines.ts';
import { giveFile, tables } from './a-file.ts';

const mebibyte = 2 ** 20;

describe('The WAL of a SQLite file on a small disk', () => {
  let file: string;
  let db: Connection;
  let space: number;
  let checkpoints: Checkpoints;
  let folder: string;
  giveFile((path, around) => {
    file = path;
    folder = around;
  });
  beforeEach(() => {
    new Database(file).exec('CREATE TABLE filling (bytes)').close();
    db = openConnection(file, { readonly: false, busyTimeout: deadline });
    db.pragma('synchronous = OFF');
    createLayout(db, tables);
    space = 16 * mebibyte;
    const options = { freeSpace: () => space, restartTimeout: deadline };
    checkpoints = new Checkpoints(db, () => {}, options);
    checkpoints.start();
  });
  afterEach(() => db.close());

  const sizeOf = (path: string): number => statSync(path).size;

  /** Writes the same bytes again and again, so that only the WAL grows. */
  function write(kibibytes: number): void {
    const fill = db.prepare('INSERT OR REPLACE INTO filling (rowid, bytes) VALUES (1, randomblob(16384))');
    for (let written = 0; written < kibibytes; written += 16) {
      fill.run();
      checkpoints.afterCommit();
    }
  }

  const expectFit = async (): Promise<void> => {
    const copy = join(folder, 'copy.db');
    for (const suffix of ['', '-wal', '-shm']) copyFileSync(file + suffix, copy + suffix);
    await assertWalFits(copy);
  };

  it('is copied and restarted at a share of the free space', () => {
    write(20 * 1024);
    expect(sizeOf(`${file}-wal`)).to.be.below(5 * mebibyte);
    space = 2 * mebibyte;
    write(20 * 1024);
    expect(sizeOf(`${file}-wal`)).to.be.below(mebibyte);
  });

  it('is restarted while others read all the time, before it fills the disk', async () => {
    space = 2 * mebibyte;
    write(16);
    const readers = new Worker(new URL('./reading-all-the-time.ts', import.meta.url), { workerData: file });
    try {
      await once(readers, 'message');
      write(20 * 1024);
    } finally {
      await readers.terminate();
    }
    expect(sizeOf(`${file}-wal`)).to.be.below(3 * mebibyte);
  });

  it('belongs to its file at each step of a restart on a full disk', async () => {
    const mark = new WalMark(db);
    write(512);
    db.pragma('wal_checkpoint(RESTART)');
    await expectFit();
    mark.begin();
    await expectFit();
    expect(checkpoints.makeRoom()).to.equal(true);
    await expectFit();
    write(16);
    await expectFit();
  });
  it('belongs to its file at each step of being emptied, and is empty then', async () => {
    const mark = new WalMark(db);
    write(512);
    mark.begin();
    mark.write();
    await expectFit();
    db.pragma('wal_checkpoint(TRUNCATE)');
    await expectFit();
    write(512);
    expect(checkpoints.purge(deadline)).to.equal(true);
    await expectFit();
    expect(sizeOf(`${file}-wal`)).to.be.below(32 * 1024);
    write(16);
    await expectFit();
  });
});
