/** Runs the first requests of the documentation. */
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { needed } from '../outside/tools.ts';
import { discardProcesses, type Environment, startProcess } from '../support/process.ts';

const script = fileURLToPath(new URL('./first-request.sh', import.meta.url));

/** Without blocking: the service's output has to be read meanwhile. */
export const bash = (url: string, token: string) =>
  new Promise<{ code: number | null; out: string }>((resolve) => {
    const env = { ...process.env, TOKEN: token };
    const child = execFile('bash', [script, url], { env }, (_error, stdout, stderr) =>
      resolve({ code: child.exitCode, out: stdout + stderr }),
    );
  });

/** They all succeed on a service with these settings. */
export async function allSteps(env: Environment): Promise<void> {
  const service = await startProcess({ env });
  const { code, out } = await bash(service.url, await service.token());
  expect(code, out).to.equal(0);
  expect(out.trim().split('\n')).to.have.length(7);
}

/** To be called in `describe`. */
export function needPrograms(): void {
  before(function () {
    for (const program of ['bash', 'curl', 'xmllint']) needed(this, program);
  });
  afterEach(discardProcesses);
}
