import { isWhole, runs } from '../support/runs.ts';
import { describeKilledImports } from './killed-imports.ts';

// Of many batches: a large file has more room for races.
describeKilledImports({ count: isWhole ? 20_000 : 5_000, kills: runs(10), clients: 8 });
