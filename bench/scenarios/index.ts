/** Every scenario, in the order in which they are measured. */
import type { Outcome } from '../result.ts';
import type { Stage } from '../stage.ts';
import { getOne, otherAnswers } from './get-one.ts';

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
];
