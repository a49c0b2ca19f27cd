import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { expect } from 'chai';
import { openConnection } from '../../../../src/adapters/stores/sqlite/file/connection.ts';
import { currentRules } from '../../../../src/adapters/stores/sqlite/layout/layout.ts';
import { rebuildIfOutdated } from '../../../../src/adapters/stores/sqlite/layout/rebuild.ts';
import type { SqliteOptions } from '../../../../src/adapters/stores/sqlite/open-store.ts';
import { matchAll, matching } from '../../../../src/domain/find/conditions.ts';
import { parseSearch, searchVersion } from '../../../../src/domain/find/search.ts';
import { kindsOf } from '../../../../src/domain/kinds.ts';
import { Stored } from '../../../../src/domain/resource/stored.ts';
import { outcome } from '../../../contract/refusals.ts';
import { aUser, changed } from '../../../support/a-user.ts';
import { deadline } from '../../../support/deadlines.ts';
import type { UserStore } from '../../../support/verbs.ts';
import { aFolder, giveFile, makeOutdated, openAt, tables } from './a-file.ts';

const search = (text: string) => {
  const terms = parseSearch(text);
  return typeof terms === 'string' ? expect.fail(terms) : terms;
};

/** Every second user is called Hopper. */
const names = ['Hopper', 'Lovelace'];
const users = Array.from({ length: 1200 }, (_, index) =>
  aUser({ userName: `u${index}`, name: { familyName: names[index % 2] ?? '' } }),
);

const rules = currentRules(kindsOf().of('user'));

