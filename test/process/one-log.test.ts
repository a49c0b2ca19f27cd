import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';

const log = new URL('../../src/process/output/log.ts', import.meta.url).href;
const lines = 300;

/** Logs errors with much to say, such as a driver's with the whole cluster's state. */
const logger = `
  const { createLog } = await import('${log}');
  const log = createLog('info', { shared: true });
  const err = Object.assign(new Error('é'.repeat(3000)), { servers: Array(900).fill('host.example') });
  for (let count = 0; count < ${lines}; count += 1) log.error({ err, count }, 'failed');
`;

describe('A log that several processes write', () => {
  it('has only complete lines, however long their content', async () => {
    const args = [process.execPath, '--input-type=module', '--eval', logger];
    const shell = spawn('sh', ['-c', '"$@" & "$@" & wait', 'sh', ...args], {
      stdio: ['ignore', 'pipe', 'inherit'],
      cwd: fileURLToPath(new URL('../..', import.meta.url)),
    });
    const written = (await text(shell.stdout)).trimEnd().split('\n');
    expect(written).to.have.length(2 * lines);
    for (const line of written) {
      expect(Buffer.byteLength(`${line}\n`)).to.be.at.most(4096);
      const { msg, err } = JSON.parse(line);
      expect(msg).to.equal('failed');
      expect(err.message).to.match(/^é+…$/);
    }
  });
});
