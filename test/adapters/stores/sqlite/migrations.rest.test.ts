import { copyFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import Database from 'better-sqlite3';
import { expect } from 'chai';
import { restore, verifyBackup } from '../../../../src/adapters/stores/sqlite/backup.ts';
import {
  inspectFile,
  openSqliteStore,
  type SqliteOptions,
} from '../../../../src/adapters/stores/sqlite/open-store.ts';
import type { GroupDocument } from '../../../../src/domain/kinds/group/kind.ts';
import type { User } from '../../../../src/domain/kinds/user/user.ts';
import type { Stored } from '../../../../src/domain/resource/stored.ts';
import type { Store, Write } from '../../../../src/domain/store.ts';
import {
  changeMembers,
  createGroup,
  createUser,
  pruneAll,
  removeGroup,
  removeUser,
} from '../../../contract/change-log.ts';
import { readFixture, storeFiles } from '../../../releases/fixture.ts';
import { aGroup } from '../../../support/a-group.ts';
import { aUser } from '../../../support/a-user.ts';
import { deadline, until } from '../../../support/deadlines.ts';
import { isSwept, readLayout, toLayout9 } from '../../../support/layout-9.ts';
import { tester } from '../../../support/store-verbs.ts';
import { giveFile, neverFatal } from './a-file.ts';

const open = (file: string, options: Partial<SqliteOptions> = {}): Promise<Store> =>
  openSqliteStore({ file, onFatal: neverFatal, busyTimeout: deadline, ...options });
const migrate = async (file: string, options: Partial<SqliteOptions> = {}): Promise<void> =>
  (await open(file, { mayMigrate: true, ...options })).close();

const refusalOf = (opening: Promise<unknown>): Promise<string> =>
  opening.then(
    () => 'none',
    (cause: Error) => cause.message,
  );

/** Numbers that look random, and are the same in each run. */
function randomNumbers(): (below: number) => number {
  let state = 59;
  return (below) => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
    return Math.floor((state / 2 ** 31) * below);
  };
}

/** Writes at random: whole lists, deletions of users and groups, users that are made again, erasures. */
async function writeAtRandom(store: Store): Promise<void> {
  const random = randomNumbers();
  const one = <T>(list: readonly T[]): T => list[random(list.length)] as T;
  const commit = (write: Write) => store.commit([write], tester);
  const users = new Map<string, User>();
  const groups: Stored<GroupDocument>[] = [];
  const erased = new Set<string>();
  const add = async (user: User): Promise<void> => {
    users.set(user.id, user);
    await commit(createUser(user));
  };
  for (let count = 0; count < 12; count += 1) await add(aUser());
  const some = () => [...users.keys()].filter(() => random(3) === 0);
  for (let turn = 0; turn < 400; turn += 1) {
    const group = one(groups);
    const what = groups.length < 4 ? 0 : random(12);
    if (what === 0) {
      const made = aGroup();
      groups.push(made);
      await commit(createGroup(made, some()));
    } else if (what === 1) {
      groups.splice(groups.indexOf(group), 1);
      await commit(removeGroup(group));
    } else if (what === 2) {
      const user = one([...users.values()]);
      const erase = random(3) === 0;
      users.delete(user.id);
      if (erase) erased.add(user.id);
      await commit(removeUser(user, erase));
      await add(aUser(erase ? {} : { id: user.id }));
    } else if (what < 6) await commit(changeMembers(group.id, { isWhole: true, add: some() }));
    else {
      const [coming, going] = [some(), some()];
      const remove = going.filter((id) => !coming.includes(id));
      await commit(changeMembers(group.id, { add: coming, remove }));
    }
  }
}

