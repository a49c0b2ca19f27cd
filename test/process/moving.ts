import { join } from 'node:path';
import { expect } from 'chai';
import type { Entry } from '../../src/domain/changes/change.ts';
import { type ChangeLog, readHistory } from '../../src/domain/changes/log.ts';
import { matchAll } from '../../src/domain/find/conditions.ts';
import { Stored } from '../../src/domain/resource/stored.ts';
import type { Store } from '../../src/domain/store.ts';
import { outcome } from '../contract/refusals.ts';
import { aUser } from '../support/a-user.ts';
import { differencesOf } from '../support/copies.ts';
import { caseDeadline, until } from '../support/deadlines.ts';
import { aDatabase, describeMongo, type TestDatabase } from '../support/mongodb.ts';
import { aDataFolder, discardProcesses, launch, run } from '../support/process.ts';
import { tester } from '../support/store-verbs.ts';
import { openSqliteStore, portOf } from '../support/stores.ts';
import type { UserStore } from '../support/verbs.ts';
import { insertAll } from './directories.ts';
import { type Contents, contentsOf, fillDirectory } from './moved-directories.ts';

const atOnce = 500;

export const openFile = (folder: string, name: string): Promise<UserStore> =>
  openSqliteStore({ file: join(folder, name), onFatal: (cause) => expect.fail(String(cause)) });

async function fill(store: UserStore, count: number): Promise<void> {
  for (let from = 0; from < count; from += atOnce) {
    const users = Array.from({ length: atOnce }, (_, at) =>
      aUser({ displayName: `Ünïcode & ${from + at}`, roles: ['a', 'b'], attributes: { 'x-y': ' 007 ' } }),
    );
    await insertAll(store, users);
  }
}

const logOf = ({ changes }: Store): ChangeLog => changes ?? expect.fail('no log');

/** A group, whose members' histories then have its end, a user, and another one with the history. */
async function deleteSome(store: Store): Promise<void> {
  const find = async (kind: string, at: number) =>
    (await store.page(kind, { where: matchAll, limit: 1, skip: at })).items[0] ?? expect.fail('none is left');
  const remove = async (kind: string, erase: boolean) => {
    const before = await find(kind, 0);
    expect(await store.commit([{ kind, id: before.id, op: 'remove', before, erase }], tester)).to.deep.equal([
      'done',
    ]);
  };
  await remove('group', false);
  await remove('user', false);
  await remove('user', true);
}

const countMembers = ({ groups }: Contents): number =>
  Object.values(groups).reduce<number>((sum, { members }) => sum + members.length, 0);

/** The whole log, and the histories of the first users. */
export async function historiesOf(store: Store) {
  const all: Entry[] = [];
  for await (const { entries } of readHistory(logOf(store))) all.push(...entries);
  const named = all.flatMap(({ added = [] }) => added).slice(0, 30);
  const histories = named.map((id) => logOf(store).history(100, undefined, { kind: 'user', id }));
  return { all, histories: (await Promise.all(histories)).map(({ entries }) => entries) };
}

async function firstDifference(one: UserStore, other: UserStore): Promise<string | undefined> {
  for await (const id of differencesOf(one, other)) return id;
  return undefined;
}

