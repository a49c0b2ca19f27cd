/** Processes as the kernel sees them. */
import { readdirSync, readFileSync } from 'node:fs';
import { until } from './deadlines.ts';

/** How many descriptors it has open. */
export const descriptors = (pid: number): number => readdirSync(`/proc/${pid}/fd`).length;

const isStopped = (pid: number): boolean => /\) [Tt] /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));

export const untilStopped = (pid: number): Promise<void> =>
  until(`process ${pid} is stopped`, () => isStopped(pid));

/** Stops the process, for good: the signal takes a moment. */
export async function freeze(pid: number): Promise<void> {
  process.kill(pid, 'SIGSTOP');
  await untilStopped(pid);
}

/** Does it while the process is stopped. */
export async function without<T>(pid: number, act: () => Promise<T>): Promise<T> {
  await freeze(pid);
  const done = await act();
  process.kill(pid, 'SIGCONT');
  return done;
}
