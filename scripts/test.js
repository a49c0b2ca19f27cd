/**
 * `npm test`: mocha over the compiled tests, in processes that take a core each, and their totals together at the end.
 * `npm test -- test/domain/schema-validator.test.ts` runs that file alone; further options are mocha's own. `--quick` leaves out what
 * starts processes, databases and other people's programs, and what takes long.
 */
import { spawn } from 'node:child_process';
import { createRequire } from 'node:module';

const within = (folders) => folders.map((folder) => `build/test/${folder}/**`);
/** What starts processes and databases: half of the time. */
const heavy = within(['clients', 'console', 'process', 'adapters/stores/mongodb']);
const http = within(['adapters/http']);
const stores = within(['contract', 'adapters/stores/sqlite', 'adapters/stores/memory']);
/** What sends large or slow requests by the thousand, or waits for a time to be over: left out of `--quick` as well. */
const long = [
  'http/bodies-of-any-size',
  'http/bodies-in-pieces',
  'http/body-memory',
  'http/connections',
  'http/hostile-bodies',
  'http/overload',
  'formats/list-memory',
  'apis/scim/bulk-of-any-size',
  'apis/scim/filters-http-hostile',
].map((name) => `build/test/adapters/${name}.test.js`);

const isFile = (argument) => /[.]test[.][jt]s$/.test(argument);
const given = process.argv.slice(2);
const options = given.filter((argument) => argument !== '--quick' && !isFile(argument));
const files = given
  .filter(isFile)
  .map((file) => file.replace(/^(?:[.]\/)?(?=test\/)/, 'build/').replace(/ts$/, 'js'));

const tests = (folders) => folders.map((folder) => `${folder}/*.test.js`);
const without = (some) => some.flatMap((files) => ['--ignore', files]);
/** Three for two cores: each of them waits now and then. What asks over HTTP stays in one, whose hooks look at all answers. */
const allOfThem = [
  [
    ...tests(within(['clients', 'adapters/stores/mongodb'])),
    'build/test/process/[a-d]*.test.js',
    ...tests(stores),
  ],
  ['build/test/process/[!a-d]*.test.js', ...tests(within(['console']))],
  ['build/test/**/*.test.js', ...without([...heavy, ...stores])],
];
const quickOnes = [
  [...tests(http), ...without(long)],
  tests(stores),
  ['build/test/**/*.test.js', ...without([...heavy, ...stores, ...http, ...long, 'build/test/outside/**'])],
];
const processes = files.length > 0 ? [files] : given.includes('--quick') ? quickOnes : allOfThem;

const mocha = createRequire(import.meta.url).resolve('mocha/bin/mocha.js');

/** The first one shows what it does as it goes, the others when they have ended. */
function run(chosen, index) {
  const child = spawn(process.execPath, [mocha, ...options, ...chosen], {
    stdio: ['inherit', 'pipe', 'inherit'],
  });
  const printed = [];
  child.stdout.on('data', (chunk) => {
    printed.push(chunk);
    if (index === 0) process.stdout.write(chunk);
  });
  return new Promise((resolve) => {
    child.once('close', (code) => {
      const text = Buffer.concat(printed).toString('utf8');
      if (index > 0) process.stdout.write(text);
      resolve({ text, code });
    });
  });
}

/** @param word passing, failing or pending: as mocha says it in its last lines */
const countOf = (text, word) =>
  Number([...text.matchAll(new RegExp(`^(?:\\x1b\\[[0-9;]*m| )*(\\d+) ${word}`, 'gm'))].at(-1)?.[1] ?? 0);

const ended = await Promise.all(processes.map(run));
if (ended.length > 1) {
  const totals = ['passing', 'pending', 'failing'].map(
    (word) => `  ${ended.reduce((sum, { text }) => sum + countOf(text, word), 0)} ${word}`,
  );
  process.stdout.write(`\nIn all:\n\n${totals.join('\n')}\n`);
}
process.exitCode = ended.every(({ code }) => code === 0) ? 0 : 1;