describe('The search index of users in SQLite', () => {
  let file: string;
  let folder: string;
  giveFile((path, itsFolder) => {
    [file, folder] = [path, itsFolder];
  });

  async function expectAllFound(store: UserStore): Promise<void> {
    const hoppers = users.filter(({ name }) => name?.familyName === 'Hopper').map(({ id }) => id);
    const found = await store.list({ where: matching({}, search('HOP')), limit: 2000 });
    expect(found.map(({ id }) => id)).to.deep.equal(hoppers.sort());
    expect(await store.count({ where: matching({}, search('hop')) })).to.equal(600);
    expect(await store.count({ where: matchAll })).to.equal(1200);
    const sorted = await store.list({
      where: matchAll,
      sort: { by: 'familyName', descending: true },
      limit: 2000,
    });
    expect(sorted).to.have.length(1200);
    expect(sorted[0]?.value.name?.familyName).to.equal('Lovelace');
  }

  /** Makes the rows look as if other rules had made them; some of them belong to no user. */
  function spoil(): void {
    const db = new Database(file);
    makeOutdated(db);
    db.exec("UPDATE users SET search = 'x', sorts = '{}'; DELETE FROM user_sort_keys WHERE id > '5'");
    db.exec(
      "DELETE FROM user_keys; INSERT INTO user_keys VALUES ('role', 'x', 'y', 1); DELETE FROM user_counts",
    );
    db.close();
  }

  const filled = aFolder();
  const filledFile = join(filled.path, 'users.db');
  before(async () => {
    const store = await openAt(filledFile);
    await Promise.all(users.map((user) => store.insert(Stored.of(user))));
    await store.close();
  });
  after(() => filled.remove());

  /** Expects all users in the index. */
  const makeFile = (): void => copyFileSync(filledFile, file);

  function openFilled(options: Partial<SqliteOptions> = {}): Promise<UserStore> {
    makeFile();
    return openAt(file, options);
  }

  it('finds a user by each beginning of an unchanged word, while other words are added and removed', async () => {
    const store = await openAt(file);
    const titles = ['Adagio', 'Adamant and Adaptive', 'Q', 'Ad', 'Zz', 'Ada', 'Adam'];
    let user = aUser({ userName: 'adaline', name: { givenName: 'Ada', familyName: 'Adams' } });
    await store.insert(Stored.of(user));
    const finds = async (text: string) => (await store.count({ where: matching({}, search(text)) })) === 1;
    for (const title of titles) {
      const next = changed(user, { title });
      expect(await store.replace(Stored.of(next), user.meta.version)).to.equal(true);
      user = next;
      for (const stays of ['adaline', 'adams', 'ada', 'adal'])
        for (let length = 1; length <= stays.length; length += 1)
          expect(await finds(stays.slice(0, length)), `${stays.slice(0, length)} beside ${title}`).to.equal(
            true,
          );
      for (const word of ['adagio', 'adamant', 'adaptive', 'zz'])
        expect(await finds(word), `${word} beside ${title}`).to.equal(title.toLowerCase().includes(word));
    }
    expect(await store.remove(user.id, user.meta.version)).to.equal(true);
    expect(await store.count({ where: matching({}, search('a')) })).to.equal(0);
    await store.close();
  });

  it('is rebuilt if other rules made it, and reports progress', async () => {
    makeFile();
    spoil();
    const told: string[] = [];
    const again = await openAt(file, { onProgress: (line) => told.push(line) });
    await expectAllFound(again);
    expect(told[0]).to.contain('500 of 1200');
    expect(told.at(-1)).to.contain('are rebuilt');
    await again.close();
  });

  it('is rebuilt from where a rebuild was interrupted, by several processes at once', async () => {
    makeFile();
    spoil();
    const db = openConnection(file, { readonly: false, busyTimeout: deadline });
    let pages = 0;
    const breakOff = () => {
      pages += 1;
      if (pages === 2) throw new Error('killed');
    };
    expect(() => rebuildIfOutdated(db, tables, breakOff, () => {})).to.throw('killed');
    const mark = db.prepare("SELECT rules FROM key_rules WHERE kind = 'user'").pluck();
    expect(mark.get()).to.equal(`${rules} 1000`);
    db.close();
    const stores = await Promise.all([openAt(file), openAt(file), openAt(file)]);
    for (const store of stores) await expectAllFound(store);
    for (const store of stores) await store.close();
  });

  it('is left to a newer release that takes the file over during the rebuild', () => {
    makeFile();
    spoil();
    const db = openConnection(file, { readonly: false, busyTimeout: deadline });
    const newer = '1 search.9';
    const setRules = db.prepare("UPDATE key_rules SET rules = ? WHERE kind = 'user'");
    let pages = 0;
    const takeOver = () => {
      pages += 1;
      if (pages === 1) setRules.run(newer);
    };
    const rebuild = () => rebuildIfOutdated(db, tables, takeOver, () => {});
    expect(rebuild).to.throw('another release has changed the file');
    expect(db.prepare("SELECT rules FROM key_rules WHERE kind = 'user'").pluck().get()).to.equal(newer);
    expect(db.prepare("SELECT count(*) FROM users WHERE search = 'x'").pluck().get()).to.equal(700);
    db.close();
  });

  it('stops writes of a release with other rules', async () => {
    const store = await openAt(file, { onFatal: () => {} });
    await store.insert(Stored.of(aUser()));
    const db = new Database(file);
    db.exec("UPDATE key_rules SET rules = '1 search.9'");
    db.close();
    expect(await outcome(store.insert(Stored.of(aUser())))).to.equal('unavailable');
    await store.close();
  });

  it('stays correct when the file is vacuumed, as by a backup', async () => {
    const store = await openFilled();
    const [gone = aUser(), kept = aUser()] = users;
    await store.remove(gone.id, gone.meta.version);
    await store.close();
    const copy = join(folder, 'copy.db');
    const db = new Database(file);
    db.prepare('VACUUM INTO ?').run(copy);
    db.close();
    const copied = await openAt(copy);
    await copied.insert(Stored.of(gone));
    await expectAllFound(copied);
    expect(await copied.replace(Stored.of(changed(kept, { title: 'Admiral' })), kept.meta.version)).to.equal(
      true,
    );
    expect(await copied.count({ where: matching({}, search('adm')) })).to.equal(1);
    await copied.close();
  });

  it('is not read while another release rebuilds it, and is refused by the earlier release', async () => {
    const store = await openFilled({ onFatal: () => {} });
    const byName = { where: matchAll, sort: { by: 'userName' }, limit: 9 };
    expect(await store.list(byName)).to.have.length(9);
    const db = new Database(file);
    const note = db.prepare("UPDATE key_rules SET rules = ? WHERE kind = 'user'");
    const newer = rules.replace(`search.${searchVersion}`, `search.${searchVersion + 1}`);
    note.run(`${newer} 500`);
    expect(await outcome(store.list(byName))).to.equal('unavailable');
    expect(await outcome(store.count({ where: matching({}, search('hop')) }))).to.equal('unavailable');
    await store.close();
    note.run(newer);
    db.close();
    const refused = await openAt(file).catch((error: Error) => error.message);
    expect(refused).to.contain('a newer release wrote it (rules of users ');
  });

  it('has the users that another program added, and not those that it removed, when the file is opened again', async () => {
    const store = await openFilled();
    await store.close();
    const added = aUser({ userName: 'zzz', name: { familyName: 'Hopper' } });
    const db = new Database(file);
    const edit = (sql: string, ...values: string[]) => db.prepare(sql).run(...values);
    const add = () =>
      edit(
        'INSERT INTO users (id, name_key, version, document) VALUES (?, ?, ?, ?)',
        ...[added.id, 'zzz', added.meta.version, JSON.stringify(added)],
      );
    add();
    const withOneMore = await openAt(file);
    expect(await withOneMore.count({ where: matchAll })).to.equal(1201);
    expect(await withOneMore.count({ where: matching({}, search('hop')) })).to.equal(601);
    const [last] = await withOneMore.list({
      where: matchAll,
      sort: { by: 'userName', descending: true },
      limit: 1,
    });
    expect(last?.id).to.equal(added.id);
    await withOneMore.close();
    edit('DELETE FROM users WHERE id = ?', added.id);
    const again = await openAt(file);
    await expectAllFound(again);
    await again.close();
    db.close();
  });

  it('misses no user that changes while a list is read', async () => {
    const store = await openFilled();
    const listing = store.list({
      where: matching({ active: 'true' }, search('hop')),
      sort: { by: 'userName' },
      limit: 700,
    });
    const changing = Promise.all(
      users
        .slice(0, 50)
        .map((user) => store.replace(Stored.of(changed(user, { title: 'Admiral' })), user.meta.version)),
    );
    expect(await listing).to.have.length(600);
    expect(await changing).not.to.include(false);
    await store.close();
  });
});
