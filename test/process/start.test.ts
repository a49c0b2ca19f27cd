import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { aDataFolder, discardProcesses, launch, run, startProcess } from '../support/process.ts';
import { some } from '../support/runs.ts';
import { refusal, withSecret } from './refusal.ts';

describe('Starting the service', () => {
  afterEach(discardProcesses);

  it('prints the addresses of the API, the documentation and the console, the place of the data, how to get a token and how to use more cores', async () => {
    const service = await startProcess();
    const { told } = await service.stop();
    expect(told[0]).to.match(/^Listening on http:\/\/127\.0\.0\.1:\d+\/users$/);
    expect(told[1]).to.equal(`Documentation at ${service.url}/docs`);
    expect(told[2]).to.equal(`Console at ${service.url}/console/`);
    expect(told[3]).to.equal(`Data in ${join(service.folder, 'data', 'users.db')}`);
    expect(told[4]).to.match(/npm run --silent token -- --scope "[^"]+"$/);
    const cores = availableParallelism();
    const hint = `The service uses one of ${cores} cores; USERS_WORKERS=${cores} uses them all`;
    expect(told.slice(5)).to.deep.equal(cores > 1 ? [hint] : []);
    expect(readdirSync(join(service.folder, 'data'))).to.include('users.db');
  });

  for (const [what, args] of [
    ['to start', []],
    ['a command', ['backup', 'copy.db']],
  ] as const)
    it(`refuses ${what} on a Node older than package.json requires`, async () => {
      const folder = aDataFolder();
      const hook = join(folder, 'old-node.cjs');
      writeFileSync(
        hook,
        "Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '20.20.2' } });",
      );
      const { code, log, told } = await run(args, folder, { NODE_OPTIONS: `--require ${hook}` });
      expect([code, log, told.length]).to.deep.equal([1, [], 1]);
      expect(told[0]).to.match(/^Node 22\.14 or later is required, and this is Node 20\.20\.2: install /);
      expect(readdirSync(folder)).to.deep.equal(['old-node.cjs']);
    });

  it('accepts the token of the printed command for reading, writing and deleting users and groups', async () => {
    const service = await startProcess();
    const [, scope = ''] = /--scope "([^"]+)"/.exec(await service.told(/^Get a token/)) ?? [];
    const made = await run(['token', '--scope', scope], service.folder);
    expect(made.code).to.equal(0);
    const headers = { authorization: `Bearer ${made.log.join('')}`, 'content-type': 'application/json' };
    for (const [path, resource] of [
      ['/users', { userName: 'ada' }],
      ['/groups', { displayName: 'Engineering' }],
    ] as const) {
      const body = JSON.stringify(resource);
      const created = await fetch(service.url + path, { method: 'POST', headers, body });
      expect(created.status).to.equal(201);
      const one = service.url + created.headers.get('location');
      expect((await fetch(one, { headers })).status).to.equal(200);
      expect((await fetch(one, { method: 'DELETE', headers })).status).to.equal(204);
    }
  });

  for (const workers of some([1, 2]))
    it(`names the address when another program listens there (workers: ${workers})`, async () => {
      const other = createServer();
      await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
      const { port } = other.address() as AddressInfo;
      const line = await refusal(aDataFolder(), { USERS_PORT: String(port), USERS_WORKERS: String(workers) });
      await new Promise((resolve) => other.close(resolve));
      expect(line).to.contain(`127.0.0.1:${port} is in use`).and.to.contain('USERS_PORT');
    });

  it("reads the operator's folders of settings, and variables that are not empty take precedence", async () => {
    const folder = aDataFolder();
    const own = join(folder, 'settings');
    mkdirSync(own);
    writeFileSync(join(own, 'local.json5'), "{ basePath: '/v7', publicUrl: 'https://a.example/v7' }");
    const env = { NODE_CONFIG_DIR: own, USERS_PUBLIC_URL: 'https://b.example/v7', USERS_BASE_PATH: '' };
    const { child, err } = launch([], folder, env);
    expect(await err.first(/^Listening on /)).to.match(/\/v7\/users$/);
    const url = /http\S+/.exec(err.seen.join('\n'))?.[0] ?? '';
    expect(await (await fetch(url)).json()).to.have.property(
      'type',
      'https://b.example/v7/problems/unauthenticated',
    );
    child.kill('SIGTERM');
  });

  for (const [mode, env] of some(Object.entries({ 'a shared secret': withSecret, 'its own key': {} }))) {
    it(`names the path when it cannot write there, with ${mode}`, async () => {
      const folder = aDataFolder();
      writeFileSync(join(folder, 'a-file'), '');
      const file = join(folder, 'a-file', 'below', 'users.db');
      const line = await refusal(folder, { ...env, USERS_SQLITE_FILE: file });
      expect(line)
        .to.contain(join(folder, 'a-file', 'below'))
        .and.to.contain('not a directory');
    });

    it(`names a file that is not a database, and leaves it unchanged, with ${mode}`, async () => {
      const folder = aDataFolder();
      const file = join(folder, 'users.db');
      writeFileSync(file, 'This is a text, and longer than the header of a database would be. '.repeat(9));
      const line = await refusal(folder, { ...env, USERS_SQLITE_FILE: file });
      expect(line).to.contain(file).and.to.contain('not a database');
    });
  }
});
