/** Runs a server in its own process and folder. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { createInterface } from 'node:readline';

export interface Server {
  readonly url: string;
  readonly pid: number;
  /** CPU time of all its threads since its start, in microseconds. */
  cpu(): Promise<number>;
  /** Sends a message to a preloaded script and returns its answer. One at a time. */
  ask(message: string): Promise<unknown>;
  stop(): Promise<void>;
}

async function readAddress(child: ChildProcess): Promise<string> {
  if (child.stderr === null) throw new Error('the server has no standard error');
  const told: string[] = [];
  // Keeps reading after the address, since a full pipe would block the server.
  const lines = createInterface({ input: child.stderr });
  return new Promise((resolve, reject) => {
    lines.on('line', (line) => {
      told.push(line);
      const url = /^Listening on (\S+)\/users$/.exec(line)?.[1];
      if (url !== undefined) resolve(url);
    });
    lines.once('close', () => reject(new Error(`the server did not start: ${told.join('; ')}`)));
  });
}

/**
 * @param script relative to the checkout, or absolute
 * @param options of node itself
 * @param node that runs it; by default the Node that runs the benchmark
 */
export async function startServer(
  script: string,
  cwd: string,
  env: Readonly<Record<string, string>>,
  options: readonly string[] = [],
  node = process.execPath,
): Promise<Server> {
  const file = resolve(import.meta.dirname, '..', script);
  const preload = new URL('./report-cpu.js', import.meta.url).href;
  const inherited = Object.entries(process.env).filter(([name]) => !/^(?:USERS|NODE|OTEL)_/.test(name));
  const child = spawn(node, [...options, '--import', preload, file], {
    cwd,
    env: Object.fromEntries([...inherited, ...Object.entries(env)]),
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  });
  const ended = once(child, 'exit');
  const ask = async (message: string): Promise<unknown> => {
    const answer = once(child, 'message');
    child.send(message);
    return (await answer)[0];
  };
  return {
    url: await readAddress(child),
    pid: child.pid ?? 0,
    ask,
    cpu: async () => Number(await ask('cpu')),
    async stop() {
      child.kill('SIGTERM');
      await ended;
    },
  };
}

/** In MiB, from /proc: VmRSS is the current size, VmHWM the largest so far. */
export function readMemory(pid: number, figure: 'VmRSS' | 'VmHWM'): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return Math.round(Number(new RegExp(`${figure}:\\s+(\\d+) kB`).exec(status)?.[1]) / 1024);
}

export const childrenOf = (pid: number): readonly number[] =>
  readdirSync(`/proc/${pid}/task`).flatMap((thread) =>
    readFileSync(`/proc/${pid}/task/${thread}/children`, 'utf8').split(' ').filter(Boolean).map(Number),
  );
