/**
 * mocha's hooks around each file of tests, in every process that runs them (scripts/tests/worker.js): every answer that a test receives
 * is held to the published contract, every store to its change log, and, in a queue of files, its kinds of exchanges are written to RUN_FOLDER.
 */
import { config } from 'chai';
import type { Context, RootHookObject } from 'mocha';
import { AnswerCheck } from './answer-check.ts';
import { watchAnswers } from './failure-context.ts';
import { LoggedWrites } from './logged-writes.ts';
import { recordExchanges, writeExchanges } from './recorded-exchanges.ts';
import { scaleProperties } from './runs.ts';

const folder = process.env.RUN_FOLDER;

// A failure that is seldom must tell all at once.
config.truncateThreshold = 0;

let running = '';
const recorded = recordExchanges(() => running);
const check = new AnswerCheck(() => running);
const loggedWrites = new LoggedWrites(() => running);
loggedWrites.watchAll();
scaleProperties();
watchAnswers();

export const mochaHooks: RootHookObject = {
  beforeAll: () => loggedWrites.areWatched(),
  beforeEach(this: Context) {
    running = this.currentTest?.fullTitle() ?? '';
  },
  async afterAll() {
    if (folder !== undefined) writeExchanges(`${folder}/${process.pid}.exchanges`, recorded());
    loggedWrites.expectAll();
    await check.expectNoMistakes();
  },
};
