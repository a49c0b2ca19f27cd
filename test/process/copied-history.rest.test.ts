import { randomInt } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { openConnection } from '../../src/adapters/stores/sqlite/file/connection.ts';
import { openSqliteStore } from '../../src/adapters/stores/sqlite/open-store.ts';
import { isMovable, type MovableLog } from '../../src/domain/changes/copy-log.ts';
import { type LogPage, readHistory } from '../../src/domain/changes/log.ts';
import { matchAll } from '../../src/domain/find/conditions.ts';
import type { User } from '../../src/domain/kinds/user/user.ts';
import type { Store, Write } from '../../src/domain/store.ts';
import {
  changeMembers,
  createGroup,
  createUser,
  removeGroup,
  removeUser,
  replaceUser,
} from '../contract/change-log.ts';
import { aGroup } from '../support/a-group.ts';
import { aUser, changed } from '../support/a-user.ts';
import { caseDeadline, until } from '../support/deadlines.ts';
import { aDatabase, describeMongo, type TestDatabase } from '../support/mongodb.ts';
import { aDataFolder, discardProcesses, type Ended, launch } from '../support/process.ts';
import { isWhole, runs } from '../support/runs.ts';
import { tester } from '../support/store-verbs.ts';
import { portOf } from '../support/stores.ts';

/** A run of some minutes with all rounds; `RUNS=2.5` is the proof: 100,000 users with 300,000 entries. */
const count = Math.ceil(runs(isWhole ? 40_000 : 20_000) / 100) * 100;

/** Of each copy. */
const kills = 4;

const atOnce = 500;

const logOf = ({ changes }: Store): MovableLog => (isMovable(changes) ? changes : expect.fail('no log'));

async function commitAll(store: Store, writes: readonly Write[]): Promise<void> {
  for (let from = 0; from < writes.length; from += atOnce) {
    const outcomes = await store.commit(writes.slice(from, from + atOnce), {
      ...tester,
      request: `r-${from}`,
    });
    expect(new Set(outcomes)).to.deep.equal(new Set(['done']));
  }
}

/** Three entries for each user, with whole lists, deletions and erasures among them. */
async function fill(store: Store): Promise<readonly User[]> {
  const users = Array.from({ length: count }, (_, at) => aUser({ userName: `u${at}` }));
  const titled = users.map((user) => changed(user, { title: 'Dr' }));
  const groups = Array.from({ length: 100 }, () => aGroup());
  await commitAll(
    store,
    users.map((user) => createUser(user)),
  );
  await commitAll(
    store,
    groups.map((group, at) =>
      createGroup(
        group,
        users.filter((_, of) => of % (at + 1) === 0 && of < 20_000).map(({ id }) => id),
      ),
    ),
  );
  await commitAll(
    store,
    users.map((user, at) => replaceUser(user, titled[at] ?? user)),
  );
  await commitAll(
    store,
    titled.slice(0, count / 10).map((user) => replaceUser(user, changed(user, { title: 'Prof.' }))),
  );
  for (let from = 0; from < count; from += groups.length)
    await commitAll(
      store,
      groups.map(({ id }, at) => changeMembers(id, { add: [users[from + at]?.id ?? ''] })),
    );
  const [first, second, third] = groups.map(({ id }) => id);
  await commitAll(store, [
    changeMembers(first ?? '', { isWhole: true, add: users.slice(5, 2_000).map(({ id }) => id) }),
    changeMembers(second ?? '', { isWhole: true, add: [] }),
    changeMembers(third ?? '', { remove: users.slice(0, 900).map(({ id }) => id) }),
  ]);
  await commitAll(
    store,
    groups.slice(90).map((group) => removeGroup(group)),
  );
  await commitAll(
    store,
    titled.slice(-20).map((user, at) => removeUser(user, at % 2 === 0)),
  );
  return users;
}

/** All pages one by one, each with the users of its entries. */
async function* pagesOf(log: MovableLog): AsyncGenerator<[LogPage['entries'][number], readonly string[]]> {
  for await (const { entries } of readHistory(log)) {
    const users = await log.moves.usersOf(entries);
    for (const entry of entries) yield [entry, (users.get(entry.number) ?? []).toSorted()];
  }
}

