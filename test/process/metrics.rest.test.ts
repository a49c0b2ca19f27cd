import { expect } from 'chai';
import { readHeaps, tellHeap } from '../support/heaps.ts';
import { discardProcesses } from '../support/process.ts';
import { startWatched } from './watched-metrics.ts';

describe('Metrics, read three hundred times,', () => {
  afterEach(discardProcesses);

  it('cause no growth of memory in any process', async () => {
    const { service, samples } = await startWatched({
      USERS_WORKERS: '2',
      NODE_OPTIONS: `--import ${tellHeap}`,
    });
    await service.logged(/"all workers are listening"/);
    const ask = async (times: number) => {
      for (let time = 0; time < times; time += 1) await samples();
      return readHeaps(service.folder);
    };
    // What is compiled and kept for the next time is there after the first.
    const before = await ask(100);
    const after = await ask(200);
    expect(after.map(({ pid, thread }) => [pid, thread])).to.deep.equal(
      before.map(({ pid, thread }) => [pid, thread]),
    );
    expect(before.filter(({ thread }) => thread === 0)).to.have.lengthOf(3);
    const mostKept = 4096;
    for (const [at, { pid, thread, bytes }] of after.entries())
      expect(bytes - (before[at]?.bytes ?? 0), `${pid}, thread ${thread}`).to.be.below(200 * mostKept);
  });
});
