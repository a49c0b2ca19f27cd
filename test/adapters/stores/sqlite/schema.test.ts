import { existsSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { expect } from 'chai';
import { type Connection, openConnection } from '../../../../src/adapters/stores/sqlite/file/connection.ts';
import { matchAll, matching } from '../../../../src/domain/find/conditions.ts';
import { Stored } from '../../../../src/domain/resource/stored.ts';
import { aGroup } from '../../../support/a-group.ts';
import { aUser, changed } from '../../../support/a-user.ts';
import { plain } from '../../../support/plain-store.ts';
import { giveFile, openAt } from './a-file.ts';

const all = { where: matchAll, limit: 100 };

/** Waits for the refusal and returns its message. */
async function refusal(file: string): Promise<string> {
  const cause = await openAt(file).then(
    () => expect.fail('it was opened'),
    (reason: unknown) => reason,
  );
  if (!(cause instanceof Error)) throw cause;
  expect(cause.message).to.include(file);
  return cause.message;
}

describe('The SQLite file', () => {
  let file: string;
  let folder: string;
  giveFile((path, itsFolder) => {
    [file, folder] = [path, itsFolder];
  });

  /** Changes the file as another program would. */
  function tampered<T>(doing: (db: Connection) => T): T {
    const db = new Database(file);
    try {
      return doing(db);
    } finally {
      db.close();
    }
  }

  it('is created with its parent folders, for its owner only', async () => {
    file = join(folder, 'a', 'b', 'users.db');
    const store = await openAt(file);
    await store.insert(Stored.of(aUser()));
    const modes = [file, `${file}-wal`, `${file}-shm`].map((path) => statSync(path).mode & 0o777);
    const above = [join(folder, 'a'), join(folder, 'a', 'b')];
    expect(modes).to.deep.equal([0o600, 0o600, 0o600]);
    expect(above.map((path) => statSync(path).mode & 0o777)).to.deep.equal([0o700, 0o700]);
    await store.close();
  });
  it('is complete without other files when the store is closed', async () => {
    const store = await openAt(file);
    await store.insert(Stored.of(aUser()));
    await store.close();
    expect(existsSync(`${file}-wal`)).to.equal(false);
    expect(tampered((db) => db.prepare('SELECT count(*) FROM users').pluck().get())).to.equal(1);
  });
  it('may be configured as a symbolic link', async () => {
    const link = join(folder, 'link.db');
    symlinkSync(file, link);
    const store = await openAt(link);
    await store.insert(Stored.of(aUser()));
    expect(existsSync(`${file}-wal`)).to.equal(true);
    await store.close();
    expect(tampered((db) => db.prepare('SELECT count(*) FROM users').pluck().get())).to.equal(1);
  });
  it('can be created by several processes that start at once', async () => {
    const stores = await Promise.all(Array.from({ length: 6 }, () => openAt(file)));
    await Promise.all(stores.map((store) => store.insert(Stored.of(aUser()))));
    expect(await stores[0]?.list(all)).to.have.length(6);
    await Promise.all(stores.map((store) => store.close()));
  });

  it('gets its names and keys rebuilt when other rules made them, and follows later changes', async () => {
    const [one, two] = [aUser({ userName: 'A', roles: ['x'] }), aUser({ userName: 'B', roles: ['x', 'y'] })];
    const before = await openAt(file);
    for (const user of [one, two]) await before.insert(Stored.of(user));
    await before.close();
    tampered((db) => {
      db.exec(`UPDATE users SET name_key = 'tmp' WHERE name_key = 'a';
        UPDATE users SET name_key = 'a' WHERE name_key = 'b';
        DELETE FROM user_keys; INSERT INTO user_keys VALUES ('gone', 'a', '${one.id}', 1)`);
      db.exec("UPDATE key_rules SET rules = '0 gone'");
    });
    const store = await openAt(file);
    expect(await plain(store).list({ where: matching({ userName: 'a' }), limit: 9 })).to.deep.equal([one]);
    expect(await plain(store).list({ where: matching({ role: 'x' }), limit: 9 })).to.have.deep.members([
      one,
      two,
    ]);
    expect(await store.replace(Stored.of(changed(one, { userName: 'C' })), one.meta.version)).to.equal(true);
    await store.insert(Stored.of(aUser({ userName: 'a' })));
    await store.close();
    const stray = "SELECT count(*) FROM user_keys WHERE filter = 'gone'";
    expect(tampered((db) => db.prepare(stray).pluck().get())).to.equal(0);
  });
  it('is refused and left unchanged when two names have become equal', async () => {
    const store = await openAt(file);
    const [one, two] = [aUser({ userName: 'a' }), aUser({ userName: 'b' })];
    for (const user of [one, two]) await store.insert(Stored.of(user));
    await store.close();
    tampered((db) => {
      const same = JSON.stringify({ ...two, userName: 'A' });
      db.prepare('UPDATE users SET document = ? WHERE id = ?').run(same, two.id);
      db.exec("UPDATE key_rules SET rules = '0 email'");
    });
    expect(await refusal(file)).to.match(new RegExp(`${one.id}|${two.id}`));
    const names = tampered((db) => db.prepare('SELECT name_key FROM users ORDER BY 1').pluck().all());
    expect(names).to.deep.equal(['a', 'b']);
  });

  it('gets its names and keys rebuilt when their rules are unknown', async () => {
    const user = aUser({ roles: ['x'] });
    const before = await openAt(file);
    await before.insert(Stored.of(user));
    await before.close();
    tampered((db) => db.exec('DELETE FROM key_rules; DELETE FROM user_keys'));
    const store = await openAt(file);
    expect(await plain(store).list({ where: matching({ role: 'x' }), limit: 9 })).to.deep.equal([user]);
    await store.insert(Stored.of(aUser()));
    await store.close();
    expect(tampered((db) => db.prepare('SELECT kind FROM key_rules').pluck().all())).to.deep.equal([
      'group',
      'user',
    ]);
  });
  it('gets only the keys of groups rebuilt when only the rules of groups have changed', async () => {
    const group = aGroup();
    const before = await openAt(file);
    await before.groups.insert(group);
    await before.close();
    tampered((db) =>
      db.exec(`UPDATE key_rules SET rules = '1 search.0' WHERE kind = 'group'; DELETE FROM group_keys;
        INSERT INTO user_keys VALUES ('role', 'stays', 'x', 1)`),
    );
    const told: string[] = [];
    const store = await openAt(file, { onProgress: (line) => told.push(line) });
    const found = await store.groups.findAllBy('displayName', [group.value.displayName.toLowerCase()], 1);
    expect(found.size).to.equal(1);
    await store.close();
    expect(told.at(-1)).to.equal('The indexes of all groups are rebuilt.');
    expect(told.join()).not.to.contain('users');
    expect(tampered((db) => db.prepare('SELECT key FROM user_keys').pluck().all())).to.deep.equal(['stays']);
    expect(tampered((db) => db.prepare('SELECT count(*) FROM group_keys').pluck().get())).to.equal(1);
  });
  it('gets its keys rebuilt when a release with more filters made them', async () => {
    await (await openAt(file)).close();
    const rules = () =>
      tampered((db) =>
        db.prepare<[], string>("SELECT rules FROM key_rules WHERE kind = 'user'").pluck().get(),
      );
    const before = rules();
    tampered((db) => {
      db.prepare("UPDATE key_rules SET rules = ? WHERE kind = 'user'").run(`${before},zmore`);
      db.exec("INSERT INTO user_keys VALUES ('zmore', 'k', 'id', 1)");
    });
    await (await openAt(file)).close();
    expect(rules()).to.equal(before);
    expect(tampered((db) => db.prepare('SELECT count(*) FROM user_keys').pluck().get())).to.equal(0);
  });
  for (const layout of [1, 3, 8])
    it(`is refused and left unchanged with layout ${layout}, and the error has the commands that move its users, groups and memberships: it has no history`, async () => {
      await (await openAt(file)).close();
      tampered((db) => db.pragma(`user_version = ${layout}`));
      const bytes = readFileSync(file);
      expect(await refusal(file)).to.match(
        new RegExp(`layout ${layout}, of an earlier release.*export.*import.* users.jsonl --keep-meta`),
      );
      expect(await refusal(file)).to.match(
        /export.*--kind groups .*--kind memberships .*import.*--kind groups .*--kind memberships .*no history$/,
      );
      expect(readFileSync(file).equals(bytes)).to.equal(true);
    });
  it('is refused with the name of a missing table', async () => {
    for (const table of ['key_rules', 'user_keys', 'users']) {
      await (await openAt(file)).close();
      tampered((db) => db.exec(`DROP TABLE ${table}`));
      expect(await refusal(file)).to.contain(`no such table: ${table}`);
      // A start that fails leaves the WAL.
      for (const suffix of ['', '-wal', '-shm']) rmSync(file + suffix, { force: true });
    }
  });

  for (const [what, sql] of [
    ['layout', 'PRAGMA user_version = 9999'],
    ['rules', "UPDATE key_rules SET rules = '9999 email'"],
  ] as const) {
    it(`is refused and left unchanged when a newer release has changed its ${what}`, async () => {
      const store = await openAt(file);
      await store.insert(Stored.of(aUser()));
      await store.close();
      tampered((db) => db.exec(sql));
      const bytes = readFileSync(file);
      expect(await refusal(file)).to.match(/newer release.*9999/);
      expect(readFileSync(file).equals(bytes)).to.equal(true);
    });
  }
  it('is refused and left unchanged if it belongs to another program', async () => {
    tampered((db) => db.exec('CREATE TABLE theirs (a)'));
    const bytes = readFileSync(file);
    expect(await refusal(file)).to.include('not a user directory');
    expect(readFileSync(file).equals(bytes)).to.equal(true);
  });
  it('is refused and left unchanged if it is no database', async () => {
    writeFileSync(file, 'a letter to somebody, not a database at all\n'.repeat(100));
    const bytes = readFileSync(file);
    expect(await refusal(file)).to.include('not a database');
    expect(readFileSync(file).equals(bytes)).to.equal(true);
  });
  it('can be opened after a refusal when its reason is gone', async () => {
    writeFileSync(file, 'no database\n'.repeat(100));
    await refusal(file);
    writeFileSync(file, '');
    await (await openAt(file)).close();
  });
  it('is refused in a folder that can’t be written', async () => {
    writeFileSync(join(folder, 'in-the-way'), '');
    expect(await refusal(join(folder, 'in-the-way', 'users.db'))).to.include(
      `${join(folder, 'in-the-way')} is not a directory`,
    );
    expect(await refusal(folder)).to.include('is a folder, not a file');
  });

  for (const readonly of [false, true]) {
    it(`is forced to the disk at every commit (${readonly ? 'reading' : 'writing'} connection)`, async () => {
      await (await openAt(file)).close();
      const db = openConnection(file, { readonly, busyTimeout: 0 });
      expect(db.pragma('synchronous', { simple: true })).to.equal(2);
      expect(db.pragma('journal_mode', { simple: true })).to.equal('wal');
      db.close();
    });
  }
});
