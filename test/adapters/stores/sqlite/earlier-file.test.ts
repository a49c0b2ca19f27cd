import Database from 'better-sqlite3';
import { expect } from 'chai';
import { migrate, searchRulesMark } from '../../../../src/adapters/stores/sqlite/schema.ts';
import { StoredUser } from '../../../../src/domain/stored-user.ts';
import { outcome } from '../../../contract/refusals.ts';
import { aUser, changed } from '../../../support/a-user.ts';
import { plain } from '../../../support/plain-store.ts';
import { giveFile, openAt, writeEarlierFile } from './a-file.ts';

describe('A SQLite file of the first release', () => {
  let file: string;
  giveFile((path) => {
    file = path;
  });

  function inFile<T>(sql: string): T[] {
    const db = new Database(file);
    const rows = db.prepare<[], T>(sql).pluck().all();
    db.close();
    return rows;
  }

  it('is looked through once: users are as they were, and a damaged one is told apart', async () => {
    const users = Array.from({ length: 1200 }, () => aUser({ roles: ['x'] }));
    writeEarlierFile(file, 1, users);
    const [damaged = ''] = inFile<string>('SELECT id FROM users ORDER BY id LIMIT 1 OFFSET 700');
    const db = new Database(file);
    db.prepare("UPDATE users SET document = json_set(document, '$.emails', json('null')) WHERE id = ?").run(
      damaged,
    );
    db.close();

    const stores = await Promise.all([openAt(file), openAt(file)]);
    const [store] = stores;
    const sound = users.filter(({ id }) => id !== damaged);
    for (const user of sound.slice(0, 50)) expect((await store.find(user.id))?.user).to.deep.equal(user);
    const all = await store.list({ filters: { role: 'x' }, limit: 2000 });
    expect(all.filter((stored) => stored.isDamaged).map(({ id }) => id)).to.deep.equal([damaged]);
    const [one = aUser()] = sound;
    expect(await store.replace(StoredUser.of(changed(one, { roles: ['y'] })), one.meta.version)).to.equal(
      true,
    );
    expect(await plain(store).list({ filters: { role: 'y' }, limit: 9 })).to.have.length(1);
    for (const each of stores) await each.close();
    expect(inFile('SELECT id FROM users WHERE writes IS NULL')).to.deep.equal([damaged]);
    expect(inFile('SELECT name FROM marks')).to.deep.equal([searchRulesMark]);
  });

  it('goes on being looked through where it was broken off', async () => {
    writeEarlierFile(
      file,
      1,
      Array.from({ length: 30 }, () => aUser()),
    );
    const db = new Database(file);
    migrate(db);
    const [, second] = db.prepare('SELECT id FROM users ORDER BY id').pluck().all();
    db.prepare('UPDATE marks SET value = ?').run(second);
    db.close();
    const store = await openAt(file);
    expect(await outcome(store.check())).to.equal(undefined);
    await store.close();
    // Had it begun anew, these two would be known as well; unknown they are judged at each read.
    expect(inFile('SELECT count(*) FROM users WHERE writes IS NULL')).to.deep.equal([2]);
  });
});
