/** In ms. SQLite has no queue for the write lock: a process that waits polls it, at first every few milliseconds, later every 100. */
const shortestPause = 10;

/** In ms: after a step that failed because the disk is full or the file busy. */
const pauseAfterFailure = 1000;

/** A pause is so many times as long as the step before it took: of what nobody waits for, and of what a client waits for. */
const shareOfOthers = 4;
export const shareBesideClient = 1;

/** In ms. @param took the step before @param share of others */
const pauseAfter = (took: number, hasFailed: boolean, share: number): number =>
  hasFailed ? pauseAfterFailure : Math.max(shortestPause, share * took);

/** Does work in steps, such as removing the rows of dropped sets of members, between which the writer and the file are left to others. */
export class Sweeper {
  readonly #hasWork: () => boolean;
  readonly #step: () => boolean | undefined;
  readonly #share: number;
  #next: NodeJS.Timeout | undefined;

  /** @param step false when it has removed nothing, and the next one may do better; undefined when there must be no further one */
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
    if (isDone !== undefined) this.plan(pauseAfter(performance.now() - start, !isDone, this.#share));
  }
}
