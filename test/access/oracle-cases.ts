/** The oracle over requests by chance, on stores of one kind. */
import fc from 'fast-check';
import { type Store, withMethods } from '../../src/domain/store.ts';
import { caseDeadline } from '../support/deadlines.ts';
import { isWhole, runs } from '../support/runs.ts';
import { anyDirectory, anyProfile } from './directories.ts';
import { Oracle } from './oracle.ts';
import { anyRead, anyRestoration, anyWrite } from './steps.ts';

const aStep = fc.oneof(
  { weight: 5, arbitrary: anyRead.map((step) => ({ step, isLimited: true })) },
  { weight: 5, arbitrary: anyWrite.map((step) => ({ step, isLimited: true })) },
  { weight: 1, arbitrary: anyRestoration.map((step) => ({ step, isLimited: true })) },
  { weight: 1, arbitrary: anyWrite.map((step) => ({ step, isLimited: false })) },
);

/** 100 at most, 50 on average. */
const steps = fc.array(aStep, { minLength: 1, maxLength: 100, size: 'max' });

/** @param open an empty store @param directories of 50 requests each, on average */
export function oracleCases(open: () => Promise<Store>, directories = 400): void {
  const opened: Store[] = [];
  before(async () => void opened.push(await open(), await open()));
  after(() => Promise.all(opened.map((store) => store.close())));

  it('sees and changes exactly what an unlimited client would in a directory that has only what the profile shows', async function () {
    this.timeout((isWhole ? 10 : 2) * caseDeadline);
    // Each directory replaces the one before.
    const keep = { close: async () => {} };
    const [whole, shown] = opened.map((store) => withMethods(store, keep)) as [Store, Store];
    await fc.assert(
      fc.asyncProperty(anyDirectory, anyProfile, steps, async (directory, profile, all) => {
        const oracle = await Oracle.start(directory, profile, [whole, shown]);
        try {
          for (const { step, isLimited } of all) await (isLimited ? oracle.check(step) : oracle.write(step));
        } finally {
          await oracle.close();
        }
      }),
      // The same requests each time, since this stands in the way of every change; RUNS=1 draws others.
      { numRuns: runs(directories), endOnFailure: true, ...(!isWhole && { seed: 1 }) },
    );
  });
}
