import fc from 'fast-check';
import { memoryStore } from '../../src/adapters/stores/memory/store.ts';
import { runs } from '../support/runs.ts';
import { anyDirectory, anyProfile, kinds } from './directories.ts';
import { Oracle } from './oracle.ts';
import { anyRead, anyWrite } from './steps.ts';

describe('A client with an access profile', () => {
  it('gets in memory what an unlimited client gets of a directory with only what the profile shows', async () => {
    const steps = fc.array(
      fc.oneof(
        { weight: 5, arbitrary: anyRead.map((step) => ({ step, isOperator: false })) },
        { weight: 4, arbitrary: anyWrite.map((step) => ({ step, isOperator: false })) },
        { weight: 1, arbitrary: anyWrite.map((step) => ({ step, isOperator: true })) },
      ),
      { minLength: 1, maxLength: 100, size: 'max' },
    );
    await fc.assert(
      fc.asyncProperty(anyDirectory, anyProfile, steps, async (directory, profile, all) => {
        const oracle = await Oracle.start(directory, profile, [memoryStore(kinds), memoryStore(kinds)]);
        try {
          for (const { step, isOperator } of all)
            await (isOperator ? oracle.write(step) : oracle.check(step));
        } finally {
          await oracle.close();
        }
      }),
      { numRuns: runs(400) },
    );
  });
});
