/**
 * Watches the change log for everything in this process that waits for changes, such as pages with `wait` and event streams (apis/changes/).
 *
 * A follower reads the log itself until it is up to date, then waits in `next`. While any follower waits, the watcher asks the store every 25 ms for
 * the number of the newest entry. It reads new entries once and gives the same page to all waiting followers. A follower that is no longer up to date
 * is told so, and reads the log itself again.
 */

import { type Cursor, foreignCursor } from '../../domain/changes/log.ts';
import type { ChangePage, Tail } from '../../domain/use-cases/feed.ts';
import { isCode } from '../../domain/validation/errors.ts';
import { clock } from '../scheduler/clock.ts';
import { Slices } from '../scheduler/slices.ts';

/** In ms. */
const interval = 25;

/** In ms: until the next look at an unreachable store. */
const longInterval = 1_000;

/** The number of changes that are read at a time. */
const readAtOnce = 100;

/** The scheduler's name for all followers: their work on the news counts as that of one client. */
const teller = 'followers';

/** What ends a wait: new changes; `behind`, when the follower must first read changes itself; or `woken`. */
type News = ChangePage | 'behind' | 'woken';

export interface Follower {
  /**
   * A time of the clock: the first look after it wakes the follower. A timer for each wait would live longer than the wait, and there can be
   * thousands of waits a second.
   */
  readonly wakeAt: number;
}

interface Waiting {
  readonly resolve: (news: News) => void;
  readonly reject: (error: unknown) => void;
}

export class ChangeWatcher {
  readonly #log: Tail;
  readonly #waiting = new Map<Follower, Waiting>();
  /** The end of the changes that were given out; undefined while nothing waits. */
  #tail: Cursor | undefined;
  /** The time of the next look at the log, by the clock. */
  #lookAt = 0;
  #isStopped = false;

  constructor(log: Tail) {
    this.#log = log;
  }

  /** True once the service is shutting down: all waits are over. */
  get isStopped(): boolean {
    return this.#isStopped;
  }

  stop(): void {
    this.#isStopped = true;
    for (const follower of [...this.#waiting.keys()]) this.wake(follower);
  }

  /** Does nothing unless the follower waits. */
  wake(follower: Follower): void {
    this.#take(follower)?.resolve('woken');
  }

  /** True if no changes followed the position at the last look: a follower can wait there without reading the log. */
  isEnd({ line, number, mark }: Cursor): boolean {
    const end = this.#tail;
    return end !== undefined && number === end.number && mark === end.mark && line === end.line;
  }

  /**
   * Waits for changes after the position. Earlier ones may come with them.
   * @param position the end of what the follower has read
   * @throws DomainError `cursor-expired`, `cursor-foreign`: the log was replaced meanwhile
   */
  next(position: Cursor, follower: Follower): Promise<News> {
    if (this.#isStopped) return Promise.resolve('woken');
    if (this.#tail === undefined) {
      this.#tail = position;
      void this.#look();
    }
    if (position.line !== this.#tail.line) this.#replaceLog(position);
    if (position.number < this.#tail.number) return Promise.resolve('behind');
    return new Promise((resolve, reject) => {
      this.#waiting.set(follower, { resolve, reject });
    });
  }

  /** Followers of the previous log would wait for ever: its end may have the same number. */
  #replaceLog(end: Cursor): void {
    this.#tail = end;
    void this.#tell((waiting) => waiting.reject(foreignCursor()));
  }

  async #look(): Promise<void> {
    do {
      await new Promise<void>((resolve) => clock.later(resolve, interval));
      const due = [...this.#waiting.keys()].filter(({ wakeAt }) => wakeAt <= clock.now());
      await this.#tell((waiting) => waiting.resolve('woken'), due);
      if (clock.now() < this.#lookAt) continue;
      try {
        await this.#giveOut();
      } catch (error) {
        if (isCode(error, 'unavailable')) this.#lookAt = clock.now() + longInterval;
        else await this.#tell((waiting) => waiting.reject(error));
      }
    } while (this.#waiting.size > 0);
    this.#tail = undefined;
  }

  /** Reads the new entries, if any, and gives them to the followers. */
  async #giveOut(): Promise<void> {
    for (let more = true; more && this.#waiting.size > 0 && this.#tail !== undefined; ) {
      const from = this.#tail;
      if ((await this.#log.latest()) === from.number) return;
      const page = await this.#log.tail(from, readAtOnce);
      if (this.#tail !== from) return;
      more = page.more;
      this.#tail = page.end;
      if (page.entries.length > 0) await this.#tell((waiting) => waiting.resolve(page));
    }
  }

  /** In slices, which include the followers' immediate work. */
  async #tell(
    tell: (waiting: Waiting) => void,
    followers: readonly Follower[] = [...this.#waiting.keys()],
  ): Promise<void> {
    const slices = new Slices(teller);
    for (const follower of followers) {
      const waiting = this.#take(follower);
      if (waiting !== undefined) tell(waiting);
      await slices.pause();
    }
  }

  #take(follower: Follower): Waiting | undefined {
    const waiting = this.#waiting.get(follower);
    this.#waiting.delete(follower);
    return waiting;
  }
}
