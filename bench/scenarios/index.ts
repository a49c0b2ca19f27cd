/** The registry of scenarios, in the order of measuring. */
import type { Outcome } from '../result.ts';
import type { Stage } from '../stage.ts';
import { measureAccessProfile } from './access-profile.ts';
import { measureBesideOld } from './beside-old.ts';
import { measureFeed, measureLoggedWrites } from './changes.ts';
import { measureDeclared } from './declared.ts';
import { measureDurableCreates } from './durable-creates.ts';
import { measureGetOne, measureOtherAnswers } from './get-one.ts';
import { measurePage, measureWholeList } from './lists.ts';
import { measureObserved } from './observed.ts';
import { measurePinned } from './pinned.ts';
import { measurePrinters } from './printers.ts';
import { measureTwoProcesses } from './processes.ts';
import { measureReaders } from './readers.ts';
import { measureBulk, measureScimFilter } from './scim.ts';
import { measureStarts } from './start.ts';
import { measureWebhooks } from './webhooks.ts';
import { measureReadsUnderWrites, measureWrites } from './writes.ts';

export interface Scenario {
  readonly name: string;
  readonly run: (stage: Stage) => Promise<Outcome>;
}

export const scenarios: readonly Scenario[] = [
  { name: 'GET one, API key', run: measureGetOne(({ credentials }) => credentials.apiKey) },
  { name: 'GET one, HS256', run: measureGetOne(({ credentials }) => credentials.hs256) },
  { name: 'GET one, RS256', run: measureGetOne(({ credentials }) => credentials.rs256) },
  { name: 'GET one, ES256', run: measureGetOne(({ credentials }) => credentials.es256) },
  { name: 'GET one, other answers', run: measureOtherAnswers },
  { name: 'GET one, observed', run: measureObserved },
  { name: 'pinned clients', run: measurePinned },
  { name: 'access profile', run: measureAccessProfile },
  { name: 'list of 100', run: measurePage },
  { name: 'whole list', run: measureWholeList },
  { name: 'writes', run: measureWrites },
  { name: 'change log, writes', run: measureLoggedWrites },
  { name: 'change log, pages', run: measureFeed },
  { name: 'GETs under writes', run: measureReadsUnderWrites },
  { name: 'beside the old build', run: measureBesideOld },
  { name: 'printers alone', run: measurePrinters },
  { name: 'readers alone', run: measureReaders },
  { name: 'declared attributes', run: measureDeclared },
  { name: 'durable creates', run: measureDurableCreates },
  { name: 'SCIM, one by name', run: measureScimFilter },
  { name: 'SCIM, Bulk', run: measureBulk },
  { name: 'two processes', run: measureTwoProcesses },
  { name: 'webhooks', run: measureWebhooks },
  { name: 'start', run: measureStarts },
];
