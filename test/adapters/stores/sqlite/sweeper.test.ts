import { expect } from 'chai';
import { pauseAfter, Sweeper } from '../../../../src/adapters/stores/sqlite/write/sweeper.ts';

/** Resolves when no further step is planned. @returns how many steps were run */
function runSteps(outcomes: readonly (boolean | undefined)[]): Promise<number> {
  const left = [...outcomes];
  return new Promise((resolve) => {
    const sweeper = new Sweeper(
      () => left.length > 0,
      () => {
        const outcome = left.shift();
        if (outcome === undefined || left.length === 0)
          setImmediate(() => resolve(outcomes.length - left.length));
        return outcome;
      },
    );
    sweeper.plan();
    sweeper.plan();
  });
}

describe('Removing what a deleted group leaves behind, in SQLite,', () => {
  it('pauses four times as long as each step took, so that other processes find the file free', () => {
    expect([20, 30, 1].map((took) => pauseAfter(took, false))).to.deep.equal([80, 120, 10]);
  });
  it('waits a second after a step that failed, as on a full disk', () => {
    expect([1, 5000].map((took) => pauseAfter(took, true))).to.deep.equal([1000, 1000]);
  });
  it('goes on until nothing is left', async () => {
    expect(await runSteps([true, true, true])).to.equal(3);
  });
  it('ends with the writer', async () => {
    expect(await runSteps([true, undefined, true])).to.equal(2);
  });
});
