import { setImmediate as turn } from 'node:timers/promises';
import { expect } from 'chai';
import { clock } from '../../../src/adapters/scheduler/clock.ts';
import { EventLoopScheduler } from '../../../src/adapters/scheduler/event-loop.ts';
import { LongSteps } from '../../../src/adapters/scheduler/slices.ts';

const own = { ...clock };

/** Steps on a clock that only they move. `rests` has the length of each rest, and lets it end. */
function createSteps() {
  const rests: { readonly ms: number; readonly end: () => void }[] = [];
  const begun: string[] = [];
  let time = 0;
  let others = false;
  Object.assign(clock, {
    now: () => time,
    later: (end: () => void, ms: number) => void rests.push({ ms, end }),
  });
  const steps = new LongSteps({ hasBegunOther: () => others });
  /** A step that takes some ms. */
  const run = (client: string, ms: number): Promise<string> =>
    steps.run(client, async () => {
      begun.push(client);
      time += ms;
      return client;
    });
  return {
    steps,
    rests,
    begun,
    run,
    beOthers: (write: boolean) => {
      others = write;
    },
  };
}

describe('Long steps', () => {
  afterEach(() => Object.assign(clock, own));

  it('of a client begin after a rest as long as its previous step; those of other clients begin at once', async () => {
    const { run, begun, rests } = createSteps();
    expect(await run('greedy', 70)).to.equal('greedy');
    const next = run('greedy', 30);
    await run('another', 5);
    await turn();
    expect(begun).to.deep.equal(['greedy', 'another']);
    expect(rests.map(({ ms }) => ms)).to.deep.equal([70, 5]);
    rests[0]?.end();
    await next;
    expect(begun).to.deep.equal(['greedy', 'another', 'greedy']);
  });
  it('are followed by a longer rest while other clients write', async () => {
    const { run, rests, beOthers } = createSteps();
    beOthers(true);
    await run('greedy', 70);
    expect(rests.map(({ ms }) => ms)).to.deep.equal([210]);
  });
  it('of a client run in order, one at a time', async () => {
    const { run, begun, rests } = createSteps();
    const all = Promise.all([run('a', 1), run('a', 2), run('a', 3)]);
    for (let rested = 0; rested < 3; rested += 1) {
      await turn();
      expect(begun).to.have.length(rested + 1);
      rests[rested]?.end();
    }
    await all;
    expect(rests.map(({ ms }) => ms)).to.deep.equal([1, 2, 3]);
  });
  it('that fail are followed by a rest, too', async () => {
    const { steps, rests } = createSteps();
    const failed = await steps
      .run('a', () => Promise.reject(new Error('no')))
      .catch(({ message }) => message);
    expect(failed).to.equal('no');
    expect(rests).to.have.length(1);
  });
});

describe('The question whether other clients write', () => {
  it('is answered by the writes that have arrived since a given time', () => {
    let time = 0;
    const scheduler = new EventLoopScheduler(() => time);
    const begin = (client: string): void => {
      time += 1;
      void scheduler.begin(client);
    };
    expect(scheduler.hasBegunOther('a', 0)).to.equal(false);
    begin('b');
    for (let count = 0; count < 3; count += 1) begin('a');
    expect(scheduler.hasBegunOther('a', 1)).to.equal(true);
    expect(scheduler.hasBegunOther('a', 2)).to.equal(false);
    expect(scheduler.hasBegunOther('b', 4)).to.equal(true);
  });
});