describe('The migration of a SQLite file of release 1.0', () => {
  let file: string;
  giveFile((path) => {
    file = path;
  });
  const giveFixture = () => writeFileSync(file, readFixture('1.0', storeFiles.sqlite));

  it('gives users the histories that this release would have written', async () => {
    const store = await open(file);
    await writeAtRandom(store);
    await until('all dropped sets are swept', isSwept(file));
    await store.close();
    const before = readLayout(file);
    expect(before.rows.length).to.be.above(500);
    toLayout9(file);
    await migrate(file);
    expect(readLayout(file)).to.deep.equal(before);
  });

  it('adds rows that are removed together with their entries', async () => {
    const store = await open(file);
    await writeAtRandom(store);
    await store.close();
    toLayout9(file);
    const migrated = await open(file, { mayMigrate: true });
    const soon = Date.now() + 60_000;
    await pruneAll(migrated.changes ?? expect.fail('no log'), { feedFrom: soon, historyFrom: soon });
    await migrated.close();
    expect(readLayout(file)).to.deep.equal({ layout: 10, rows: [], swept: [] });
  });

  it('keeps a copy of the earlier file beside it', async () => {
    giveFixture();
    const lines: string[] = [];
    await migrate(file, { onProgress: (line) => lines.push(line) });
    expect(readLayout(file).layout).to.equal(10);
    expect(readLayout(file).rows.length).to.be.above(10);
    const copy = `${file}.layout-9`;
    expect(readLayout(copy).layout).to.equal(9);
    expect(lines.join('\n')).to.include(copy).and.include('migrated to layout 10');
    const users = verifyBackup(copy);
    await restore(copy, file);
    expect(readLayout(file).layout).to.equal(9);
    await migrate(file);
    expect(await inspectFile(file)).to.include(`${users} users`);
  });

  it('makes no copy if a setting says so', async () => {
    giveFixture();
    await migrate(file, { copyBeforeMigration: false });
    expect(existsSync(`${file}.layout-9`)).to.equal(false);
    expect(readLayout(file).layout).to.equal(10);
  });

  it('is left to the service: other commands say what is due, and change nothing', async () => {
    giveFixture();
    const before = readFileSync(file);
    for (const refusal of [refusalOf(open(file)), refusalOf(inspectFile(file))])
      expect(await refusal)
        .to.include('Start the service')
        .and.include('.layout-9');
    expect(readFileSync(file).equals(before)).to.equal(true);
  });

  it('is refused without space for the copy; the error says how much it needs', async () => {
    giveFixture();
    const db = new Database(file);
    db.exec('UPDATE change_log SET bytes = 1e17 WHERE number = (SELECT max(number) FROM change_log)');
    db.close();
    expect(await refusalOf(migrate(file))).to.match(/needs 1000\d{14} bytes.* and the disk has \d+/);
    expect(readLayout(file).layout).to.equal(9);
  });

  it('does not replace another file that has the name of the copy', async () => {
    giveFixture();
    writeFileSync(`${file}.layout-9`, 'mine');
    expect(await refusalOf(migrate(file))).to.include('is there already');
    expect(readFileSync(`${file}.layout-9`, 'utf8')).to.equal('mine');
    copyFileSync(file, `${file}.layout-9`);
    await migrate(file);
    expect(readLayout(`${file}.layout-9`).layout).to.equal(9);
  });

  const startWhile = (prepare: () => unknown) => async () => {
    await prepare();
    const other = new Database(file);
    other.pragma('journal_mode = WAL');
    other.exec('BEGIN IMMEDIATE');
    const lines: string[] = [];
    const onProgress = (line: string) => void lines.push(line);
    const migrated = migrate(file, { busyTimeout: 50, onProgress });
    await until('it says that it waits', () => lines.some((line) => line.includes('waits')));
    other.exec('COMMIT');
    other.close();
    await migrated;
    expect(readLayout(file).layout).to.equal(10);
  };
  const interrupt = async (sql: string) => {
    giveFixture();
    await migrate(file);
    const db = new Database(file);
    db.exec(sql);
    db.close();
  };
  it('waits for a process that copies the file', startWhile(giveFixture));
  it(
    'waits for a process that runs the same migration and holds the lock for longer than a write may wait',
    startWhile(() => interrupt('INSERT INTO migrations VALUES (10, 0)')),
  );
  it(
    'waits for a process that rebuilds derived rows',
    startWhile(() => interrupt("UPDATE key_rules SET rules = rules || ' 0' WHERE kind = 'user'")),
  );

  it('continues when the service starts after an interruption; until then commands refuse the file', async () => {
    giveFixture();
    await migrate(file);
    const whole = readLayout(file);
    const db = new Database(file);
    const middle = Number(db.prepare('SELECT max(number) / 2 FROM change_log').pluck().get());
    db.prepare('DELETE FROM change_log_members WHERE number > ?').run(middle);
    db.prepare('DELETE FROM swept_members WHERE number > ?').run(middle);
    db.prepare('INSERT INTO migrations VALUES (10, ?)').run(middle);
    db.close();
    expect(await refusalOf(open(file))).to.include('is not finished');
    await migrate(file);
    expect(readLayout(file)).to.deep.equal(whole);
    await (await open(file)).close();
  });
});
