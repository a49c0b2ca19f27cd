/** What a piece of work costs: by the clock, and of the CPU by thread. */
import { readdirSync, readFileSync } from 'node:fs';

/** In seconds. */
export interface Work {
  readonly wall: number;
  /** CPU of the main thread. */
  readonly main: number;
  /** CPU of the thread that had most to do. */
  readonly busiest: number;
}

/** In nanoseconds, by thread's id. Linux only. */
function readTimes(): Map<string, number> {
  const times = new Map<string, number>();
  for (const id of readdirSync('/proc/self/task'))
    times.set(id, Number(readFileSync(`/proc/self/task/${id}/schedstat`, 'utf8').split(' ')[0]));
  return times;
}

export async function measureThreads(work: () => Promise<void>): Promise<Work> {
  const before = readTimes();
  const begin = performance.now();
  await work();
  const wall = (performance.now() - begin) / 1000;
  const spent = [...readTimes()].map(([id, time]): [string, number] => [
    id,
    (time - (before.get(id) ?? 0)) / 1e9,
  ]);
  const main = spent.find(([id]) => id === String(process.pid))?.[1] ?? 0;
  return { wall, main, busiest: Math.max(...spent.map(([, time]) => time)) };
}
