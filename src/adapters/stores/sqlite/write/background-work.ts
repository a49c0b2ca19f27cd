/** What the writer does between requests, in steps, so that other processes get the file in between. */

/** In ms. SQLite has no queue for the write lock: a process that waits polls it, at first every few milliseconds, later every 100. */
const shortestPause = 10;

/** In ms: after a step that failed because the disk is full or the file busy. */
const pauseAfterFailure = 1000;

/** A pause is this many times as long as the step before it: while no client waits for the work, and while one does. */
const shareOfOthers = 4;
export const shareBesideClient = 1;

export class BackgroundWork {
  readonly #hasWork: () => boolean;
  readonly #step: () => boolean | undefined;
  readonly #share: number;
  #next: NodeJS.Timeout | undefined;

  /** @param step returns false when it failed and may succeed later; undefined to end the work */
  constructor(hasWork: () => boolean, step: () => boolean | undefined, share = shareOfOthers) {
    this.#hasWork = hasWork;
    this.#step = step;
    this.#share = share;
  }

  /** Plans the next step, if there is work and none is planned. @param pause in ms */
  plan(pause = 0): void {
    if (this.#hasWork()) this.#next ??= setTimeout(() => this.#run(), pause);
  }

  stop(): void {
    clearTimeout(this.#next);
  }

  #run(): void {
    const start = performance.now();
    const isDone = this.#step();
    this.#next = undefined;
    if (isDone === undefined) return;
    const took = performance.now() - start;
    this.plan(isDone ? Math.max(shortestPause, this.#share * took) : pauseAfterFailure);
  }
}
