import { setImmediate as turn } from 'node:timers/promises';
import { expect } from 'chai';
import { clock, delayResolution } from '../../../src/adapters/scheduler/clock.ts';
import { until } from '../../support/deadlines.ts';

describe("The scheduler's clock", () => {
  it('records how late the event loop is, and forgets it on request', async () => {
    const delays = clock.delays();
    delays.enable();
    const isLate = () => delays.mean / 1e6 > 2 * delayResolution;
    await until('a delay is recorded', async () => {
      for (const end = clock.now() + 5 * delayResolution; clock.now() < end; );
      await turn();
      return isLate();
    });
    delays.reset();
    expect(isLate()).to.equal(false);
  });
});
