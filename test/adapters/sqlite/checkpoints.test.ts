import { statSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { expect } from 'chai';
import { Checkpoints } from '../../../src/adapters/sqlite/checkpoints.ts';
import { type Connection, logSizeLimit, openConnection } from '../../../src/adapters/sqlite/connection.ts';
import { migrate, migrations } from '../../../src/adapters/sqlite/schema.ts';
import { aFolder } from './a-file.ts';

const mebibyte = 2 ** 20;

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
    db = openConnection(file, { readonly: false, busyTimeout: 1000 });
    db.pragma('synchronous = OFF');
    migrate(db);
    told = [];
    checkpoints = new Checkpoints(db, (message) => told.push(message));
    checkpoints.start();
  });
  afterEach(() => {
    if (db.open) db.close();
    folder.remove();
  });

  const logSize = (): number => statSync(`${file}-wal`).size;

  function write(mebibytes: number): void {
    const fill = db.prepare('INSERT INTO filling VALUES (zeroblob(?))');
    for (let count = 0; count < mebibytes; count += 1) {
      fill.run(mebibyte);
      checkpoints.afterCommit();
    }
  }

  it('is copied into the file and begun anew, so that it grows little beyond its limit', () => {
    write(100);
    expect(logSize()).to.be.below(logSizeLimit + 4 * mebibyte);
    expect(statSync(file).size).to.be.above(80 * mebibyte);
    expect(told).to.deep.equal([]);
  });
  it('is told of, not at every write, when another program’s reading keeps it growing, and is cut afterwards', () => {
    const other = new Database(file, { readonly: true });
    other.exec('BEGIN');
    other.prepare('SELECT count(*) FROM filling').get();
    write(150);
    expect(told).to.have.length(2);
    expect(told[0]).to.match(/has grown to (?:6\d|7\d) MiB.*another program/);
    expect(logSize()).to.be.above(100 * mebibyte);
    other.exec('COMMIT');
    other.close();
    write(20);
    expect(logSize()).to.be.below(logSizeLimit + 4 * mebibyte);
  });
  it('is gone when the last one closes the file, which then says of itself that it needs none', () => {
    write(1);
    checkpoints.close();
    expect(statSync(`${file}-wal`, { throwIfNoEntry: false })).to.equal(undefined);
    const after = new Database(file);
    expect(after.pragma('user_version', { simple: true })).to.equal(migrations.length);
    after.close();
  });
});
