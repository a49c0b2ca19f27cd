import Database from 'better-sqlite3';
import { expect } from 'chai';
import { currentRules } from '../../src/adapters/stores/sqlite/layout/layout.ts';
import { kindsOf } from '../../src/domain/kinds.ts';
import { aUser } from '../support/a-user.ts';
import { until } from '../support/deadlines.ts';
import { aDataFolder, discardProcesses, launch, run, startProcess } from '../support/process.ts';
import { allUsers, expectUndamaged } from './contents.ts';
import { fileIn, fill } from './directories.ts';

/** As if other rules had made the indexes: some rows are missing, others lead nowhere. */
function makeOutdated(db: Database.Database): void {
  db.exec("DELETE FROM user_keys WHERE id < '4'; UPDATE user_keys SET key = key || '?' WHERE id > 'c'");
  db.exec("UPDATE key_rules SET rules = '1 search.0'");
}

/** @returns how many users the rebuild has passed; all of them once it is over */
function readProgress(db: Database.Database, count: number): number {
  const rules = String(db.prepare("SELECT rules FROM key_rules WHERE kind = 'user'").pluck().get());
  const current = currentRules(kindsOf().of('user'));
  if (rules === current) return count;
  return rules.startsWith(`${current} `) ? Number(rules.slice(current.length + 1)) : 0;
}

/** Starts the program and kills it when the rebuild has passed `place`. */
async function killAt(folder: string, place: number, progress: () => number): Promise<void> {
  const { child, ended } = launch([], folder);
  await until(`the rebuild has passed ${place}`, () => progress() >= place || child.exitCode !== null);
  child.kill('SIGKILL');
  await ended;
}

/** @param count of the users @param kills how often a start is killed */
export const describeKilledRebuilds = (count: number, kills: number) =>
  describe(`A rebuild of the indexes of ${count} users`, () => {
    afterEach(discardProcesses);

    /** A file with outdated indexes, and a connection to it. */
    async function setUp(): Promise<{ folder: string; db: Database.Database; progress: () => number }> {
      const folder = aDataFolder();
      const users = Array.from({ length: count }, (_, at) =>
        aUser({ userName: `user${at}`, roles: ['one', `group${at % 100}`] }),
      );
      await fill(folder, users);
      const db = new Database(fileIn(folder));
      makeOutdated(db);
      return { folder, db, progress: () => readProgress(db, count) };
    }

    it(`continues where it stopped after each of ${kills} kills, and completes the indexes`, async () => {
      const { folder, db, progress } = await setUp();
      for (let round = 0; round < kills; round += 1) {
        const place = Math.min(progress() + count / 10, count);
        await killAt(folder, place, progress);
        expect(progress()).to.be.at.least(place);
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
      const { folder, db, progress } = await setUp();
      const [, service] = await Promise.all([killAt(folder, count / 2, progress), startProcess({ folder })]);
      expect(progress()).to.equal(count);
      db.close();
      const users = await allUsers(service);
      await service.stop();
      expect(users.size).to.equal(count);
      expectUndamaged(fileIn(folder), users);
    });
  });
