/** How often random tests draw: RUNS is a factor on what each says (0.1 in `test:quick`). */
import fc from 'fast-check';

const factor = Number(process.env.RUNS ?? 1);

/** At least once. */
export const runs = (count: number): number => Math.max(1, Math.round(count * factor));

/** For properties that name no number of their own: fast-check's usual number by the factor. */
export const scaleProperties = (): void => fc.configureGlobal({ numRuns: runs(100) });
