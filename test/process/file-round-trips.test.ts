import { discardProcesses } from '../support/process.ts';
import { itGoesRound } from './round-trips.ts';

describe('A directory in a file', () => {
  afterEach(discardProcesses);

  itGoesRound('jsonl', []);
});
