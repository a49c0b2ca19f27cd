/** Every scenario, in the order in which they are measured. */
import type { Outcome } from '../result.ts';
import type { Stage } from '../stage.ts';
import { durableCreates } from './durable-creates.ts';
import { getOne, otherAnswers } from './get-one.ts';
import { listOf100, wholeList } from './lists.ts';
import { printersAlone } from './printers.ts';
import { twoProcesses } from './processes.ts';
import { start } from './start.ts';
import { readsUnderWrites, writes } from './writes.ts';

export interface Scenario {
  readonly name: string;
  readonly run: (stage: Stage) => Promise<Outcome>;
}

export const scenarios: readonly Scenario[] = [
  { name: 'GET one, API key', run: getOne(({ credentials }) => credentials.apiKey) },
  { name: 'GET one, HS256', run: getOne(({ credentials }) => credentials.hs256) },
  { name: 'GET one, RS256', run: getOne(({ credentials }) => credentials.rs256) },
  { name: 'GET one, ES256', run: getOne(({ credentials }) => credentials.es256) },
  { name: 'GET one, other answers', run: otherAnswers },
  { name: 'list of 100', run: listOf100 },
  { name: 'whole list', run: wholeList },
  { name: 'writes', run: writes },
  { name: 'GETs under writes', run: readsUnderWrites },
  { name: 'printers alone', run: printersAlone },
  { name: 'durable creates', run: durableCreates },
  { name: 'two processes', run: twoProcesses },
  { name: 'start', run: start },
];
