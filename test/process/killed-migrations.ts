import { copyFileSync, existsSync, readdirSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import Database from 'better-sqlite3';
import { expect } from 'chai';
import { openSqliteStore } from '../../src/adapters/stores/sqlite/open-store.ts';
import { aFolder } from '../adapters/stores/sqlite/a-file.ts';
import { changeMembers, createGroup, createUser, removeGroup } from '../contract/change-log.ts';
import { aGroup } from '../support/a-group.ts';
import { aUser } from '../support/a-user.ts';
import { until } from '../support/deadlines.ts';
import { isSwept, readLayout, toLayout9 } from '../support/layout-9.ts';
import { discardProcesses, type Ended, launch } from '../support/process.ts';
import { tester } from '../support/store-verbs.ts';
import { fileIn, recoveredUsersIn } from './directories.ts';

/** A file with a log of changes of members. @param changes of 200 members each */
async function fillLog(file: string, changes: number): Promise<void> {
  const store = await openSqliteStore({ file, onFatal: (cause) => expect.fail(String(cause)) });
  const users = Array.from({ length: 200 }, () => aUser());
  await store.commit(
    users.map((user) => createUser(user)),
    tester,
  );
  const ids = users.map(({ id }) => id);
  const [group, ended] = [aGroup(), aGroup()];
  await store.commit([createGroup(group), createGroup(ended, ids)], tester);
  for (let count = 0; count < changes / 2; count += 1) {
    await store.commit([changeMembers(group.id, { add: ids })], tester);
    const change = count % 5 === 0 ? { isWhole: true, add: ids.slice(100) } : { remove: ids };
    await store.commit([changeMembers(group.id, change)], tester);
  }
  await store.commit([removeGroup(ended)], tester);
  await until('all dropped sets are swept', isSwept(file));
  await store.close();
}

/** How far the migration of the file is: 0 before, 1 while the copy is written, 2 when it is there, then 3 and more; 7 at the end. */
function readStage(file: string): number {
  const isCopying = readdirSync(dirname(file)).some((name) => name.endsWith('.part'));
  const before = existsSync(`${file}.layout-9`) ? 2 : Number(isCopying);
  const db = new Database(file, { readonly: true, timeout: 1000 });
  try {
    if ((Number(db.pragma('user_version', { simple: true })) & 0x3fff) === 9) return before;
    const share = 'SELECT 3 * progress / (SELECT max(number) FROM change_log) FROM migrations';
    const part = db.prepare<[], number>(share).pluck().get();
    return part === undefined ? 7 : 3 + part;
  } catch {
    // The file is being opened.
    return before;
  } finally {
    db.close();
  }
}

/** @param changes of members in the log @param rounds a number for each kill: it says at which stage, and how many processes there are */
export const describeKilledMigrations = (changes: number, rounds: readonly number[]) =>
  describe(`A migration of a SQLite file with ${changes} changes of members`, () => {
    const folder = aFolder();
    const file = fileIn(folder.path);
    const original = join(folder.path, 'original.db');
    let expected = 0;
    let whole: ReturnType<typeof readLayout> | undefined;
    before(async () => {
      await fillLog(file, changes);
      expected = readLayout(file).rows.length;
      toLayout9(file);
      copyFileSync(file, original);
    });
    afterEach(discardProcesses);
    after(folder.remove);

    /** @returns how the process ended that was not killed, if there was one */
    async function killAt(stage: number, round: number): Promise<Ended | undefined> {
      const count = round % 3 === 0 ? 1 : 2;
      const [first, other] = Array.from({ length: count }, () => launch(['serve'], folder.path));
      const hasEnded = () => [first, other].every((one) => one === undefined || one.child.exitCode !== null);
      await until(`stage ${stage}`, () => readStage(file) >= stage || hasEnded());
      first?.child.kill('SIGKILL');
      await first?.ended;
      if (round % 2 === 0) {
        other?.child.kill('SIGKILL');
        await other?.ended;
        return undefined;
      }
      await other?.err.first(/^Listening on /);
      other?.child.kill('SIGTERM');
      return other?.ended;
    }

    async function expectMigrated(): Promise<void> {
      const found = readLayout(file);
      expect(found.rows).to.have.length(expected);
      whole ??= found;
      expect(found).to.deep.equal(whole);
      expect(readLayout(`${file}.layout-9`).layout).to.equal(9);
      const db = new Database(file, { readonly: true });
      expect(db.pragma('integrity_check', { simple: true })).to.equal('ok');
      db.close();
      expect(await recoveredUsersIn(folder.path)).to.have.length(200);
    }

    function startAgain(): void {
      const around = dirname(file);
      for (const name of readdirSync(around)) if (name.startsWith('users.db')) rmSync(join(around, name));
      copyFileSync(original, file);
    }

    for (const round of rounds)
      it(`is completed by the processes that are left, or by the next ones (kill ${round + 1})`, async () => {
        const end = await killAt(round % 8, round);
        expect(end?.code ?? 0, end?.told.join('\n')).to.equal(0);
        if (round % 2 === 1 && round % 3 > 0) expect(readStage(file)).to.equal(7);
        if (readStage(file) < 7) return;
        await expectMigrated();
        startAgain();
      });
  });