/** @param count of the users who move */
export const describeMoving = (count: number) =>
  describeMongo('Moving a directory from one store to another', () => {
    let database: TestDatabase;
    before(async () => {
      database = await aDatabase();
    });
    after(() => database.drop());
    afterEach(discardProcesses);

    const moving = (folder: string, file: string, from: string, to: string, ...more: string[]) =>
      launch(['copy', '--from', from, '--to', to, ...more], folder, {
        USERS_SQLITE_FILE: file,
        USERS_MONGODB_URI: database.uri,
      });

    /** Returns when some users have arrived. */
    async function begun(): Promise<void> {
      const users = database.client.db().collection('users');
      await until(
        'a tenth of the users has arrived',
        async () => (await users.estimatedDocumentCount()) >= count / 10,
      );
    }

    it(`copies ${count} users with their groups from SQLite to MongoDB and back without changing a byte, though killed and repeated`, async () => {
      const folder = aDataFolder();
      const first = await openFile(folder, 'first.db');
      await fill(first, count);
      await fillDirectory(portOf(first), 20, 3);
      await deleteSome(portOf(first));
      const { end } = await logOf(portOf(first)).read('now', 1);

      const killed = moving(folder, 'first.db', 'sqlite', 'mongodb');
      await begun();
      killed.child.kill('SIGKILL');
      await killed.ended;
      const check = await run(['check'], folder, { USERS_MONGODB_URI: database.uri, USERS_STORE: 'mongodb' });
      expect(check.log.join()).to.include('The store is incomplete');

      const there = await moving(folder, 'first.db', 'sqlite', 'mongodb').ended;
      const store = await database.open();
      // By now the members of the deleted group have its end.
      const history = await historiesOf(portOf(first));
      const contents = await contentsOf(portOf(first));
      expect([there.code, there.log.join(), there.told]).to.deep.equal([
        0,
        [
          `${count + 18} users are in mongodb as in sqlite`,
          '2 groups are in mongodb as in sqlite',
          `${countMembers(contents)} memberships are in mongodb as in sqlite`,
          `${history.all.length} changes are in mongodb as in sqlite`,
        ].join(),
        [],
      ]);
      const [group] = await first.groups.list({ where: matchAll, limit: 1 });
      const copied = await store.groups.find(group?.id ?? '');
      expect(copied?.text).to.equal(group?.text);
      // Entity tags that clients have of the group must not become valid for other members.
      expect(copied?.membership?.revision).to.be.above(group?.membership?.revision ?? 0);
      expect(await firstDifference(first, store)).to.equal(undefined);
      expect(await contentsOf(portOf(store))).to.deep.equal(contents);

      const back = await moving(folder, 'second.db', 'mongodb', 'sqlite').ended;
      expect([back.code, back.told.filter((line) => line.startsWith('Not'))]).to.deep.equal([0, []]);
      const second = await openFile(folder, 'second.db');
      expect(await firstDifference(first, second)).to.equal(undefined);
      expect(await contentsOf(portOf(second))).to.deep.equal(contents);
      for (const moved of [store, second]) {
        expect(await historiesOf(portOf(moved))).to.deep.equal(history);
        expect(await outcome(logOf(portOf(moved)).read(end, 1))).to.equal('cursor-foreign');
      }
      const { code, log } = await run(['check', '--changes'], folder, {
        USERS_SQLITE_FILE: 'second.db',
        USERS_STORE: 'sqlite',
      });
      expect(log.join(), String(code)).to.match(/ok +changes: /);
      for (const opened of [first, second, store]) await opened.close();
      // A large number is many waits.
    }).timeout(caseDeadline * Math.max(1, count / 10_000));

    it('names users that it leaves unchanged and exits with 2, and refuses a target with users unless --again is given', async () => {
      const folder = aDataFolder();
      const source = await openFile(folder, 'source.db');
      const [one, two] = [aUser({ userName: 'one' }), aUser({ userName: 'two' })];
      for (const user of [one, two]) await source.insert(Stored.of(user));
      const elsewhere = await aDatabase();
      const target = await elsewhere.open();
      const holder = aUser({ userName: 'ONE' });
      await target.insert(Stored.of(holder));
      const move = (...more: string[]) =>
        run(['copy', '--from', 'sqlite', '--to', 'mongodb', ...more], folder, {
          USERS_SQLITE_FILE: 'source.db',
          USERS_MONGODB_URI: elsewhere.uri,
        });

      for (let round = 0; round < 2; round += 1) {
        const { code, told } = await move('--again');
        expect(code).to.equal(2);
        expect(told.join()).to.include('1 user is in mongodb only, and stays');
        expect(told.join('\n')).to.match(new RegExp(`user ${one.id}: user ${holder.id} has this userName`));
      }
      await target.remove(holder.id, holder.meta.version);
      expect((await move('--again')).code).to.equal(0);
      expect(await target.remove(two.id, two.meta.version)).to.equal(true);
      const refused = await move();
      expect(refused.code).to.equal(1);
      expect(refused.told.join()).to.include('could be undone');
      expect(await target.find(two.id)).to.equal(undefined);
      expect((await move('--force')).code).to.equal(0);
      expect((await target.find(two.id))?.version)
        .to.be.a('string')
        .and.not.equal(two.meta.version);
      const edited = { ...one, title: 'since', meta: { ...one.meta, version: 'since' } };
      await target.replace(Stored.of(edited), one.meta.version);
      const left = await move('--again');
      expect([left.code, (await target.find(one.id))?.value]).to.deep.equal([2, edited]);
      expect(left.told.join()).to.include(`user ${one.id}: a user with this id exists, and differs`);
      await source.close();
      await elsewhere.drop();
    });

    it('prints its usage when its command line is wrong', async () => {
      const { code, told } = await run(['copy', '--from', 'sqlite'], aDataFolder());
      expect(code).to.equal(64);
      expect(told.join()).to.include(
        'usage: user-management copy --from <kind> --to <kind> [--again] [--force] [--without-history]',
      );
    });
  });
