import { copyFileSync, existsSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { expect } from 'chai';
import { openSqliteStore } from '../../src/adapters/stores/sqlite/open-store.ts';
import { changeMembers, createGroup, createUser, removeGroup } from '../contract/change-log.ts';
import { aGroup } from '../support/a-group.ts';
import { aUser } from '../support/a-user.ts';
import { until } from '../support/deadlines.ts';
import { readLayout, toLayout9 } from '../support/layout-9.ts';
import { aDataFolder, discardProcesses, launch } from '../support/process.ts';
import { tester } from '../support/store-verbs.ts';
import { fileIn, usersIn } from './directories.ts';

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
  await store.close();
}

/**
 * How far the migration of the file is: 0 before, 1 while the copy is written, 2 when it is there, then 3 and more.
 * @param changes all entries of the log
 */
function readStage(file: string, changes: number): number {
  const folder = join(file, '..');
  const isCopying = readdirSync(folder).some((name) => name.endsWith('.part'));
  const before = existsSync(`${file}.layout-9`) ? 2 : Number(isCopying);
  const db = new Database(file, { readonly: true, timeout: 1000 });
  try {
    if ((Number(db.pragma('user_version', { simple: true })) & 0x3fff) === 9) return before;
    const progress = db.prepare<[], number>('SELECT progress FROM migrations').pluck().get();
    return progress === undefined ? 7 : 3 + Math.floor((3 * progress) / changes);
  } catch {
    // The file is being opened.
    return before;
  } finally {
    db.close();
  }
}

/** @param changes of members in the log @param kills how often a start is killed */
export const describeKilledMigrations = (changes: number, kills: number) =>
  describe(`A migration of a SQLite file with ${changes} changes of members`, () => {
    afterEach(discardProcesses);

    it(`is completed by two processes of which one or both are killed, ${kills} times`, async () => {
      const folder = aDataFolder();
      const file = fileIn(folder);
      await fillLog(file, changes);
      const expected = readLayout(file).rows.length;
      toLayout9(file);
      const original = join(folder, 'original.db');
      copyFileSync(file, original);
      let whole: ReturnType<typeof readLayout> | undefined;
      const startAgain = (): void => {
        for (const name of readdirSync(join(file, '..')).filter((it) => it.startsWith('users.db')))
          rmSync(join(file, '..', name));
        copyFileSync(original, file);
      };
      for (let round = 0; round < kills; round += 1) {
        const stage = round % 8;
        const isAlone = round % 3 === 0;
        const processes = (isAlone ? [0] : [0, 1]).map(() => launch(['serve'], folder));
        const hasEnded = () => processes.every(({ child }) => child.exitCode !== null);
        await until(`stage ${stage}`, () => readStage(file, changes) >= stage || hasEnded());
        const [first, other] = processes;
        first?.child.kill('SIGKILL');
        await first?.ended;
        if (round % 2 === 0) other?.child.kill('SIGKILL');
        else await other?.err.first(/^Listening on /);
        other?.child.kill('SIGTERM');
        const end = await other?.ended;
        expect(end?.code ?? 0, end?.told.join('\n')).to.equal(0);
        if (readStage(file, changes) < 7) continue;
        const found = readLayout(file);
        expect(found.rows).to.have.length(expected);
        whole ??= found;
        expect(found).to.deep.equal(whole);
        expect(readLayout(`${file}.layout-9`).layout).to.equal(9);
        const db = new Database(file, { readonly: true });
        expect(db.pragma('integrity_check', { simple: true })).to.equal('ok');
        db.close();
        expect(await usersIn(folder)).to.have.length(200);
        startAgain();
      }
    });
  });
