import { setImmediate as turn } from 'node:timers/promises';
import { expect } from 'chai';
import { EventLoopScheduler, eventLoop } from '../../../src/adapters/scheduler/event-loop.ts';
import { Slices } from '../../../src/adapters/scheduler/slices.ts';

/** A scheduler whose clock stands still but for the work that `work` stands for, in ms: so another program's load changes nothing. */
function createScheduler(): { scheduler: EventLoopScheduler; work(ms: number): void } {
  let now = 0;
  return {
    scheduler: new EventLoopScheduler(() => now),
    work(ms) {
      now += ms;
    },
  };
}

/** How many of `writes` went on in each turn of the event loop, `reads` being answered in each; and in which order they went. */
async function countPerTurn(
  writes: number,
  reads: number,
  before = 0,
): Promise<{ perTurn: number[]; order: number[] }> {
  const { scheduler } = createScheduler();
  for (let count = 0; count < before; count += 1) scheduler.countRead();
  const order: number[] = [];
  const perTurn: number[] = [];
  const readSome = () => {
    for (let count = 0; count < reads; count += 1) scheduler.countRead();
  };
  for (let number = 0; number < writes; number += 1)
    void scheduler.begin('writer').then(() => order.push(number));
  while (order.length < writes) {
    const gone = order.length;
    readSome();
    await turn();
    perTurn.push(order.length - gone);
  }
  return { perTurn, order };
}

describe('Work that waits while new connections come', () => {
  it('waits a few turns of the event loop, each of which accepts one connection, and then continues', async () => {
    const { scheduler } = createScheduler();
    let worked = 0;
    let isOver = false;
    void (async () => {
      while (!isOver) {
        await scheduler.next('a client');
        worked += 1;
      }
    })();
    const turnsOf = async (count: number, isFlood: boolean): Promise<number> => {
      const before = worked;
      for (let turns = 0; turns < count; turns += 1) {
        if (isFlood) scheduler.countConnection();
        await turn();
      }
      return worked - before;
    };
    expect(await turnsOf(90, false)).to.be.within(89, 91);
    expect(await turnsOf(90, true)).to.be.within(9, 11);
    expect(await turnsOf(90, false)).to.be.within(89, 91);
    isOver = true;
  });
});

describe('Writes that come while others read', () => {
  it('all continue at once when there are no reads', async () => {
    expect((await countPerTurn(100, 0)).perTurn).to.deep.equal([100]);
  });

  it('continue a few in each turn of the event loop, in proportion to the reads', async () => {
    const [few, many] = [await countPerTurn(100, 20), await countPerTurn(100, 100)];
    // The last takes what is left.
    for (const count of few.perTurn.slice(0, -1)) expect(count).to.be.within(1, 10);
    for (const count of many.perTurn.slice(0, -1)) expect(count).to.be.within(10, 50);
  });

  it('continue a few at a time even after many earlier reads', async () => {
    const { perTurn } = await countPerTurn(100, 20, 10_000);
    for (const count of perTurn) expect(count).to.be.within(1, 10);
  });

  it('continue at least one per turn, in the order of arrival', async () => {
    const { perTurn, order } = await countPerTurn(50, 1);
    expect(perTurn).to.deep.equal(Array(50).fill(1));
    expect(order).to.deep.equal(Array.from({ length: 50 }, (_, number) => number));
  });

  it('leave a turn to probes and reads every few milliseconds, also without reads', async () => {
    const { scheduler, work } = createScheduler();
    let gone = 0;
    for (let number = 0; number < 40; number += 1)
      void scheduler.begin('writer').then(() => {
        gone += 1;
        work(1);
      });
    for (let before = 0; gone < 40; before = gone) {
      await turn();
      expect(gone - before).to.be.within(0, 8);
    }
  });

  it('report how long the waiting requests of their client have waited', async () => {
    const { scheduler, work } = createScheduler();
    expect(scheduler.oldestWait('writer')).to.equal(0);
    const waited = scheduler.begin('writer');
    work(5);
    expect(scheduler.oldestWait('writer')).to.equal(5);
    expect(scheduler.oldestWait('another')).to.equal(0);
    expect(await waited).to.equal(5);
    expect(scheduler.oldestWait('writer')).to.equal(0);
  });
});

