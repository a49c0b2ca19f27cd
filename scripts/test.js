/**
 * `npm test`: the compiled tests by mocha, their files queued over processes, the longest first. Further options are mocha's own.
 *
 * - `npm test -- test/domain/search.test.ts` runs that file alone.
 * - `npm run test:quick` leaves out processes, browsers, databases, and files that take long.
 * - `npm run test:rest` runs what other people's programs do with the service (linters, caches, generated clients, elections), and
 *   attacks that take minutes.
 * - `--record` writes how long each file took to test/recorded-times.json, which the order of the queue follows.
 *
 * RUNS scales how often random tests draw: 1 here, 0.1 in `test:quick`.
 */
import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { availableParallelism } from 'node:os';

const recorded = 'test/recorded-times.json';
/** What the test processes write: times, and exchanges for httplint (test/support/hooks.ts). */
const folder = 'build/run';
/** In ms: what a file of `test:quick` takes at most. */
const quickAtMost = 1500;

const given = process.argv.slice(2);
const isFile = (argument) => /[.]test[.][jt]s$/.test(argument);
const own = ['--quick', '--rest', '--record'];
const [isQuick, isRest, isRecording] = own.map((option) => given.includes(option));
const options = given.filter((argument) => !own.includes(argument) && !isFile(argument));
const files = given
  .filter(isFile)
  .map((file) => file.replace(/^(?:[.]\/)?(?=test\/)/, 'build/').replace(/ts$/, 'js'));

const times = JSON.parse(readFileSync(recorded, 'utf8'));
const timeOf = (file) => times[file] ?? 0;

/** The files of a run, the longest first. */
function queue() {
  const ofRest = /^(?:outside|clients)\/|election|of-any-size|unread-answers/;
  const heavy = /^(?:process|console)\/|\/mongodb\//;
  return readdirSync('build/test', { recursive: true })
    .filter((file) => file.endsWith('.test.js') && ofRest.test(file) === isRest)
    .filter((file) => !isQuick || !(heavy.test(file) || timeOf(file) > quickAtMost))
    .sort((one, other) => timeOf(other) - timeOf(one) || (one < other ? -1 : 1))
    .map((file) => `build/test/${file}`);
}

/** The times of this run beside those of files that it left out; short ones are not worth a line. */
function record() {
  const lines = readdirSync(folder)
    .filter((name) => name.endsWith('.times'))
    .flatMap((name) => readFileSync(`${folder}/${name}`, 'utf8').trim().split('\n'));
  const measured = Object.fromEntries(lines.map((line) => JSON.parse(line)));
  const all = Object.entries({ ...times, ...measured }).filter(([, ms]) => ms >= 500);
  all.sort(([, one], [, other]) => other - one);
  writeFileSync(recorded, `${JSON.stringify(Object.fromEntries(all), undefined, 2)}\n`);
}

const { caseDeadline } = await import('../build/test/support/deadlines.js');
const mocha = createRequire(import.meta.url).resolve('mocha/bin/mocha.js');
const isQueue = files.length === 0;
if (isQueue) {
  // What `npm test` has recorded of exchanges is linted by `test:rest`.
  if (!isRest) rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
}
const { status } = spawnSync(
  process.execPath,
  [
    ...[mocha, '--require', 'build/test/support/hooks.js', '--timeout', String(caseDeadline), ...options],
    // One process more than there are cores: each waits now and then.
    ...(isQueue
      ? ['--parallel', '--jobs', String(availableParallelism() + 1), ...queue()]
      : ['--exit', ...files]),
  ],
  {
    stdio: 'inherit',
    env: { ...process.env, ...(isQueue && { RUN_FOLDER: folder }), ...(isQuick && { RUNS: '0.1' }) },
  },
);
if (isRecording) record();
process.exitCode = status ?? 1;
