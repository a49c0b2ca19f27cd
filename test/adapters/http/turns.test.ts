import { setImmediate as turn } from 'node:timers/promises';
import { expect } from 'chai';
import { turns } from '../../../src/adapters/http/turns.ts';

/** How many of `writes` went on in each turn of the event loop, `reads` being answered in each; and in which order they went. */
async function watched(
  writes: number,
  reads: number,
  before = 0,
): Promise<{ perTurn: number[]; order: number[] }> {
  const { read, write } = turns();
  for (let count = 0; count < before; count += 1) read();
  const order: number[] = [];
  const perTurn: number[] = [];
  const readSome = () => {
    for (let count = 0; count < reads; count += 1) read();
  };
  for (let number = 0; number < writes; number += 1) void write().then(() => order.push(number));
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
    expect((await watched(100, 0)).perTurn).to.deep.equal([100]);
  });

  it('go on a few in each turn of the event loop, the more the more is read', async () => {
    const [few, many] = [await watched(100, 20), await watched(100, 100)];
    // The last takes what is left.
    for (const count of few.perTurn.slice(0, -1)) expect(count).to.be.within(1, 10);
    for (const count of many.perTurn.slice(0, -1)) expect(count).to.be.within(10, 50);
  });

  it('are not more because much was read before they came', async () => {
    const { perTurn } = await watched(100, 20, 10_000);
    for (const count of perTurn) expect(count).to.be.within(1, 10);
  });

  it('go on one by one at least, in the order in which they came', async () => {
    const { perTurn, order } = await watched(50, 1);
    expect(perTurn).to.deep.equal(Array(50).fill(1));
    expect(order).to.deep.equal(Array.from({ length: 50 }, (_, number) => number));
  });

  it('leave a turn to probes and reads every few milliseconds, also when nobody reads', async () => {
    const { write } = turns();
    let gone = 0;
    for (let number = 0; number < 40; number += 1)
      void write().then(() => {
        gone += 1;
        hold(1);
      });
    for (let before = 0; gone < 40; before = gone) {
      await turn();
      expect(gone - before).to.be.within(0, 8);
    }
  });

  it('that take long go on in later turns, before those that have not begun', async () => {
    const { write, goOn } = turns();
    const order: string[] = [];
    const long = write().then(async () => {
      for (let step = 0; step < 4; step += 1) {
        hold(6);
        await goOn();
        order.push(`step ${step}`);
      }
    });
    const short = write().then(() => order.push('the next'));
    let turnsTaken = 0;
    for (; order.length < 5; turnsTaken += 1) await turn();
    await Promise.all([long, short]);
    expect(order).to.deep.equal(['step 0', 'step 1', 'step 2', 'step 3', 'the next']);
    expect(turnsTaken).to.be.at.least(4);
  });

  it('know how long those that have not begun have waited', async () => {
    const { write, lateness } = turns();
    expect(lateness()).to.equal(0);
    const waited = write();
    hold(5);
    expect(lateness()).to.be.at.least(5);
    expect(await waited).to.be.at.least(5);
    expect(lateness()).to.equal(0);
  });
});
