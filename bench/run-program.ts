/** Runs a command of the built program over a SQLite file, and measures it. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
import { readMemory } from './server.ts';

const program = resolve('dist/main.js');

/** Milliseconds between two looks at the memory: until the process ends, the system knows the most that it had. */
const lookEvery = 20;

interface Ran {
  readonly seconds: number;
  /** MiB, at most. */
  readonly memory: number;
  /** The last that it printed. */
  readonly told: string;
}

/** @param folder the working directory @param file the database @throws Error with what was printed if it ends with another code than 0 */
export async function runProgram(folder: string, file: string, command: readonly string[]): Promise<Ran> {
  const begin = performance.now();
  const child = spawn(process.execPath, [program, ...command], {
    cwd: folder,
    env: { ...process.env, USERS_SQLITE_FILE: file },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const told: string[] = [];
  for (const output of [child.stdout, child.stderr]) output.on('data', (chunk) => told.push(String(chunk)));
  let memory = 0;
  const look = setInterval(() => {
    if (child.pid !== undefined && child.exitCode === null) memory = readMemory(child.pid, 'VmHWM') || memory;
  }, lookEvery);
  const [code] = await once(child, 'close');
  clearInterval(look);
  if (code !== 0) throw new Error(`${command.join(' ')} ended with ${code}: ${told.join('')}`);
  return { seconds: (performance.now() - begin) / 1000, memory, told: told.at(-1)?.trim() ?? '' };
}
