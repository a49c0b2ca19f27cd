import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import Database from 'better-sqlite3';
import { expect } from 'chai';
import {
  type Connection,
  logSizeLimit,
  openConnection,
} from '../../../../src/adapters/stores/sqlite/file/connection.ts';
import { createLayout } from '../../../../src/adapters/stores/sqlite/layout/layout.ts';
import { Checkpoints } from '../../../../src/adapters/stores/sqlite/wal/checkpoints.ts';
import { markIn } from '../../../../src/adapters/stores/sqlite/wal/wal-mark.ts';
import { deadline } from '../../../support/deadlines.ts';
import { aFolder, tables } from './a-file.ts';

const mebibyte = 2 ** 20;

/** A program that reads one state of a file until its standard input ends. */
const readOn = `
  const db = require('better-sqlite3')(process.argv[1], { readonly: true });
  db.exec('BEGIN');
  console.log(db.prepare('SELECT count(*) FROM filling').get());
  process.stdin.resume().once('end', () => db.close());
`;

describe('The log beside the SQLite file', () => {
  let folder: ReturnType<typeof aFolder>;
  let file: string;
  let db: Connection;
  let told: string[];
  let checkpoints: Checkpoints;

  beforeEach(() => {
    folder = aFolder();
    file = join(folder.path, 'users.db');
    new Database(file).exec('CREATE TABLE filling (bytes)').close();
    db = openConnection(file, { readonly: false, busyTimeout: deadline });
    db.pragma('synchronous = OFF');
    createLayout(db, tables);
    told = [];
    open(deadline);
  });
  afterEach(() => {
    if (db.open) db.close();
    folder.remove();
  });

  /** @param restartTimeout in ms */
  function open(restartTimeout: number): void {
    checkpoints = new Checkpoints(db, (message) => told.push(message), { restartTimeout });
    checkpoints.start();
  }

  const logSize = (): number => statSync(`${file}-wal`).size;

  function write(mebibytes: number): void {
    const fill = db.prepare('INSERT INTO filling VALUES (zeroblob(?))');
    for (let count = 0; count < mebibytes; count += 1) {
      fill.run(mebibyte);
      checkpoints.afterCommit();
    }
  }

  it('is copied into the file and restarted, so that it grows little beyond its limit', () => {
    write(100);
    expect(logSize()).to.be.below(logSizeLimit + 4 * mebibyte);
    expect(statSync(file).size).to.be.above(80 * mebibyte);
    expect(told).to.deep.equal([]);
  });
  it('restarts while other connections read all the time, each for a short time', async () => {
    write(1);
    const readers = new Worker(new URL('./reading-all-the-time.ts', import.meta.url), { workerData: file });
    try {
      await once(readers, 'message');
      write(200);
    } finally {
      await readers.terminate();
    }
    expect(logSize()).to.be.below(5 * logSizeLimit);
    expect(told).to.deep.equal([]);
  });
  it("is reported, but not at each write, when another program's read keeps it growing, and is truncated afterwards", async () => {
    write(1);
    const other = spawn(process.execPath, ['-e', readOn, file], { stdio: ['pipe', 'pipe', 'inherit'] });
    await once(other.stdout, 'data');
    open(1);
    write(150);
    expect(told).to.have.length(2);
    expect(told[0]).to.match(/has grown to (?:6|7)\d MiB, because a process has been reading/);
    expect(logSize()).to.be.above(100 * mebibyte);
    other.stdin.end();
    await once(other, 'exit');
    open(deadline);
    write(20);
    expect(logSize()).to.be.below(logSizeLimit + 4 * mebibyte);
  });
  it('is gone when the last connection closes, and the file is marked as complete without it', () => {
    write(1);
    checkpoints.close();
    expect(statSync(`${file}-wal`, { throwIfNoEntry: false })).to.equal(undefined);
    const after = new Database(file);
    expect(markIn(Number(after.pragma('user_version', { simple: true }))).isFile).to.equal(false);
    after.close();
  });
});
