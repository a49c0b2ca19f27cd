import Database from 'better-sqlite3';
import { expect } from 'chai';
import { adding, aGroupOf, groupsOf, idsOf, membersOf } from '../../../contract/group-store.ts';
import { aUser } from '../../../support/a-user.ts';
import { asked } from '../../../support/asked.ts';
import { until } from '../../../support/deadlines.ts';
import { plain } from '../../../support/plain-store.ts';
import type { UserStore } from '../../../support/verbs.ts';
import { giveFile, openAt } from './a-file.ts';

describe('A user whose row another program has removed from the SQLite file', () => {
  let file: string;
  let store: UserStore;
  giveFile((path) => {
    file = path;
  });
  beforeEach(async () => {
    store = await openAt(file);
  });
  afterEach(() => store.close());

  function removeRow(table: 'users' | 'groups', id: string): void {
    const db = new Database(file);
    expect(db.prepare(`DELETE FROM ${table} WHERE id = ?`).run(id).changes).to.equal(1);
    db.close();
  }
  async function reopen(): Promise<void> {
    await store.close();
    store = await openAt(file);
  }

  it('does not pass on its memberships or search words to the next user', async () => {
    const { group, members } = await aGroupOf(plain(store), 2);
    const gone = aUser({ displayName: 'Zoltan' });
    await plain(store).insert(gone);
    await plain(store).groups.changeMembers(group.id, adding(gone));
    removeRow('users', gone.id);
    const next = aUser();
    await plain(store).insert(next);
    expect(await groupsOf(plain(store), next.id)).to.deep.equal([]);
    expect(await plain(store).list({ ...asked('zoltan'), limit: 9 })).to.deep.equal([]);
    await reopen();
    expect(await groupsOf(plain(store), next.id)).to.deep.equal([]);
    expect(await membersOf(plain(store), group.id)).to.deep.equal(idsOf(members));
    await plain(store).groups.changeMembers(group.id, adding(next));
    expect(await membersOf(plain(store), group.id)).to.deep.equal(idsOf([...members, next]));
  });

  it('loses its memberships at the next start, which gives its groups another version', async () => {
    const { group, members } = await aGroupOf(plain(store), 3);
    const [gone, ...left] = members;
    const before = await store.groups.find(group.id);
    removeRow('users', gone?.id ?? '');
    await reopen();
    expect(await membersOf(plain(store), group.id)).to.deep.equal(idsOf(left));
    expect((await store.groups.find(group.id))?.version).not.to.equal(before?.version);
  });

  it('leaves no memberships behind; nor does a group whose row was removed', async () => {
    const { group } = await aGroupOf(plain(store), 3);
    removeRow('groups', group.id);
    await reopen();
    const { group: other } = await aGroupOf(plain(store), 2);
    await store.groups.remove(other.id, (await store.groups.find(other.id))?.version ?? '');
    const db = new Database(file, { readonly: true });
    const count = db.prepare('SELECT count(*) FROM memberships').pluck();
    await until('no memberships are left', () => count.get() === 0);
    db.close();
  });
});
