/** A worker, seen from the primary. */
import cluster, { type Worker } from 'node:cluster';
import type { Settings } from '../config.ts';
import { isReport } from './protocol.ts';

export interface Ended {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  /** Why it could not start, or had to end, where it was able to say so. */
  readonly reason?: string | undefined;
  /** The store failed it while it served. */
  readonly storeFailed: boolean;
}

export interface WorkerProcess {
  /** Undefined when the system had no room for another process. */
  readonly pid: number | undefined;
  /** Where it listens; undefined when it has ended without. */
  readonly listening: Promise<string | undefined>;
  readonly ended: Promise<Ended>;
  kill(signal: NodeJS.Signals): void;
}

/**
 * node:cluster forgets the connection that it was handing to a worker as that died, and keeps it open: its client would wait for
 * ever. There is one at most, the last, and closing it again if the worker did take it is nothing.
 */
function dropUntaken(worker: Worker): void {
  const child = worker.process;
  const send = child.send.bind(child) as (...sent: unknown[]) => boolean;
  let latest: { close(): void } | undefined;
  child.send = (message: unknown, handle?: unknown, ...more: unknown[]) => {
    if (handle instanceof Object && 'close' in handle) latest = handle as { close(): void };
    return send(message, handle, ...more);
  };
  child.once('close', () => latest?.close());
}

/** @param onStale called when the store says that what it had open is no longer what stands there */
export function startWorker(settings: Settings, onStale: () => void): WorkerProcess {
  const worker = cluster.fork();
  dropUntaken(worker);
  let reason: string | undefined;
  let storeFailed = false;
  const ended = new Promise<Ended>((resolve) => {
    // Not its 'exit', after which what it said last may still be on its way; nor 'disconnect', which is not to be relied on: it
    // stays away when a connection was on its way to it.
    worker.process.once('close', (code, signal) => resolve({ code, signal, reason, storeFailed }));
    worker.on('error', (error) => {
      // Else it is a message that didn't reach it any more.
      if (worker.process.pid === undefined)
        resolve({ code: null, signal: null, reason: error.message, storeFailed });
    });
  });
  const listening = new Promise<string | undefined>((resolve) => {
    void ended.then(() => resolve(undefined));
    worker.on('message', (message: unknown) => {
      if (!isReport(message)) return;
      if (message.kind === 'asking') worker.send(settings);
      else if (message.kind === 'refused') reason = message.reason;
      else if (message.kind === 'storeFailed') {
        reason = message.reason;
        storeFailed = true;
        if (message.stale) onStale();
      } else resolve(message.url);
    });
  });
  return { pid: worker.process.pid, listening, ended, kill: (signal) => void worker.process.kill(signal) };
}