describe('Requests that take long', () => {
  it('work for a slice in each turn of the event loop while others read, and longer once they read no more', async () => {
    const { scheduler, work } = createScheduler();
    let [steps, isOver] = [0, false];
    const all = Array.from({ length: 20 }, async () => {
      while (!isOver) {
        await scheduler.next('long');
        work(0.5);
        steps += 1;
      }
    });
    const stepsInTurns = async (reads: readonly number[]): Promise<number[]> => {
      const counts: number[] = [];
      for (const count of reads) {
        for (let read = 0; read < count; read += 1) scheduler.countRead();
        const before = steps;
        await turn();
        counts.push(steps - before);
      }
      return counts;
    };
    expect(await stepsInTurns([0, 0])).to.deep.equal([8, 8]);
    // A reader's next request may come a few turns after its answer.
    expect(await stepsInTurns([1, 0, 0, 4, 0, 0])).to.deep.equal([1, 1, 1, 1, 1, 1]);
    expect(await stepsInTurns([21, 70])).to.deep.equal([3, 8]);
    expect((await stepsInTurns(Array(10).fill(0))).at(-1)).to.equal(8);
    isOver = true;
    await Promise.all(all);
  });

  it('continue in later turns, after the waiting requests of their client', async () => {
    const order: string[] = [];
    const long = eventLoop.begin('writer').then(async () => {
      const slices = new Slices('writer');
      for (let step = 0; step < 4; step += 1) {
        await slices.end();
        order.push(`step ${step}`);
      }
    });
    const short = eventLoop.begin('writer').then(() => order.push('the next'));
    let turnsTaken = 0;
    for (; order.length < 5; turnsTaken += 1) await turn();
    await Promise.all([long, short]);
    expect(order).to.deep.equal(['the next', 'step 0', 'step 1', 'step 2', 'step 3']);
    expect(turnsTaken).to.be.at.least(4);
  });

  it('and arrive continuously from one client leave the next turn to another client', async () => {
    const { scheduler, work } = createScheduler();
    const order: string[] = [];
    const many = Array.from({ length: 30 }, async () => {
      await scheduler.begin('many');
      for (let step = 0; step < 3; step += 1) {
        work(1);
        order.push('many');
        await scheduler.next('many');
      }
    });
    for (let round = 0; round < 10; round += 1) {
      const before = order.length;
      await scheduler.begin('one');
      // Those of the turn in which it came; then it is ahead of all that have had one.
      expect(order.slice(before).length).to.be.at.most(5);
    }
    await Promise.all(many);
  });

  it('share the time between clients, not between requests or turns', async () => {
    const { scheduler, work } = createScheduler();
    const worked = { many: 0, long: 0, short: 0 };
    async function workAs(client: keyof typeof worked, ms: number): Promise<void> {
      while (Math.max(...Object.values(worked)) < 300) {
        await scheduler.next(client);
        work(ms);
        worked[client] += ms;
      }
    }
    const many = Array.from({ length: 20 }, () => workAs('many', 1));
    await Promise.all([...many, workAs('long', 8), workAs('short', 1)]);
    expect(worked.long / worked.many).to.be.within(0.9, 1.1);
    expect(worked.short / worked.many).to.be.within(0.9, 1.1);
  });

  it('count double, so that a client with short writes has two thirds of the time', async () => {
    const { scheduler, work } = createScheduler();
    const worked = { begin: 0, next: 0 };
    async function workBy(kind: keyof typeof worked): Promise<void> {
      while (worked.begin < 300) {
        await scheduler[kind](kind);
        work(1);
        worked[kind] += 1;
      }
    }
    await Promise.all([...Array.from({ length: 20 }, () => workBy('begin')), workBy('next')]);
    expect(worked.begin / worked.next).to.be.within(1.8, 2.3);
  });

  it('of a client that sends one after another do not starve a waiting client', async () => {
    const { scheduler, work } = createScheduler();
    let others = 0;
    let isOver = false;
    const again = (async () => {
      for (; !isOver; others += 1) {
        await scheduler.begin('again');
        work(3);
      }
    })();
    const waiting = (async () => {
      for (let step = 0; step < 5; step += 1) {
        await scheduler.next('waiting');
        work(3);
      }
      isOver = true;
    })();
    await Promise.all([again, waiting]);
    expect(others).to.be.within(3, 12);
  });
});
