import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { mostYoung } from '../../src/process/young-generation.ts';

const run = promisify(execFile);

describe('The young generation of a process', () => {
  it('grows to its limit, and again after an idle time in which V8 has shrunk it', async () => {
    const program = fileURLToPath(new URL('./idle-heap.ts', import.meta.url));
    const { stdout } = await run(process.execPath, [program]);
    const { before, idle, after } = JSON.parse(stdout);
    expect([before, after]).to.deep.equal([mostYoung, mostYoung]);
    expect(idle).to.be.below(mostYoung / 2);
  });
});
