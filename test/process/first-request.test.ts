import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { needed } from '../outside/tools.ts';
import { aDatabase, describeMongo } from '../support/mongodb.ts';
import { discardProcesses, type Environment, startProcess } from '../support/process.ts';

const script = fileURLToPath(new URL('./first-request.sh', import.meta.url));

/** Without blocking: the service's output has to be read meanwhile. */
const bash = (url: string, token: string) =>
  new Promise<{ code: number | null; out: string }>((resolve) => {
    const env = { ...process.env, TOKEN: token };
    const child = execFile('bash', [script, url], { env }, (_error, stdout, stderr) =>
      resolve({ code: child.exitCode, out: stdout + stderr }),
    );
  });

describe('The first requests, by curl and xmllint', () => {
  before(function () {
    for (const program of ['bash', 'curl', 'xmllint']) needed(this, program);
  });
  afterEach(discardProcesses);

  async function allSteps(env: Environment): Promise<void> {
    const service = await startProcess({ env });
    const { code, out } = await bash(service.url, await service.token());
    expect(code, out).to.equal(0);
    expect(out.trim().split('\n')).to.have.length(7);
  }

  it('create, read, change and delete a user, in JSON and XML', () => allSteps({}));

  describeMongo('on MongoDB', () => {
    it('have the same results', async () => {
      const database = await aDatabase();
      await allSteps({ USERS_STORE: 'mongodb', USERS_MONGODB_URI: database.uri });
      await database.drop();
    });
  });

  it('stop at the first unexpected response', async () => {
    const service = await startProcess();
    const { code, out } = await bash(service.url, await service.token(['users:read']));
    expect(code).to.equal(1);
    expect(out).to.contain('403 instead of 201');
  });
});
