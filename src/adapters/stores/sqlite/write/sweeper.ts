/** Removes the rows of dropped sets of members in steps, between which the writer and the file are left to others. */

/** In ms. SQLite has no queue for the write lock: a process that waits polls it, at first every few milliseconds, later every 100. */
const shortestPause = 10;

/** In ms: after a step that failed because the disk is full or the file busy. */
const pauseAfterFailure = 1000;

/** A pause is as long as the step before it took; where other processes write, so many times as long. */
const sharedPause = 4;

export interface SweepStep {
  /** Nothing was removed, and the next step may do better. */
  readonly hasFailed: boolean;
  /** Another process has written since the transaction before. */
  readonly othersWrote: boolean;
}

export interface Timers {
  /** In ms. */
  now(): number;
  set(run: () => void, ms: number): NodeJS.Timeout;
}

const timers: Timers = { now: () => performance.now(), set: (run, ms) => setTimeout(run, ms) };

export class Sweeper {
  readonly #hasWork: () => boolean;
  readonly #step: () => SweepStep | undefined;
  readonly #timers: Timers;
  #next: NodeJS.Timeout | undefined;
  #pause = 0;

  /** @param step undefined when there must be no further one */
  constructor(hasWork: () => boolean, step: () => SweepStep | undefined, given: Timers = timers) {
    this.#hasWork = hasWork;
    this.#step = step;
    this.#timers = given;
  }

  /** Plans the next step, if there is work. */
  plan(): void {
    if (this.#hasWork()) this.#next ??= this.#timers.set(() => this.#run(), this.#pause);
  }

  stop(): void {
    clearTimeout(this.#next);
  }

  #run(): void {
    const start = this.#timers.now();
    const step = this.#step();
    this.#next = undefined;
    if (step === undefined) return;
    const pause = Math.max(shortestPause, this.#timers.now() - start);
    this.#pause = step.hasFailed ? pauseAfterFailure : pause * (step.othersWrote ? sharedPause : 1);
    this.plan();
  }
}
