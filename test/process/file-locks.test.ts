import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { aFreePort } from '../support/free-port.ts';
import { aDataFolder, discardProcesses, startProcess } from '../support/process.ts';
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
