import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { expect } from 'chai';
import { describeMongo, inADatabase } from '../support/mongodb.ts';
import { aToken, startService } from '../support/service.ts';
import { openSqliteStore } from '../support/stores.ts';
import type { UserStore } from '../support/verbs.ts';
import { neededInPython, outputOf } from './tools.ts';

/** Each page that says how many checks are passed. */
const pages = ['docs/scim.md', 'docs/okta.md', 'docs/entra-id.md', 'docs/onelogin.md'];

/** @returns every check that isn't passed */
async function findFailures(store: UserStore): Promise<readonly string[]> {
  const service = await startService({}, store);
  try {
    const script = resolve('test/outside/scim2_check.py');
    const { out, err } = await outputOf('python3', [script, `${service.url}/scim/v2`, await aToken()]);
    const lines = out.trim().split('\n');
    for (const type of ['User', 'Group'])
      expect(lines.filter((line) => line.split(' ')[1] === type).length, `${type} ${err}`).to.be.above(20);
    for (const page of pages) {
      const said = /(\d+) of (\d+) checks of scim2-tester/.exec(readFileSync(page, 'utf8'))?.slice(1);
      expect(said, page).to.deep.equal([String(lines.length), String(lines.length)]);
    }
    return lines.filter((line) => !line.startsWith('SUCCESS'));
  } finally {
    await service.close();
  }
}

describe('scim2-tester', () => {
  beforeEach(function () {
    neededInPython(this, 'scim2_tester');
  });

  it('finds no fault and skips no check, with users in SQLite', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'users-scim-'));
    const store = await openSqliteStore({
      file: join(folder, 'users.db'),
      onFatal: (cause) => {
        throw cause;
      },
    });
    try {
      expect(await findFailures(store)).to.deep.equal([]);
    } finally {
      await store.close();
      rmSync(folder, { recursive: true, force: true });
    }
  });

  describeMongo('with MongoDB', () => {
    it('finds no fault and skips no check', () =>
      inADatabase(async (database) => {
        expect(await findFailures(await database.open())).to.deep.equal([]);
      }));
  });
});
