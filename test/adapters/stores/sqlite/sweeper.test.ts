import { expect } from 'chai';
import { Sweeper, type SweepStep } from '../../../../src/adapters/stores/sqlite/write/sweeper.ts';

const well = { hasFailed: false, othersWrote: false };

interface Step extends SweepStep {
  /** In ms. */
  readonly takes: number;
}

/** Runs the steps. @returns the pause in front of each, in ms, and whether another was planned */
function pausesOf(steps: readonly (Step | undefined)[]): { pauses: number[]; isPlanned: boolean } {
  const left = [...steps];
  const pauses: number[] = [];
  let planned: (() => void) | undefined;
  let time = 0;
  const sweeper = new Sweeper(
    () => left.length > 0,
    () => {
      const step = left.shift();
      time += step?.takes ?? 0;
      return step;
    },
    {
      now: () => time,
      set: (run, ms) => {
        pauses.push(ms);
        planned = run;
        return setTimeout(() => {}, 0);
      },
    },
  );
  sweeper.plan();
  sweeper.plan();
  while (planned !== undefined && left.length > 0) {
    const run = planned;
    planned = undefined;
    run();
  }
  sweeper.stop();
  return { pauses, isPlanned: planned !== undefined };
}

describe('Removing what a deleted group leaves behind, in SQLite,', () => {
  it('begins at once, and pauses as long as each step took', () => {
    const steps = [20, 30, 1, 5].map((takes) => ({ ...well, takes }));
    expect(pausesOf(steps)).to.deep.equal({ pauses: [0, 20, 30, 10], isPlanned: false });
  });
  it('pauses longer while other processes write', () => {
    const steps = [true, false, false].map((othersWrote) => ({ ...well, othersWrote, takes: 20 }));
    expect(pausesOf(steps).pauses).to.deep.equal([0, 80, 20]);
  });
  it('waits a second after a step that failed, as on a full disk', () => {
    const steps = [true, false].map((hasFailed) => ({ ...well, hasFailed, takes: 1 }));
    expect(pausesOf(steps).pauses).to.deep.equal([0, 1000]);
  });
  it('ends with the writer', () => {
    expect(pausesOf([undefined, { ...well, takes: 1 }])).to.deep.equal({ pauses: [0], isPlanned: false });
  });
});
