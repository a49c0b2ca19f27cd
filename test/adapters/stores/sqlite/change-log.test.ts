import { join } from 'node:path';
import { expect } from 'chai';
import { backUp, restore } from '../../../../src/adapters/stores/sqlite/backup.ts';
import { openConnection } from '../../../../src/adapters/stores/sqlite/file/connection.ts';
import { openSqliteStore } from '../../../../src/adapters/stores/sqlite/open-store.ts';
import type { Cursor, Start } from '../../../../src/domain/changes/log.ts';
import { beingFilled, fillingLine } from '../../../../src/domain/changes/moves.ts';
import type { Store } from '../../../../src/domain/store.ts';
import { DomainError } from '../../../../src/domain/validation/errors.ts';
import { changeLogCases, createUser } from '../../../contract/change-log.ts';
import { outcome } from '../../../contract/refusals.ts';
import { aUser } from '../../../support/a-user.ts';
import { deadline, until } from '../../../support/deadlines.ts';
import { follow } from '../../../support/logged-writes.ts';
import { tester } from '../../../support/store-verbs.ts';
import { giveFile, neverFatal } from './a-file.ts';
import { openAt, openLog } from './opened-log.ts';

const yearInMs = 365 * 24 * 60 * 60 * 1000;

describe('The change log in SQLite', () => changeLogCases(openLog));

describe('A SQLite file and its change log', () => {
  let file: string;
  let folder: string;
  giveFile((path, around) => {
    [file, folder] = [path, around];
  });

  async function write(store: Store): Promise<string> {
    const user = aUser();
    expect(await store.commit([createUser(user)], tester)).to.deep.equal(['done']);
    return user.id;
  }
  const end = async (store: Store): Promise<Cursor> => {
    const page = await store.changes?.read('now', 1);
    return page?.end ?? expect.fail('no log');
  };
  const read = (store: Store, after: Start) =>
    outcome(store.changes?.read(after, 1) ?? expect.fail('no log'));
  const idsBehind = async (store: Store, after: Start) => {
    const entries = await follow(store.changes ?? expect.fail('no log'), after, 2);
    return entries.map(({ id }) => id);
  };

  it('loses its entries when the log is switched off, and gives new cursors when it is switched on', async () => {
    const before = await openAt(file);
    const id = await write(before);
    const cursor = await end(before);
    await before.close();
    const off = await openAt(file, false);
    expect(off.changes).to.equal(undefined);
    await write(off);
    const db = openConnection(file, { readonly: true, busyTimeout: deadline });
    const count = db.prepare<[], number>('SELECT count(*) FROM change_log').pluck();
    await until('the log is empty', () => count.get() === 0);
    db.close();
    await off.close();
    const on = await openAt(file);
    expect(await idsBehind(on, 'start')).to.deep.equal([]);
    expect(await read(on, cursor)).to.equal('cursor-foreign');
    const since = await end(on);
    const next = await write(on);
    expect(await idsBehind(on, since)).to.deep.equal([next]);
    expect(await idsBehind(on, 'start')).to.deep.equal([next]);
    expect((await on.changes?.history(5, undefined, { kind: 'user', id }))?.entries).to.deep.equal([]);
    await on.close();
  });

  it('shows no entries from before it was switched off, even if it was switched on at once', async () => {
    for (let turn = 0; turn < 3; turn += 1) {
      const store = await openAt(file);
      const id = await write(store);
      expect(await idsBehind(store, 'start')).to.deep.equal([id]);
      await store.close();
      await (await openAt(file, false)).close();
    }
  });

  it('is switched for all processes on the file', async () => {
    const one = await openAt(file);
    await write(one);
    const cursor = await end(one);
    const other = await openAt(file, false);
    expect(await read(one, 'start')).to.equal('unavailable');
    expect(await outcome(one.changes?.latest() ?? expect.fail('no log'))).to.equal('unavailable');
    await write(one);
    const third = await openAt(file);
    const ids = [await write(other), await write(one)];
    for (const store of [one, third]) {
      expect(await idsBehind(store, 'start')).to.deep.equal(ids);
      expect(await read(store, cursor)).to.equal('cursor-foreign');
    }
    for (const store of [one, other, third]) await store.close();
  });

  it('refuses writes of a process that was open when another one began to fill it: its writer ends', async () => {
    const { promise: fatal, resolve: onFatal } = Promise.withResolvers<unknown>();
    const other = await openSqliteStore({ file, onFatal, busyTimeout: deadline });
    const target = await openSqliteStore({ file, onFatal: neverFatal, mayFill: true });
    expect(await target.changes?.moves?.begin(fillingLine('a source'))).to.equal(true);
    const [refused] = await other.commit([createUser(aUser())], tester);
    expect(refused).to.be.instanceOf(DomainError).with.property('code', 'unavailable');
    expect(String(await fatal)).to.include(beingFilled);
    await Promise.all([target.close(), other.close()]);
  });

  it('is pruned and emptied in steps, which are short for large entries, too', async () => {
    const store = await openAt(file);
    const large = () => aUser({ attributes: { note: 'x'.repeat(200_000) } });
    for (let count = 0; count < 12; count += 1) await store.commit([createUser(large())], tester);
    const log = store.changes ?? expect.fail('no log');
    const soon = Date.now() + 60_000;
    const prune = () => log.prune({ now: soon, feedFrom: soon, historyFrom: soon, maxBytes: 2 ** 40 });
    expect(await prune()).to.equal(true);
    const left = await log.history(100);
    expect(left.entries.length).to.be.within(1, 8);
    while (await prune());
    expect((await log.history(100)).entries).to.deep.equal([]);
    await store.close();
  });

  it('expires the entries behind an import that was made by a clock that was ahead', async () => {
    const store = await openAt(file);
    await write(store);
    const db = openConnection(file, { readonly: false, busyTimeout: deadline });
    db.prepare(
      `INSERT INTO change_log (mark, at, bytes, kind, id, op, actor)
       WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < 250000)
       SELECT mark, at + ?, bytes, kind, id, op, actor FROM change_log, numbers`,
    ).run(yearInMs);
    db.close();
    await write(store);
    const log = store.changes ?? expect.fail('no log');
    const soon = Date.now() + 60_000;
    while (await log.prune({ now: soon, feedFrom: soon, historyFrom: 0, maxBytes: 2 ** 40 }));
    expect(await idsBehind(store, 'start')).to.deep.equal([]);
    expect((await log.history(1)).entries).to.have.length(1);
    await store.close();
  });

  it('accepts cursors from before a backup when the backup is restored, and no later ones', async () => {
    const before = await openAt(file);
    await write(before);
    const early = await end(before);
    const kept = await write(before);
    const backup = join(folder, 'backup.db');
    await backUp(file, backup);
    await write(before);
    const late = await end(before);
    await before.close();
    await restore(backup, file);
    const store = await openAt(file);
    expect(await read(store, late), 'beyond the end').to.equal('cursor-foreign');
    const next = [await write(store), await write(store)];
    expect(await read(store, late), 'of an entry that was lost').to.equal('cursor-foreign');
    expect(await idsBehind(store, early)).to.deep.equal([kept, ...next]);
    await store.close();
  });
});
