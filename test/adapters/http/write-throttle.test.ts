import { setImmediate as turn } from 'node:timers/promises';
import { expect } from 'chai';
import { writeThrottle } from '../../../src/adapters/http/write-throttle.ts';

/** How many of `writes` went on in each turn of the event loop, `reads` being answered in each; and in which order they went. */
async function countPerTurn(
  writes: number,
  reads: number,
  before = 0,
): Promise<{ perTurn: number[]; order: number[] }> {
  const { countRead, awaitTurn } = writeThrottle();
  for (let count = 0; count < before; count += 1) countRead();
  const order: number[] = [];
  const perTurn: number[] = [];
  const readSome = () => {
    for (let count = 0; count < reads; count += 1) countRead();
  };
  for (let number = 0; number < writes; number += 1) void awaitTurn().then(() => order.push(number));
  while (order.length < writes) {
    const gone = order.length;
    readSome();
    await turn();
    perTurn.push(order.length - gone);
  }
  return { perTurn, order };
}

/** Keeps the event loop, as work does. */
function hold(ms: number): void {
  for (const end = performance.now() + ms; performance.now() < end; );
}

describe('Writes that come while others read', () => {
  it('all go on at once when nobody reads', async () => {
    expect((await countPerTurn(100, 0)).perTurn).to.deep.equal([100]);
  });

  it('go on a few in each turn of the event loop, the more the more is read', async () => {
    const [few, many] = [await countPerTurn(100, 20), await countPerTurn(100, 100)];
    // The last takes what is left.
    for (const count of few.perTurn.slice(0, -1)) expect(count).to.be.within(1, 10);
    for (const count of many.perTurn.slice(0, -1)) expect(count).to.be.within(10, 50);
  });

  it('are not more because much was read before they came', async () => {
    const { perTurn } = await countPerTurn(100, 20, 10_000);
    for (const count of perTurn) expect(count).to.be.within(1, 10);
  });

  it('go on one by one at least, in the order in which they came', async () => {
    const { perTurn, order } = await countPerTurn(50, 1);
    expect(perTurn).to.deep.equal(Array(50).fill(1));
    expect(order).to.deep.equal(Array.from({ length: 50 }, (_, number) => number));
  });

  it('leave a turn to probes and reads every few milliseconds, also when nobody reads', async () => {
    const { awaitTurn } = writeThrottle();
    let gone = 0;
    for (let number = 0; number < 40; number += 1)
      void awaitTurn().then(() => {
        gone += 1;
        hold(1);
      });
    for (let before = 0; gone < 40; before = gone) {
      await turn();
      expect(gone - before).to.be.within(0, 8);
    }
  });

  it('that take long go on in later turns, before those that have not begun', async () => {
    const { awaitTurn, yieldIfDue } = writeThrottle();
    const order: string[] = [];
    const long = awaitTurn().then(async () => {
      for (let step = 0; step < 4; step += 1) {
        hold(6);
        await yieldIfDue();
        order.push(`step ${step}`);
      }
    });
    const short = awaitTurn().then(() => order.push('the next'));
    let turnsTaken = 0;
    for (; order.length < 5; turnsTaken += 1) await turn();
    await Promise.all([long, short]);
    expect(order).to.deep.equal(['step 0', 'step 1', 'step 2', 'step 3', 'the next']);
    expect(turnsTaken).to.be.at.least(4);
  });

  it('know how long those that have not begun have waited', async () => {
    const { awaitTurn, oldestWait } = writeThrottle();
    expect(oldestWait()).to.equal(0);
    const waited = awaitTurn();
    hold(5);
    expect(oldestWait()).to.be.at.least(5);
    expect(await waited).to.be.at.least(5);
    expect(oldestWait()).to.equal(0);
  });
});
