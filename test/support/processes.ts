/** Processes as the kernel sees them. */
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { constants, setPriority } from 'node:os';
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

/** Whether processes can be bound to a CPU here. */
export const canCrowdOut = spawnSync('taskset', ['--version']).status === 0;

/** Does it while the process's main thread shares a CPU with a busy process, which leaves it a hundredth of the time or so. */
export async function crowdOut(pid: number, act: () => Promise<void>): Promise<void> {
  const [cpu = '0'] = /(?<=Cpus_allowed_list:\s+)\d+/.exec(readFileSync('/proc/self/status', 'latin1')) ?? [];
  setPriority(pid, constants.priority.PRIORITY_LOW);
  execFileSync('taskset', ['-p', '-c', cpu, String(pid)]);
  const loop = 'fs.writeSync(1, "busy"); for (;;);';
  const busy = spawn('taskset', ['-c', cpu, process.execPath, '-e', loop]);
  try {
    await once(busy.stdout, 'data');
    await act();
  } finally {
    busy.kill('SIGKILL');
    await once(busy, 'close');
  }
}
