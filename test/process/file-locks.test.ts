import { existsSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import Database from 'better-sqlite3';
import { expect } from 'chai';
import { aFreePort } from '../support/free-port.ts';
import { aDataFolder, discardProcesses, launch, startProcess } from '../support/process.ts';
import { runHere } from './called.ts';
import { poster } from './posts.ts';

async function expectLocked(folder: string, when: string): Promise<void> {
  const { code, told } = await runHere(['restore', 'backup.db'], folder);
  expect([code, told.join()], when).to.deep.equal([
    1,
    'Nothing restored: the service, or another program, has it open',
  ]);
}

describe('A service on SQLite', () => {
  afterEach(discardProcesses);

  // Whoever closes a file in a process releases all of its locks on it.
  for (const workers of ['1', '2'])
    it(`keeps its file locked, whichever attributes it begins with, so that nothing is restored over it (workers: ${workers})`, async () => {
      const folder = aDataFolder();
      for (const type of [undefined, undefined, 'string', 'integer', undefined]) {
        const env = { USERS_WORKERS: workers, USERS_PORT: String(await aFreePort()) };
        if (type)
          writeFileSync(join(folder, 'attributes.json5'), `{ attributes: { badge: { type: '${type}' } } }`);
        const service = await startProcess({
          folder,
          env: { ...env, ...(type && { USERS_ATTRIBUTES_FILE: 'attributes.json5' }) },
        });
        await runHere(['backup', 'backup.db'], folder);
        await expectLocked(folder, `after a start with the type ${type}`);
        expect(await (await poster(service)).post()).to.equal(201);
        await expectLocked(folder, `after a write with the type ${type}`);
        await service.stop();
      }
    });
});

/** A file with that many bytes in which nothing is stored. */
function widen(file: string, bytes: number): void {
  const db = new Database(file);
  db.exec(
    `CREATE TABLE wide AS SELECT zeroblob(${bytes}) AS value; DROP TABLE wide; PRAGMA wal_checkpoint(TRUNCATE);`,
  );
  db.close();
}

/** Whether a service that starts now could write to the file. */
function isWritable(file: string): boolean {
  const db = new Database(file, { timeout: 0 });
  try {
    db.exec('BEGIN IMMEDIATE; ROLLBACK');
    return true;
  } catch {
    return false;
  } finally {
    db.close();
  }
}

describe('The command restore', () => {
  afterEach(discardProcesses);

  it('keeps a file that it restores from itself locked until the copy has replaced it, so that no service writes to it meanwhile', async () => {
    const folder = aDataFolder();
    await (await startProcess({ folder })).stop();
    const file = join(folder, 'data', 'users.db');
    widen(file, 50 * 2 ** 20);
    const { ino, size } = statSync(file);
    const command = launch(['restore', file], folder);
    const copy = `${file}.${command.child.pid}.part`;
    const isCopied = () => (statSync(copy, { throwIfNoEntry: false })?.size ?? 0) >= size;
    let looks = 0;
    while (statSync(file).ino === ino && command.child.exitCode === null) {
      await turn();
      if (!isCopied()) continue;
      // Asked again afterwards, since the copy may have replaced it in between.
      expect(isWritable(file) && statSync(file).ino === ino, `look ${looks}`).to.equal(false);
      looks += 1;
    }
    expect(looks).to.be.greaterThan(0);
    expect((await command.ended).code).to.equal(0);
    expect(existsSync(copy)).to.equal(false);
  });
});
