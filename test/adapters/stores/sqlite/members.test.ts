import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { expect } from 'chai';
import { type Connection, openConnection } from '../../../../src/adapters/stores/sqlite/file/connection.ts';
import { SearchClient } from '../../../../src/adapters/stores/sqlite/search/client.ts';
import { aGroupOf, idsOf, membersOf } from '../../../contract/group-store.ts';
import { deadline, until } from '../../../support/deadlines.ts';
import { plain } from '../../../support/plain-store.ts';
import { startService } from '../../../support/service.ts';
import type { UserStore } from '../../../support/verbs.ts';
import { aFolder, makeOutdated, openAt } from './a-file.ts';

describe('Members of groups in SQLite', () => {
  let folder: ReturnType<typeof aFolder>;
  let file: string;
  let store: UserStore;
  beforeEach(async () => {
    folder = aFolder();
    file = join(folder.path, 'users.db');
    store = await openAt(file);
  });
  afterEach(async () => {
    await store.close();
    folder.remove();
  });

  const tampered = <T>(change: (db: Database.Database) => T): T => {
    const db = new Database(file);
    try {
      return change(db);
    } finally {
      db.close();
    }
  };
  const countRows = (db: Connection) =>
    ['memberships', 'member_sets', "user_keys WHERE filter = 'group'"].map((table) =>
      db.prepare(`SELECT count(*) FROM ${table}`).pluck().get(),
    );

  it('outlive a rebuild of the indexes', async () => {
    const { group, members } = await aGroupOf(plain(store), 700);
    await store.close();
    tampered((db) => {
      makeOutdated(db);
      db.exec("DELETE FROM user_keys; DELETE FROM user_counts; UPDATE group_keys SET key = 'x'");
    });
    store = await openAt(file);
    expect(await membersOf(plain(store), group.id)).to.deep.equal(idsOf(members));
    const found = await store.groups.findAllBy('displayName', [group.value.displayName.toLowerCase()], 1);
    expect(found.size).to.equal(1);
  });

  it('leave no rows behind when their group is removed, even if a process is killed meanwhile', async () => {
    const { group } = await aGroupOf(plain(store), 1200);
    await aGroupOf(plain(store), 2);
    await store.groups.remove(group.id, (await store.groups.find(group.id))?.version ?? '');
    await store.close();
    // The store closes during the steps, or before them.
    store = await openAt(file);
    const db = openConnection(file, { readonly: true, busyTimeout: deadline });
    await until('one set is left', () => countRows(db)[1] === 1);
    expect(countRows(db)).to.deep.equal([2, 1, 2]);
    await store.close();
    db.close();
  });

  it('are looked up and counted without waiting for searches of others', async () => {
    const { group, members } = await aGroupOf(plain(store), 3);
    const id = members[0]?.id ?? '';
    const service = await startService({}, store);
    const { page } = SearchClient.prototype;
    let letGo: () => void = () => undefined;
    const held = new Promise<void>((resolve) => {
      letGo = resolve;
    });
    SearchClient.prototype.page = async function (...asked) {
      await held;
      return page.apply(this, asked);
    };
    const searching = service.send('/users?search=somebody');
    try {
      const statusOf = async (path: string) => (await service.send(path)).status;
      expect(await statusOf(`/groups/${group.id}/members/${id}`)).to.equal(204);
      expect(await statusOf(`/groups/${group.id}/members/${randomUUID()}`)).to.equal(404);
      expect(await statusOf(`/groups/${randomUUID()}/members/${id}`)).to.equal(404);
      const where = { all: [{ id }, { filter: 'group', key: group.id }] } as const;
      expect((await store.list({ where, limit: 2 })).map((user) => user.id)).to.deep.equal([id]);
    } finally {
      SearchClient.prototype.page = page;
      letGo();
      await searching;
      await service.close();
    }
  });
});
