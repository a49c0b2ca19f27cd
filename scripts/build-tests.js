/**
 * `npm run build:tests`: compiles sources, tests and benchmarks to build/, and bundles what tests start as processes and threads.
 * Does nothing while no file has changed since. Types are checked by `npm run typecheck` alone: it takes longer than all of this.
 */
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { makeContractTypes } from './contract-types.js';
import { copySwaggerUi } from './copy-swagger-ui.js';

const inputs = ['src', 'test', 'bench', 'scripts', 'console'];
const files = ['package-lock.json', 'tsconfig.json', 'tsconfig.test.json'];
const stamp = 'build/inputs';
// Generated clients are built below test/clients/.
const isInput = (path) =>
  !/node_modules|\/build\//.test(path) && /[.](?:tsx?|js|json|css|html|svg)$/.test(path);

/** Of names, sizes and times of change: contents are read by the compiler alone. */
function fingerprint() {
  const all = inputs.flatMap((folder) =>
    readdirSync(folder, { recursive: true }).map((name) => join(folder, name)),
  );
  const lines = [...all.filter(isInput), ...files].sort().map((path) => {
    const { size, mtimeMs } = statSync(path);
    return `${path} ${size} ${mtimeMs}`;
  });
  return createHash('sha256').update(lines.join('\n')).digest('hex');
}

function lastBuilt() {
  try {
    return readFileSync(stamp, 'utf8');
  } catch {
    return undefined;
  }
}

// Tests compile parts of the console with them.
makeContractTypes();
const wanted = fingerprint();
if (lastBuilt() !== wanted) {
  const node = async (...args) => {
    const [status] = await once(spawn(process.execPath, args, { stdio: 'inherit' }), 'exit');
    if (status !== 0) process.exit(1);
  };
  rmSync('build', { recursive: true, force: true });
  const typescript = dirname(createRequire(import.meta.url).resolve('typescript/package.json'));
  const compile = node(join(typescript, 'bin/tsc'), '-p', 'tsconfig.test.json', '--noCheck');
  const compileThreads = async () => {
    await compile;
    await node('scripts/bundle-threads.js');
  };
  await Promise.all([compileThreads(), node('scripts/bundle.js', 'build/bundle')]);
  copySwaggerUi('.', 'build/src/adapters/apis/docs/swagger-ui');
  writeFileSync(stamp, wanted);
}
