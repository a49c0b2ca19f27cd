/** Services of several workers, and which of them said what in their log. */
import { get } from 'node:http';
import { expect } from 'chai';
import { type Process, startProcess } from '../support/process.ts';

export const env = { USERS_WORKERS: '2' };
/** In ms: longer than a busy machine stands still. */
export const watched = { USERS_TIMEOUTS_UNRESPONSIVE: '4000' };

export const longTurns = { NODE_OPTIONS: `--import=${new URL('./long-turns.ts', import.meta.url)}` };
export const head = (path: string): string => `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`;

interface Line {
  readonly pid: number;
  readonly msg: string;
  readonly status?: number;
  readonly code?: number | null;
  readonly worker?: number;
}

export const linesOf = (log: readonly string[]): Line[] => log.map((line) => JSON.parse(line));

export const pidsOf = (service: Process, message: string): number[] =>
  linesOf(service.log)
    .filter(({ msg }) => msg === message)
    .map(({ pid }) => pid);

/** The process ids of the two that there are at first. */
export async function workersOf(service: Process): Promise<[number, number]> {
  await service.logged(/"all workers are listening"/);
  const [first, second, ...more] = pidsOf(service, 'listening');
  if (first === undefined || second === undefined || more.length > 0) throw new Error('there are not two');
  return [first, second];
}

/** The process id of a worker that began to listen after these. */
export async function listeningAfter(service: Process, known: readonly number[]): Promise<number> {
  const line = await service.logged(new RegExp(`"pid":(?!(?:${known.join('|')}),)\\d+,.*"msg":"listening"`));
  return JSON.parse(line).pid;
}

/** Over a new connection, which any worker may accept. */
export const statusOf = (url: string): Promise<number | undefined> =>
  new Promise((resolve, reject) => {
    get(url, { agent: false }, (answer) => {
      answer.resume();
      resolve(answer.statusCode);
    }).once('error', reject);
  });

/** A terminal sends the signal to all processes of its foreground group. */
export async function endedOnceBy(signal: 'SIGINT' | 'SIGHUP'): Promise<void> {
  const service = await startProcess({ env });
  const workers = await workersOf(service);
  for (const pid of workers) process.kill(pid, signal);
  expect(await service.stop(signal)).to.include({ code: 0, signal: null });
  for (const message of ['stopping', 'stopped'])
    expect(pidsOf(service, message)).to.have.members([service.pid, ...workers]);
}
