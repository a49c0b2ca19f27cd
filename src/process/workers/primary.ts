/**
 * The process above the workers. It replaces those that die or don't answer, and ends them all; it serves no requests.
 *
 * `worker-process.ts` is the primary's view of a worker: it starts the process, counts missed reports, and requests metrics, which
 * `worker-metrics.ts` adds up. `worker.ts` runs in the worker: it requests the settings, serves, and reports. `worker-messages.ts` has the
 * messages between the two.
 */
import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { Settings } from '../../config/settings.ts';
import { areMetricsWanted, serveMetrics } from '../metrics-server.ts';
import { announce, fail, reasonOf } from '../output/startup-messages.ts';
import { endSignals } from '../signals.ts';
import type { WorkerMetrics } from './worker-metrics.ts';
import { type Ended, startWorker, type WorkerProcess } from './worker-process.ts';

/** A worker that dies before this age dies early. */
const earlyDeathMs = 10_000;

/** The first replacement comes without delay, since most deaths are single ones. */
const firstBackoffMs = 500;
const maxBackoffMs = 30_000;

/** Failed starts in a row, per configured worker and while none listens, before the primary gives up. */
const maxFailedStarts = 3;

/**
 * The primary also gives up when, within this time, the store fails more workers than are configured: at least one of those was a
 * replacement, so starting again doesn't help.
 */
const storeFailureWindowMs = 60_000;

/** After the shutdown deadline. Each worker ends itself a second after it. */
const killAfterMs = 2000;

const backoffAfter = (earlyDeaths: number): number =>
  earlyDeaths < 2 ? 0 : Math.min(firstBackoffMs * 2 ** (earlyDeaths - 2), maxBackoffMs);

/** A death by an end signal is orderly, too: the signal came before the worker could handle it. */
const isOrderly = ({ code, signal }: Ended): boolean =>
  code === 0 || endSignals.some((name) => name === signal);

export class Primary {
  readonly #settings: Settings;
  readonly #log: Logger;
  readonly #workers = new Set<WorkerProcess>();
  #metrics: WorkerMetrics | undefined;
  #listening = 0;
  #failedStarts = 0;
  #storeFailures: number[] = [];
  #announced = '';
  #ending = false;

  constructor(settings: Settings, log: Logger) {
    this.#settings = settings;
    this.#log = log;
  }

  /**
   * Resolves when the first worker listens and the others have been started. The first one is alone until then, so that it makes
   * the development key, migrates the database, and reports a wrong setting only once.
   */
  async start(): Promise<void> {
    await this.#openMetrics();
    const first = this.#startWorker();
    if ((await first.listening) === undefined) {
      const { reason, code, signal } = await first.ended;
      if (!this.#ending) fail(reason ?? `its first worker ended early (${signal ?? `code ${code}`})`);
      return;
    }
    void this.#supervise(first);
    for (let count = 1; count < this.#settings.workers; count += 1) void this.#supervise(this.#startWorker());
  }

  async #openMetrics(): Promise<void> {
    if (!areMetricsWanted(this.#settings)) return;
    const { WorkerMetrics } = await import('./worker-metrics.ts');
    const metrics = new WorkerMetrics();
    this.#metrics = metrics;
    await serveMetrics(this.#settings.metrics, () => metrics.print(), this.#log).catch((error: unknown) =>
      fail(reasonOf(error)),
    );
  }

  /** Ends the process when the workers have finished their requests in flight and ended. */
  async end(code: number, why: string): Promise<void> {
    if (this.#ending) return;
    this.#ending = true;
    this.#log.info({ why }, 'stopping');
    const workers = [...this.#workers];
    for (const worker of workers) worker.kill('SIGTERM');
    setTimeout(() => {
      for (const worker of this.#workers) worker.kill('SIGKILL');
    }, this.#settings.timeouts.shutdown + killAfterMs).unref();
    const ends = await Promise.all(workers.map(({ ended }) => ended));
    this.#log.info('stopped');
    process.exit(ends.every(isOrderly) ? code : code || 1);
  }

  /** All workers end when the file was replaced: a new worker would open another file than the others, and serve another directory. */
  #startWorker(): WorkerProcess {
    const onStale = () => void this.end(1, 'the store was moved or replaced');
    const worker = startWorker(this.#settings, this.#log, onStale);
    this.#workers.add(worker);
    this.#metrics?.add(worker);
    void worker.ended.then(() => this.#workers.delete(worker));
    return worker;
  }

  /** Replaces the worker each time it dies. */
  async #supervise(first: WorkerProcess): Promise<void> {
    let worker = first;
    for (let earlyDeaths = 0; !this.#ending; ) {
      const since = performance.now();
      await this.#awaitEnd(worker);
      if (this.#ending) return;
      earlyDeaths = performance.now() - since < earlyDeathMs ? earlyDeaths + 1 : 1;
      await delay(backoffAfter(earlyDeaths));
      if (this.#ending) return;
      this.#metrics?.countRestart();
      worker = this.#startWorker();
    }
  }

  async #awaitEnd(worker: WorkerProcess): Promise<void> {
    const url = await worker.listening;
    if (url === undefined) this.#failedStarts += 1;
    else await this.#onListening(url);
    const { code, signal, reason, storeFailed } = await worker.ended;
    if (url !== undefined) this.#listening -= 1;
    if (this.#ending) return;
    this.#log[code === 0 ? 'info' : 'error'](
      { worker: worker.pid, code, signal, reason },
      'a worker has ended',
    );
    if (this.#listening === 0 && this.#failedStarts >= maxFailedStarts * this.#settings.workers)
      void this.end(1, 'no worker can start');
    if (storeFailed) this.#onStoreFailed();
  }

  #onStoreFailed(): void {
    const now = performance.now();
    this.#storeFailures = [...this.#storeFailures, now].filter((at) => now - at < storeFailureWindowMs);
    if (this.#storeFailures.length > this.#settings.workers)
      void this.end(1, 'the store fails again and again');
  }

  async #onListening(url: string): Promise<void> {
    this.#failedStarts = 0;
    this.#listening += 1;
    const { workers, store } = this.#settings;
    // Again when the URL changes: with port 0 a worker that starts while no other listens gets another port.
    if (this.#announced === url || this.#listening < workers) return;
    this.#announced = url;
    this.#log.info({ url, store, workers }, 'all workers are listening');
    await announce(this.#settings, url);
  }
}
