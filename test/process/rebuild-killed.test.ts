import Database from 'better-sqlite3';
import { expect } from 'chai';
import { currentRules, rulesMark } from '../../src/adapters/stores/sqlite/layout/rules.ts';
import { aUser } from '../support/a-user.ts';
import { aDataFolder, discardProcesses, launch, run, startProcess } from '../support/process.ts';
import { allUsers, expectUndamaged } from './contents.ts';
import { fileIn, fill } from './directories.ts';

const count = 10_000;
const kills = 5;

/** As if other rules had made the indexes: some rows are missing, others lead nowhere. */
function makeOutdated(db: Database.Database): void {
  db.exec(
    "DELETE FROM user_keys WHERE user_id < '4'; UPDATE user_keys SET key = key || '?' WHERE user_id > 'c'",
  );
  db.prepare('UPDATE marks SET value = ? WHERE name = ?').run('1 search.0', rulesMark);
}

/** @returns how many users the rebuild has passed; all of them once it is over */
function readProgress(db: Database.Database): number {
  const mark = String(db.prepare('SELECT value FROM marks WHERE name = ?').pluck().get(rulesMark));
  if (mark === currentRules) return count;
  const [kind, last] = mark.startsWith(`${currentRules} `)
    ? mark.slice(currentRules.length + 1).split(' ')
    : [];
  // Groups come after users.
  return kind === 'group' ? count : Number(last ?? 0);
}

/** Starts the program and kills it when the rebuild has passed `place`. */
async function killAt(folder: string, db: Database.Database, place: number): Promise<void> {
  const { child, ended } = launch([], folder);
  while (readProgress(db) < place && child.exitCode === null) await new Promise(setImmediate);
  child.kill('SIGKILL');
  await ended;
}

describe(`A rebuild of the indexes of ${count} users`, function () {
  this.timeout(120_000);
  afterEach(discardProcesses);

  /** A file with outdated indexes, and a connection to it. */
  async function setUp(): Promise<{ folder: string; db: Database.Database }> {
    const folder = aDataFolder();
    const users = Array.from({ length: count }, (_, at) =>
      aUser({ userName: `user${at}`, roles: ['one', `group${at % 100}`] }),
    );
    await fill(folder, users);
    const db = new Database(fileIn(folder));
    makeOutdated(db);
    return { folder, db };
  }

  it(`continues where it was when it is killed ${kills} times, and leaves complete indexes`, async () => {
    const { folder, db } = await setUp();
    for (let round = 0; round < kills; round += 1) {
      const place = Math.min(readProgress(db) + count / 10, count);
      await killAt(folder, db, place);
      expect(readProgress(db)).to.be.at.least(place);
    }
    db.close();
    const service = await startProcess({ folder });
    const users = await allUsers(service);
    await service.stop();
    expect(users.size).to.equal(count);
    expectUndamaged(fileIn(folder), users);
    expect((await run(['check'], folder)).code).to.equal(0);
  });

  it('is shared by two processes that start at once, one of which is killed', async () => {
    const { folder, db } = await setUp();
    const [, service] = await Promise.all([killAt(folder, db, count / 2), startProcess({ folder })]);
    expect(readProgress(db)).to.equal(count);
    db.close();
    const users = await allUsers(service);
    await service.stop();
    expect(users.size).to.equal(count);
    expectUndamaged(fileIn(folder), users);
  });
});
