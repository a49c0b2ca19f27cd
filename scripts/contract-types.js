/**
 * Generates the types of the console's client, console/src/contract.ts, from the recorded contract, unless they are newer. The
 * generator needs TypeScript 5, so it comes with the packages of the client in test/clients/modern-typescript.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, statSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const contract = 'test/adapters/contracts/recorded/openapi.yaml';
const types = 'console/src/contract.ts';
const client = 'test/clients/modern-typescript';
const generator = `${client}/node_modules/openapi-typescript/bin/cli.js`;

const run = (program, ...args) => {
  const cwd = fileURLToPath(new URL('..', import.meta.url));
  const { status, error } = spawnSync(program, args, { cwd, stdio: ['ignore', 'ignore', 'inherit'] });
  if (status !== 0) throw error ?? new Error(`${program} ${args.join(' ')} ended with ${status}`);
};

const isCurrent = () => existsSync(types) && statSync(types).mtimeMs > statSync(contract).mtimeMs;

if (!isCurrent()) {
  if (!existsSync(generator)) run('npm', 'ci', '--silent', '--no-audit', '--no-fund', '--prefix', client);
  run(process.execPath, generator, contract, '--output', types);
}
