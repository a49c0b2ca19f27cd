/** Counts the reports that a worker misses, in units of the interval at which it sends them. */
import { mostMissed } from './worker-messages.ts';

/**
 * In ms, from the text of Linux's `/proc/<pid>/schedstat`: how long a thread has been ready to run and had no CPU. 0 where the text doesn't
 * tell.
 */
export const cpuWaitIn = (schedstat: string): number => Number(schedstat.split(' ')[1]) / 1e6 || 0;

/** Time that the worker waits for a CPU doesn't count, since on a busy machine one turn of its event loop may take very long. */
export class MissedReports {
  readonly #interval: number;
  readonly #readCpuWait: () => number;
  #missed = 0;
  #waitedBefore: number;

  /** @param interval in ms @param readCpuWait in ms, since the worker's start; 0 where it is not known, as for a process that has gone */
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
