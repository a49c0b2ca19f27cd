/** How often random tests draw: RUNS is a factor on what each says, a tenth unless it is set. Every test must hold at any factor. */
import fc from 'fast-check';

const factor = Number(process.env.RUNS ?? 0.1);
/** One for a run of `npm test`, so that a file that is tried again draws the same cases. */
const seed = process.env.TEST_SEED === undefined ? {} : { seed: Number(process.env.TEST_SEED) };

/**
 * Whether a suite runs on every store and in every variant, as in `test:rest`, or on SQLite and in the usual ones: the contract of stores
 * has the others behave alike.
 */
export const onAllStores = factor >= 1;

/** At least once. */
export const runs = (count: number): number => Math.max(1, Math.round(count * factor));

/** As many of them as the factor leaves, at least one, other ones each time; from a factor of 1 on, all. */
export function some<T>(all: readonly T[]): readonly T[] {
  const count = Math.min(all.length, runs(all.length));
  return fc.sample(fc.subarray([...all], { minLength: count, maxLength: count }), 1).flat();
}

/** How many of `count` cases it is. All runs draw the same cases, so that no assertion on a count depends on luck. */
export const countOf = <T>(cases: fc.Arbitrary<T>, count: number, is: (one: T) => boolean): number =>
  fc.sample(cases, { numRuns: count, seed: 17 }).filter(is).length;

/** For properties that name no number or seed of their own: fast-check's usual number by the factor. */
export const scaleProperties = (): void => fc.configureGlobal({ numRuns: runs(100), ...seed });
