import { execFileSync } from 'node:child_process';
import { resolve } from 'node:path';
import { expect } from 'chai';
import { discardProcesses, run, startProcess } from '../support/process.ts';

/** Beside what the other tests run, which is the same but in one file for each module. */
const folder = 'build/bundle';

const clients = [
  { type: 'application/json', body: '{"userName":"ada"}' },
  {
    type: 'application/xml; charset=windows-1252',
    body: '<user xmlns="urn:user-management:1"><userName>grace</userName></user>',
  },
];

describe('The service as `npm start` runs it, in a few files', function () {
  this.timeout(60_000);
  before(() => void execFileSync(process.execPath, [resolve('scripts/bundle.js'), folder]));
  afterEach(discardProcesses);

  for (const workers of ['1', '2'])
    it(`serves in each format with the token that it tells how to get, ${workers} of workers`, async () => {
      const service = await startProcess({ script: '../bundle/main', env: { USERS_WORKERS: workers } });
      const made = await run('../bundle/token', service.folder, {}, ['--scope', 'users:write']);
      const authorization = `Bearer ${made.log.join('')}`;
      for (const { type, body } of clients) {
        const headers = { authorization, 'content-type': type, accept: type.replace(/;.*/, '') };
        const created = await fetch(`${service.url}/users`, { method: 'POST', headers, body });
        expect(created.status).to.equal(201);
        const read = await fetch(service.url + created.headers.get('location'), { headers });
        expect(await read.text()).to.equal(await created.text());
      }
      expect((await service.stop()).code).to.equal(0);
    });

  it('makes API keys and says how users are copied, backed up and restored', async () => {
    for (const name of ['backup', 'restore']) {
      const { told } = await run(`../bundle/${name}`, '.', {}, []);
      expect(told.join()).to.contain(`usage: npm run --silent ${name} -- `);
    }
    const { code } = await run('../bundle/api-key', '.', {}, []);
    expect(code).to.equal(1);
    const copied = await run('../bundle/copy-users', '.', {}, []);
    expect(copied.told.join()).to.contain('usage: npm run copy-users');
  });
});
