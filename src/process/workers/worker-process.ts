/** The primary's side of a worker. */
import cluster, { type Worker } from 'node:cluster';
import { readFileSync } from 'node:fs';
import type { Logger } from 'pino';
import type { MetricValues } from '../../adapters/observe/metrics.ts';
import type { Settings } from '../../config/settings.ts';
import { printText } from '../output/startup-messages.ts';
import { isWorkerReport, type MetricsRequest, mostMissed, reportInterval } from './worker-messages.ts';

export interface Ended {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  /** Why it couldn't start or had to end, if it was able to report that. */
  readonly reason?: string | undefined;
  /** It ended because the store failed while it served. */
  readonly storeFailed: boolean;
}

export interface WorkerProcess {
  /** Undefined when the system couldn't start another process. */
  readonly pid: number | undefined;
  /** The URL it listens on; undefined when it ended before it listened. */
  readonly listening: Promise<string | undefined>;
  readonly ended: Promise<Ended>;
  /** One read at a time. Undefined before it listens, and when it doesn't answer in time. */
  readMetrics(): Promise<MetricValues | undefined>;
  kill(signal: NodeJS.Signals): void;
}

/**
 * How long a thread was ready to run but had no CPU, in ms, from the text of Linux's `/proc/<pid>/schedstat`. 0 if the text doesn't say.
 */
export const cpuWaitIn = (schedstat: string): number => Number(schedstat.split(' ')[1]) / 1e6 || 0;

/**
 * Counts the reports that a worker misses, in units of the interval at which it sends them. Waiting for a CPU doesn't count, since on a busy
 * machine one turn of its event loop may take very long.
 */
export class MissedReports {
  readonly #interval: number;
  readonly #readCpuWait: () => number;
  #missed = 0;
  #waitedBefore: number;

  /** @param interval in ms @param readCpuWait in ms, since the worker's start; 0 if unknown, as for a process that has ended */
  constructor(interval: number, readCpuWait: () => number) {
    [this.#interval, this.#readCpuWait] = [interval, readCpuWait];
    this.#waitedBefore = readCpuWait();
  }

  /** Call at each report. */
  reset(): void {
    this.#missed = 0;
    this.#waitedBefore = this.#readCpuWait();
  }

  /** Call after each interval. @returns whether the worker counts as hung */
  add(): boolean {
    this.#missed += 1;
    const waited = Math.max(0, this.#readCpuWait() - this.#waitedBefore);
    return this.#missed > mostMissed + waited / this.#interval;
  }
}

/** The wait of the process's main thread, in ms. Only Linux reports it; elsewhere 0. */
function readCpuWait(pid: number | undefined): number {
  try {
    return cpuWaitIn(readFileSync(`/proc/${pid}/schedstat`, 'latin1'));
  } catch {
    return 0;
  }
}

/**
 * Detects a worker that makes no progress: it is stopped, blocked, or in an endless loop.
 * @param patience in ms
 * @param onHung called when it has reported nothing for that long, repeatedly until the worker ends
 */
function watchWorker(worker: Worker, patience: number, onHung: () => void): void {
  const interval = reportInterval(patience);
  const missed = new MissedReports(interval, () => readCpuWait(worker.process.pid));
  worker.on('message', (message: unknown) => {
    if (isWorkerReport(message) && message.kind === 'alive') missed.reset();
  });
  const look = () => {
    if (missed.add()) onHung();
  };
  const timer = setInterval(look, interval).unref();
  worker.process.once('close', () => clearInterval(timer));
}

/** In ms. */
const metricsPatience = 2000;

/**
 * Workers accept connections themselves. With round-robin a worker that can't take its connection (no descriptor left, stopped)
 * would never get another one, and the primary would keep the connection.
 */
cluster.schedulingPolicy = cluster.SCHED_NONE;

/**
 * No worker gets the primary's output as its descriptors 1 and 2: at its start and its end Node makes those blocking, for every
 * process that shares them.
 */
cluster.setupPrimary({ stdio: ['ignore', 'ignore', 'pipe', 'ipc', 1] });

/** @param onStale called when the store reports that its file was moved or replaced */
export function startWorker(settings: Settings, log: Logger, onStale: () => void): WorkerProcess {
  const worker = cluster.fork();
  worker.process.stderr?.setEncoding('utf8').on('data', printText);
  let reason: string | undefined;
  let storeFailed = false;
  const ended = new Promise<Ended>((resolve) => {
    // Not 'exit', after which its last messages may still arrive; nor 'disconnect', which isn't emitted when a connection was on
    // its way to the worker.
    worker.process.once('close', (code, signal) => resolve({ code, signal, reason, storeFailed }));
    worker.on('error', (error) => {
      // With a pid the error is about a message that didn't reach the worker.
      if (worker.process.pid === undefined)
        resolve({ code: null, signal: null, reason: error.message, storeFailed });
    });
  });
  const listening = new Promise<string | undefined>((resolve) => {
    void ended.then(() => resolve(undefined));
    worker.on('message', (message: unknown) => {
      if (!isWorkerReport(message)) return;
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
  const killUnresponsive = () => {
    log.error({ worker: worker.process.pid }, 'a worker does not answer: it is killed');
    worker.process.kill('SIGKILL');
  };
  void listening.then((url) => url && watchWorker(worker, settings.timeouts.unresponsive, killUnresponsive));
  return {
    pid: worker.process.pid,
    listening,
    ended,
    readMetrics: metricsReader(worker, listening),
    kill: (signal) => void worker.process.kill(signal),
  };
}

/** Each promise is settled with its query. A promise that waited for `ended` would stay in memory until the worker ends. */
function metricsReader(worker: Worker, listening: Promise<string | undefined>): WorkerProcess['readMetrics'] {
  let isListening = false;
  let isUnanswered = false;
  let settle = (_values?: MetricValues): void => {};
  void listening.then((url) => {
    isListening = url !== undefined;
  });
  worker.on('message', (message: unknown) => {
    if (!isWorkerReport(message) || message.kind !== 'metrics') return;
    isUnanswered = false;
    settle(message.values);
  });
  worker.process.once('close', () => settle());
  const read = () =>
    new Promise<MetricValues | undefined>((resolve) => {
      const timer = setTimeout(() => settle(), metricsPatience).unref();
      settle = (values) => {
        clearTimeout(timer);
        resolve(values);
      };
      // Nothing more is sent before the answer: a stopped process doesn't read, and messages would pile up.
      if (!isUnanswered) worker.send({ kind: 'metrics?' } satisfies MetricsRequest);
      isUnanswered = true;
    });
  return () => (isListening && worker.isConnected() ? read() : Promise.resolve(undefined));
}
