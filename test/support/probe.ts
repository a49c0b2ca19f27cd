/** Asks a service again and again whether it lives, in a thread of its own: what the tests' own thread is busy with doesn't count. */

import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import { exchange } from './exchanges.ts';

interface Probed {
  /** In ms, at most; without the time in which the service had no processor, where the system tells. */
  readonly wait: number;
}

interface Wanted {
  readonly url: string;
  readonly pid: number;
}

/** In ms: of what the system tells of a process's time. */
const tick = 10;

/** Fields of /proc/PID/stat behind the name, which may hold spaces: see proc(5). */
const [userTicks, systemTicks] = [11, 12];

/** In ms, all threads together. @returns undefined where the system doesn't tell it */
function readWorked(pid: number): number | undefined {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'latin1')
      .replace(/^.*\) /s, '')
      .split(' ');
    return tick * (Number(fields[userTicks]) + Number(fields[systemTicks]));
  } catch {
    return undefined;
  }
}

/** A connection of its own each time, as probes have. */
async function probe({ url, pid }: Wanted): Promise<number> {
  const [start, before] = [performance.now(), readWorked(pid)];
  const { status } = await exchange(`${url}/health/live`);
  if (status >= 300) throw new Error(`a probe was answered with ${status}`);
  const [waited, after] = [performance.now() - start, readWorked(pid)];
  return before === undefined || after === undefined ? waited : Math.min(waited, after - before + tick);
}

async function probeUntilTold(wanted: Wanted): Promise<void> {
  let isOver = false;
  parentPort?.once('message', () => {
    isOver = true;
  });
  let wait = await probe(wanted);
  parentPort?.postMessage('ready');
  while (!isOver) wait = Math.max(wait, await probe(wanted));
  parentPort?.postMessage({ wait } satisfies Probed);
}

/** Begins when a first probe has been answered. @throws Error when one is refused */
export async function startProbes(wanted: Wanted): Promise<{ end(): Promise<Probed> }> {
  const worker = new Worker(new URL(import.meta.url), { workerData: wanted });
  await once(worker, 'message');
  return {
    async end() {
      worker.postMessage('end');
      const [probed] = await once(worker, 'message');
      await worker.terminate();
      return probed;
    },
  };
}

if (!isMainThread) await probeUntilTold(workerData);
