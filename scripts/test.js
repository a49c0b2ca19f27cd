/**
 * `npm test`: runs the tests with mocha, whose files are queued over processes (tests/pool.js), slowest first. Further options are
 * mocha's own. A file that fails is tried again, alone, at the end; if it passes then, it is unstable, and does not fail the run.
 *
 * - `npm test -- test/domain/search.test.ts` runs that file alone, once, and prints each test.
 * - `npm run test:quick` leaves out processes, browsers, databases, and files that take long.
 * - `npm run test:rest` runs other programs against the service (linters, caches, generated clients), elections of MongoDB, the
 *   details of the console, and attacks that take minutes.
 * - `--record` writes how long each file took to test/recorded-times.json, which the order of the queue follows.
 * - `--queue` treats the named files as if they were all files.
 * - `--shard=2/3` runs each third file, from the second on.
 *
 * - Files `*.rest.test.ts` run only in `test:rest`; files that leave out stores or cases in `npm test` run there once more, with all of
 *   them.
 *
 * RUNS scales the rounds of random tests: 0.3 in `test:rest`, otherwise 0.1, drawn by another seed in each run. From 1 on, `test:rest` also
 * repeats all files of `npm test` that draw at random. Results are in build/run/totals-….json.
 */
import { randomInt } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { dirname, join } from 'node:path';
import { caseDeadline } from '../test/support/deadlines.ts';
import { runFiles } from './tests/pool.js';
import { dots, print, spec, totalsOf } from './tests/report.js';

const recorded = 'test/recorded-times.json';
/** Totals, and exchanges for httplint (test/support/hooks.ts). */
const folder = process.env.RUN_FOLDER ?? 'build/run';
/** The slowest file of `test:quick`, in seconds. */
const quickAtMost = 1;

const given = process.argv.slice(2);
const isFile = (argument) => /^(?!-).*[.]ts$/.test(argument);
const isShard = (argument) => argument.startsWith('--shard=');
const own = ['--quick', '--rest', '--record', '--queue'];
const [isQuick, isRest, isRecording, isQueued] = own.map((option) => given.includes(option));
const [, shard = 1, shards = 1] = /^--shard=(\d+)[/](\d+)$/.exec(given.find(isShard)) ?? [];
const options = given.filter(
  (argument) => !own.includes(argument) && !isFile(argument) && !isShard(argument),
);
const named = given.filter(isFile);
const isQueue = isQueued || named.length === 0;

const times = JSON.parse(readFileSync(recorded, 'utf8'));

/** Rounds of random tests. */
const rounds = process.env.RUNS ?? (isRest ? '0.3' : '0.1');
/** What a file has that does more in `test:rest`: stores and cases; with all rounds, also whatever is drawn at random. */
const doesMore =
  Number(rounds) < 1
    ? /onEachStore|import \{[^}]*\b(?:onAllStores|some)\b[^}]*\} from '[^']+\/runs[.]ts'/
    : /fast-check|support\/runs[.]ts|onEachStore/;

/** Whether the file does more in `test:rest`, by itself or by a suite of test/contract/. */
function hasMore(file, seen = new Set()) {
  // Types are imported in circles.
  if (seen.has(file)) return false;
  seen.add(file);
  const text = readFileSync(file, 'utf8');
  if (doesMore.test(text)) return true;
  return [...text.matchAll(/ from '([.][^']+)'/g)]
    .map(([, imported]) => join(dirname(file), imported))
    .some((imported) => imported.startsWith('test/contract/') && hasMore(imported, seen));
}

/** The files of a run, the longest first; a new one may be long. */
function queue() {
  const ofRest = /^(?:outside|clients)\/|election|[.]rest[.]test/;
  const heavy = /^(?:process|console)\/|\/mongodb\//;
  // Recorded with a tenth of the rounds, on one store.
  const scale = (file) => (isRest && !ofRest.test(file) ? Math.max(3, 10 * rounds) : 1);
  const timeOf = (file) => scale(file) * (times[file] ?? Number.MAX_VALUE);
  return readdirSync('test', { recursive: true })
    .filter(
      (file) =>
        file.endsWith('.test.ts') &&
        !file.includes('node_modules') &&
        (ofRest.test(file) === isRest || (isRest && hasMore(join('test', file)))),
    )
    .filter((file) => !isQuick || !(heavy.test(file) || (times[file] ?? 0) > quickAtMost))
    .sort((one, other) => timeOf(other) - timeOf(one) || (one < other ? -1 : 1))
    .map((file) => `test/${file}`);
}

/** Records the times of this run, and keeps those of other files. */
function record(seconds) {
  const measured = Object.entries(seconds).map(([file, time]) => [file.replace('test/', ''), time]);
  const present = new Set(readdirSync('test', { recursive: true }));
  const all = Object.entries({ ...times, ...Object.fromEntries(measured) }).filter(([file]) =>
    present.has(file),
  );
  all.sort(([one, time], [other, longer]) => longer - time || (one < other ? -1 : 1));
  writeFileSync(recorded, `${JSON.stringify(Object.fromEntries(all), undefined, 2)}\n`);
}

// `test:rest` lints the exchanges that `npm test` has recorded.
if (isQueue && !isRest) rmSync(folder, { recursive: true, force: true });
mkdirSync(folder, { recursive: true });

const seed = process.env.TEST_SEED ?? String(randomInt(2 ** 31));
const began = performance.now();
const files = named.length > 0 ? named : queue();
const chosen = files.filter((_, at) => at % shards === shard - 1);
const results = await runFiles(chosen, {
  // More processes than cores: a third of the time, a file waits for limits, elections or other programs.
  processes: isQueue ? availableParallelism() + 2 : 1,
  again: isQueue,
  options: ['--timeout', caseDeadline, ...(isQueue ? ['--forbid-only'] : []), ...options],
  env: {
    RUN_FOLDER: isQueue ? folder : undefined,
    TEST_SEED: seed,
    RUNS: rounds,
    ...(isRest && { ALL_CASES: 'yes' }),
  },
  tell: isQueue ? dots() : spec(),
});
const totals = totalsOf(results);
const kind = (isQuick && 'quick') || (isRest && 'rest') || (isQueue ? 'test' : 'named');
writeFileSync(`${folder}/totals-${kind}.json`, JSON.stringify(totals, undefined, 2));
print(totals, (performance.now() - began) / 1000, seed);
if (isRecording) record(totals.seconds);
process.exitCode = totals.failed > 0 || totals.passed + totals.pending === 0 ? 1 : 0;
