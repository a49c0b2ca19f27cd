/** The process above the workers: it replaces those that die or answer nothing, and ends them all. It serves nothing. */
import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { Settings } from '../config.ts';
import { endSignals } from './signals.ts';
import { announce, fail } from './telling.ts';
import { type Ended, startWorker, type WorkerProcess } from './worker-process.ts';

/** A worker that has lived this long, in ms, was not made to die at once. */
const soundAfter = 10_000;

/** In ms. The first replacement waits for nothing: most deaths are alone. */
const firstPause = 500;
const longestPause = 30_000;

/** Before it gives up: starts that failed one after the other, for each worker there should be, while none is listening. */
const patience = 3;

/**
 * It gives up as well when the store has failed more workers than there should be within this time, in ms: one at least took the place
 * of another, and recovering by a new start did not help.
 */
const storeFailuresWithin = 60_000;

/** How long workers that ought to have ended may take, in ms: each cuts itself off a second after the deadline. */
const grace = 2000;

const pauseAfter = (earlyDeaths: number): number =>
  earlyDeaths < 2 ? 0 : Math.min(firstPause * 2 ** (earlyDeaths - 2), longestPause);

/** A signal's death is an orderly one when it was on its way to us: it came before the worker could listen to it. */
const isOrderly = ({ code, signal }: Ended): boolean =>
  code === 0 || endSignals.some((name) => name === signal);

export class Primary {
  readonly #settings: Settings;
  readonly #log: Logger;
  readonly #workers = new Set<WorkerProcess>();
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
   * Resolves when the first worker listens and the others are under way. It is alone until then: it makes the development key and
   * brings the file up to date, and what is wrong is found, and told, once.
   */
  async start(): Promise<void> {
    const first = this.#startWorker();
    if ((await first.listening) === undefined) {
      const { reason, code, signal } = await first.ended;
      if (!this.#ending) fail(reason ?? `its first worker ended early (${signal ?? `code ${code}`})`);
      return;
    }
    void this.#keep(first);
    for (let count = 1; count < this.#settings.workers; count += 1) void this.#keep(this.#startWorker());
  }

  /** Lets the workers finish what is in flight, and ends the process when all have ended. */
  async end(code: number, why: string): Promise<void> {
    if (this.#ending) return;
    this.#ending = true;
    this.#log.info({ why }, 'stopping');
    const workers = [...this.#workers];
    for (const worker of workers) worker.kill('SIGTERM');
    setTimeout(() => {
      for (const worker of this.#workers) worker.kill('SIGKILL');
    }, this.#settings.timeouts.shutdown + grace).unref();
    const ends = await Promise.all(workers.map(({ ended }) => ended));
    this.#log.info('stopped');
    process.exit(ends.every(isOrderly) ? code : code || 1);
  }

  /** One that took its place would open another file than those beside it have open: two directories behind one address. */
  #startWorker(): WorkerProcess {
    const onStale = () => void this.end(1, 'the store was moved or replaced');
    const worker = startWorker(this.#settings, this.#log, onStale);
    this.#workers.add(worker);
    void worker.ended.then(() => this.#workers.delete(worker));
    return worker;
  }

  /** Sees to it that there is one, after this one's death too. */
  async #keep(first: WorkerProcess): Promise<void> {
    let worker = first;
    for (let earlyDeaths = 0; !this.#ending; ) {
      const since = performance.now();
      await this.#watch(worker);
      if (this.#ending) return;
      earlyDeaths = performance.now() - since < soundAfter ? earlyDeaths + 1 : 1;
      await delay(pauseAfter(earlyDeaths));
      if (this.#ending) return;
      worker = this.#startWorker();
    }
  }

  /** Resolves when it has ended. */
  async #watch(worker: WorkerProcess): Promise<void> {
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
    if (this.#listening === 0 && this.#failedStarts >= patience * this.#settings.workers)
      void this.end(1, 'no worker can start');
    if (storeFailed) this.#onStoreFailed();
  }

  #onStoreFailed(): void {
    const now = performance.now();
    this.#storeFailures = [...this.#storeFailures, now].filter((at) => now - at < storeFailuresWithin);
    if (this.#storeFailures.length > this.#settings.workers)
      void this.end(1, 'the store fails again and again');
  }

  async #onListening(url: string): Promise<void> {
    this.#failedStarts = 0;
    this.#listening += 1;
    const { workers, store } = this.#settings;
    // Anew when it has moved: with port 0 a worker that finds no other one listening gets another port.
    if (this.#announced === url || this.#listening < workers) return;
    this.#announced = url;
    this.#log.info({ url, store, workers }, 'all workers are listening');
    await announce(this.#settings, url);
  }
}
