import { expect } from 'chai';
import { BackgroundWork } from '../../../../src/adapters/stores/sqlite/write/background-work.ts';

/** The result of a step, and its time in ms. */
type Step = readonly [outcome: boolean | undefined, takes: number];

/** Runs `use` with a clock and timers of the test. @param onTimer gets each planned function and its pause in ms */
function withClock<T>(now: () => number, onTimer: (run: () => void, ms: number) => void, use: () => T): T {
  const { setTimeout } = globalThis;
  const { now: realNow } = performance;
  performance.now = now;
  globalThis.setTimeout = new Proxy(setTimeout, {
    apply: (_target, _self, [run, ms]) => {
      onTimer(run, ms);
      return {};
    },
  });
  try {
    return use();
  } finally {
    globalThis.setTimeout = setTimeout;
    performance.now = realNow;
  }
}

/** Plans twice, and runs each planned step. @returns the pauses in front of the steps, in ms, and the number of steps that were not run */
function sweep(steps: readonly Step[]): { pauses: number[]; left: number } {
  const left = [...steps];
  const pauses: number[] = [];
  const planned: (() => void)[] = [];
  let time = 0;
  const work = new BackgroundWork(
    () => left.length > 0,
    () => {
      const [outcome, takes] = left.shift() ?? [undefined, 0];
      time += takes;
      return outcome;
    },
  );
  const onTimer = (run: () => void, ms: number) => {
    pauses.push(ms);
    planned.push(run);
  };
  withClock(
    () => time,
    onTimer,
    () => {
      work.plan();
      work.plan();
      for (let run = planned.shift(); run !== undefined; run = planned.shift()) run();
    },
  );
  return { pauses, left: left.length };
}

const well = (...takes: readonly number[]): Step[] => takes.map((ms) => [true, ms]);

describe('The removal of a deleted group’s members from SQLite', () => {
  it('begins at once, and pauses four times as long as each step took, so that other processes can write', () => {
    expect(sweep(well(20, 30, 1, 5))).to.deep.equal({ pauses: [0, 80, 120, 10], left: 0 });
  });
  it('waits a second after a step that failed, as on a full disk', () => {
    const steps: readonly Step[] = [[false, 1], [false, 5000], ...well(1)];
    expect(sweep(steps)).to.deep.equal({ pauses: [0, 1000, 1000], left: 0 });
  });
  it('doesn’t begin without members to remove', () => {
    expect(sweep([])).to.deep.equal({ pauses: [], left: 0 });
  });
  it('ends with the writer', () => {
    expect(sweep([...well(20), [undefined, 1], ...well(1)])).to.deep.equal({ pauses: [0, 80], left: 1 });
  });
});
