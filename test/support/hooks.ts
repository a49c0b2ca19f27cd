/**
 * Loaded by mocha (`--require`) into every process that runs tests. Around each file of tests: every answer that a test receives is
 * held to the published contract, and, in a queue of files (scripts/test.js), the file's time and its kinds of exchanges are written
 * to RUN_FOLDER.
 */
import { appendFileSync } from 'node:fs';
import { relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Context, RootHookObject } from 'mocha';
import { assertSupportedNode } from '../../src/environment.ts';
import { AnswerCheck } from './answer-check.ts';
import { recordExchanges, writeExchanges } from './recorded-exchanges.ts';
import { scaleProperties } from './runs.ts';

const folder = process.env.RUN_FOLDER;
const tests = fileURLToPath(new URL('..', import.meta.url));

let running = '';
let began = 0;
let check: AnswerCheck | undefined;
const recorded = recordExchanges(() => running);
assertSupportedNode();
scaleProperties();

export const mochaHooks: RootHookObject = {
  async beforeAll(this: Context) {
    began = performance.now();
    this.timeout(60_000);
    check ??= await AnswerCheck.start(() => running);
  },
  beforeEach(this: Context) {
    running = this.currentTest?.fullTitle() ?? '';
  },
  async afterAll(this: Context) {
    this.timeout(60_000);
    if (folder !== undefined) {
      const file = relative(tests, this.test?.parent?.suites[0]?.file ?? '').replaceAll(sep, '/');
      const took = JSON.stringify([file, Math.round(performance.now() - began)]);
      appendFileSync(`${folder}/${process.pid}.times`, `${took}\n`);
      writeExchanges(`${folder}/${process.pid}.exchanges`, recorded());
    }
    await check?.expectNoMistakes();
  },
};
