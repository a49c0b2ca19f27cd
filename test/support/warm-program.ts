/**
 * A process that has loaded the program, and runs it as often as it is asked (warm.ts): the built program itself, with the folder, the
 * variables and the words of each command. It tells the exit code, behind a mark in both outputs.
 */
import { pathToFileURL } from 'node:url';
import type { Asked } from './warm.ts';

const signals = ['SIGTERM', 'SIGINT', 'SIGHUP', 'SIGUSR1', 'SIGUSR2'];
const outputs = [process.stdout, process.stderr];
let count = 0;

process.on('disconnect', () => process.exit());
process.on('message', async ({ main, command, folder, env, mark }: Asked) => {
  process.chdir(folder);
  for (const name of Object.keys(process.env)) if (!Object.hasOwn(env, name)) delete process.env[name];
  Object.assign(process.env, env);
  process.argv.splice(1, process.argv.length, main, ...command);
  process.exitCode = undefined;
  count += 1;
  await import(`${pathToFileURL(main)}?${count}`);
  for (const signal of signals) process.removeAllListeners(signal);
  for (const output of outputs) {
    output.removeAllListeners('error');
    await new Promise((resolve) => output.write(mark, resolve));
  }
  process.chdir('/');
  process.send?.(Number(process.exitCode ?? 0));
  process.exitCode = undefined;
});
