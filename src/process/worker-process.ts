/** A worker, seen from the primary. */
import cluster from 'node:cluster';
import { once } from 'node:events';
import type { Settings } from '../config.ts';
import { isReport } from './protocol.ts';

export interface Ended {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  /** Why it could not start, where it was able to say so. */
  readonly reason?: string | undefined;
}

export interface WorkerProcess {
  /** Undefined when the system had no room for another process. */
  readonly pid: number | undefined;
  /** Where it listens; undefined when it has ended without. */
  readonly listening: Promise<string | undefined>;
  readonly ended: Promise<Ended>;
  kill(signal: NodeJS.Signals): void;
}

export function startWorker(settings: Settings): WorkerProcess {
  const worker = cluster.fork();
  let reason: string | undefined;
  const ended = new Promise<Ended>((resolve) => {
    worker.once('exit', async (code, signal) => {
      // What it said last may still be on its way.
      if (worker.isConnected()) await once(worker, 'disconnect');
      resolve({ code, signal: signal as NodeJS.Signals | null, reason });
    });
    worker.on('error', (error) => {
      // Else it is a message that didn't reach it any more.
      if (worker.process.pid === undefined) resolve({ code: null, signal: null, reason: error.message });
    });
  });
  const listening = new Promise<string | undefined>((resolve) => {
    void ended.then(() => resolve(undefined));
    worker.on('message', (message: unknown) => {
      if (!isReport(message)) return;
      if (message.kind === 'asking') worker.send(settings);
      else if (message.kind === 'refused') reason = message.reason;
      else resolve(message.url);
    });
  });
  return { pid: worker.process.pid, listening, ended, kill: (signal) => void worker.process.kill(signal) };
}
