import { discardProcesses } from '../support/process.ts';
import { befalls, itEnds } from './files-gone.ts';

describe('While the service runs on SQLite and its files are lost or replaced,', () => {
  afterEach(discardProcesses);

  for (const befall of befalls) for (const workers of ['1', '2']) itEnds(befall, workers);
});