/** The whole log with the users of entries, the histories of some users, and all memberships. @returns the number of entries */
async function expectEqual(one: Store, other: Store, users: readonly User[]): Promise<number> {
  const others = pagesOf(logOf(other));
  let entries = 0;
  for await (const entry of pagesOf(logOf(one))) {
    expect((await others.next()).value).to.deep.equal(entry);
    entries += 1;
  }
  expect((await others.next()).done).to.equal(true);
  for (let turn = 0; turn < 200; turn += 1) {
    const of = { kind: 'user', id: users[randomInt(users.length)]?.id ?? '' };
    const [here, there] = await Promise.all(
      [one, other].map((store) => logOf(store).history(1_000, undefined, of)),
    );
    expect(there?.entries).to.deep.equal(here?.entries);
  }
  const groups = (await one.page('group', { where: matchAll, limit: 1_000 })).items;
  for (const { id } of groups) {
    const membersOf = async (store: Store) =>
      [...((await store.related('group', [id], count)).get(id) ?? [])].sort();
    expect(await membersOf(other)).to.deep.equal(await membersOf(one));
  }
  return entries;
}

describeMongo('The histories of a large directory', () => {
  let database: TestDatabase;
  before(async () => {
    database = await aDatabase();
  });
  after(() => database.drop());
  afterEach(discardProcesses);

  const inMongo = async (): Promise<number> => {
    const counts = ['users', 'changes'].map((name) =>
      database.client.db().collection(name).estimatedDocumentCount(),
    );
    return (await Promise.all(counts)).reduce((sum, one) => sum + one, 0);
  };
  const inFile = async (file: string): Promise<number> => {
    if (!existsSync(file)) return 0;
    const db = openConnection(file, { readonly: true, busyTimeout: 1000 });
    try {
      const sql = 'SELECT (SELECT count(*) FROM users) + (SELECT count(*) FROM change_log)';
      return Number(db.prepare(sql).pluck().get());
    } catch {
      return 0;
    } finally {
      db.close();
    }
  };

  /** Kills the copy at random places, and repeats it. @returns its end, and how often it was killed */
  async function copy(begin: () => ReturnType<typeof launch>, size: () => Promise<number>) {
    let killed = 0;
    const places = Array.from({ length: kills }, () => randomInt(count * 4)).sort((a, b) => a - b);
    for (const place of places) {
      const process = begin();
      let end: Ended | undefined;
      void process.ended.then((ended) => {
        end = ended;
      });
      // A slow machine copies for minutes, but never stands still.
      for (let [done, before] = [await size(), -1]; end === undefined && done < place; before = done)
        await until(`more than ${before} documents are copied`, async () => {
          done = await size();
          return end !== undefined || done > before;
        });
      if (end !== undefined) return { end: end as Ended, killed };
      process.child.kill('SIGKILL');
      await process.ended;
      killed += 1;
    }
    return { end: await begin().ended, killed };
  }

  it(`are the same in MongoDB, and again in SQLite: ${count} users, copied, killed and repeated`, async () => {
    const folder = aDataFolder();
    const open = (name: string) =>
      openSqliteStore({ file: join(folder, name), onFatal: (cause) => expect.fail(String(cause)) });
    const first = await open('first.db');
    const users = await fill(first);
    const begin = (file: string, from: string, to: string) => () =>
      launch(['copy', '--from', from, '--to', to], folder, {
        USERS_SQLITE_FILE: file,
        USERS_MONGODB_URI: database.uri,
      });
    const there = await copy(begin('first.db', 'sqlite', 'mongodb'), inMongo);
    expect(there.end.code, there.end.told.join('\n')).to.equal(0);
    const back = await copy(begin('second.db', 'mongodb', 'sqlite'), () => inFile(join(folder, 'second.db')));
    expect(back.end.code, back.end.told.join('\n')).to.equal(0);
    expect(there.killed + back.killed).to.be.above(0);
    const [store, second] = [portOf(await database.open()), await open('second.db')];
    expect(await expectEqual(first, store, users)).to.be.above(count * 3);
    await expectEqual(first, second, users);
    for (const opened of [first, store, second]) await opened.close();
  }).timeout(caseDeadline * Math.max(2, count / 5_000));
});
