/** A worker, seen from the primary. */
import cluster from 'node:cluster';
import type { Logger } from 'pino';
import type { Settings } from '../config.ts';
import { isReport } from './protocol.ts';
import { pass } from './telling.ts';
import { watch } from './watch.ts';

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
 * Workers take connections from the system by themselves. Handed out in turn by the primary, one that can't take its connection (no
 * descriptor left, stopped) would get no other one ever again, and the primary would keep the connection.
 */
cluster.schedulingPolicy = cluster.SCHED_NONE;

/**
 * None has the primary's own output as its 1 or 2: Node makes those of a child wait for their reader, at its start and again at its
 * end, and with them everybody's who was given the same.
 */
cluster.setupPrimary({ stdio: ['ignore', 'ignore', 'pipe', 'ipc', 1] });

/** @param onStale called when the store says that what it had open is no longer what stands there */
export function startWorker(settings: Settings, log: Logger, onStale: () => void): WorkerProcess {
  const worker = cluster.fork();
  worker.process.stderr?.setEncoding('utf8').on('data', pass);
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
      else if (message.kind === 'listening') resolve(message.url);
      else if (message.kind === 'storeFailed') {
        reason = message.reason;
        storeFailed = true;
        if (message.stale) onStale();
      }
    });
  });
  const killSilent = () => {
    log.error({ worker: worker.process.pid }, 'a worker does not answer: it is killed');
    worker.process.kill('SIGKILL');
  };
  void listening.then((url) => url && watch(worker, settings.timeouts.unresponsive, killSilent));
  return { pid: worker.process.pid, listening, ended, kill: (signal) => void worker.process.kill(signal) };
}
