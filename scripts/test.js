/**
 * `npm test`: runs mocha over the compiled tests. `npm test -- test/domain/validation.test.ts` runs that file alone; `--quick`
 * leaves out tests that start processes, databases and other programs. Further options are mocha's.
 */
import { spawnSync } from 'node:child_process';
import { createRequire } from 'node:module';

const everything = 'build/test/**/*.test.js';
const slow = ['clients', 'outside', 'process', 'adapters/stores/mongodb'];

const given = process.argv.slice(2);
const options = given.filter((argument) => argument !== '--quick' && !/[.]test[.][jt]s$/.test(argument));
const files = given
  .filter((argument) => /[.]test[.][jt]s$/.test(argument))
  .map((file) => file.replace(/^(?:[.]\/)?(?=test\/)/, 'build/').replace(/ts$/, 'js'));
const left = given.includes('--quick')
  ? slow.flatMap((folder) => ['--ignore', `build/test/${folder}/**`])
  : [];

const mocha = createRequire(import.meta.url).resolve('mocha/bin/mocha.js');
const arguments_ = [mocha, ...options, ...left, ...(files.length > 0 ? files : [everything])];
const { status } = spawnSync(process.execPath, arguments_, { stdio: 'inherit' });
process.exitCode = status ?? 1;
