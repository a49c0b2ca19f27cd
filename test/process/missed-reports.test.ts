import { expect } from 'chai';
import { mostMissed } from '../../src/process/workers/worker-messages.ts';
import { cpuWaitIn, MissedReports } from '../../src/process/workers/worker-process.ts';

/** In ms. */
const interval = 1000;

/** @param waits the wait for a CPU that is read at each report and each look, in ms @returns how many missed reports it takes */
function missedUntilHung(waits: (at: number) => number): number {
  let read = -1;
  const missed = new MissedReports(interval, () => {
    read += 1;
    return waits(read);
  });
  missed.reset();
  for (let count = 1; count < 100; count += 1) if (missed.add()) return count;
  return Number.POSITIVE_INFINITY;
}

describe('A worker that reports nothing', () => {
  it('counts as hung after the allowed number of missed reports', () => {
    expect(missedUntilHung(() => 5000)).to.equal(mostMissed + 1);
  });
  it('gets more time if it waited for a CPU', () => {
    expect(missedUntilHung((at) => (at < 2 ? 5000 : 8000))).to.equal(mostMissed + 4);
  });
  it('does not count as hung earlier when its process has gone and shows no wait', () => {
    expect(missedUntilHung((at) => (at < 2 ? 60_000 : 0))).to.equal(mostMissed + 1);
  });
  it('counts as hung also where Linux reports no wait', () => {
    for (const text of ['', '0', '0 0 0\n', '\n'])
      expect(
        missedUntilHung(() => cpuWaitIn(text)),
        JSON.stringify(text),
      ).to.equal(mostMissed + 1);
    expect(cpuWaitIn('7000000 3000000 12\n')).to.equal(3);
  });
});
