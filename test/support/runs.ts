/**
 * How much of a test runs. RUNS is a factor on the rounds of random tests, a tenth unless it is set; every test must hold at any factor.
 * Cases that differ from each other are no rounds: `test:rest` runs all of them, whatever the factor (ALL_CASES).
 */
import fc from 'fast-check';

const factor = Number(process.env.RUNS ?? 0.1);
/** Whether all rounds run, each week and before a release: the proofs by kills then have their full size. */
export const isWhole = factor >= 1;
const allCases = process.env.ALL_CASES !== undefined || isWhole;
/** One for a run of `npm test`, so that a file that is tried again draws the same cases. */
const seed = process.env.TEST_SEED === undefined ? {} : { seed: Number(process.env.TEST_SEED) };

/**
 * Whether a suite runs on every store and in every variant, as in `test:rest`, or on SQLite and in the usual ones: the contract of stores
 * has the others behave alike.
 */
export const onAllStores = allCases;

/** At least once. */
export const runs = (count: number): number => Math.max(1, Math.round(count * factor));

/** As many of them as the factor leaves, at least one, other ones each time; all of them in `test:rest`. */
export function some<T>(all: readonly T[]): readonly T[] {
  if (allCases) return all;
  const count = Math.min(all.length, runs(all.length));
  return fc.sample(fc.subarray([...all], { minLength: count, maxLength: count }), 1).flat();
}

/** How many of `count` cases it is. All runs draw the same cases, so that no assertion on a count depends on luck. */
export const countOf = <T>(cases: fc.Arbitrary<T>, count: number, is: (one: T) => boolean): number =>
  fc.sample(cases, { numRuns: count, seed: 17 }).filter(is).length;

/** For properties that name no number or seed of their own: fast-check's usual number by the factor. */
export const scaleProperties = (): void => fc.configureGlobal({ numRuns: runs(100), ...seed });
