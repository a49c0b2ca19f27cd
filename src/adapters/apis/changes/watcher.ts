/**
 * Looks at the log for all requests of this process that wait for changes. While any waits, there is one look every 25 ms; what is new is
 * read once, and given to all that are up to date.
 */

import { type Cursor, foreignCursor } from '../../../domain/changes/log.ts';
import type { ChangePage, Tail } from '../../../domain/feed.ts';
import { isCode } from '../../../domain/validation/errors.ts';
import { clock } from '../../scheduler/clock.ts';
import { Slices } from '../../scheduler/slices.ts';

/** In ms. */
const interval = 25;

/** In ms: to the next look at a store that is out of reach. */
const longInterval = 1_000;

/** Changes that are read at a time. */
const readAtOnce = 100;

/** The scheduler's name for all followers: what they do when they are told counts as the work of one client. */
const teller = 'followers';

/** What ends the waiting: new changes; that the follower must first read changes by itself; or that it was woken. */
export type News = ChangePage | 'behind' | 'woken';

/** A request that waits. */
export interface Follower {
  /** A time of the clock: the first look after it wakes the follower. Timers would outlast their waits, by thousands a second. */
  readonly wakeAt: number;
}

interface Waiting {
  readonly resolve: (news: News) => void;
  readonly reject: (error: unknown) => void;
}

export class ChangeWatcher {
  readonly #log: Tail;
  readonly #waiting = new Map<Follower, Waiting>();
  /** Up to here changes were given out; undefined while no request waits. */
  #tail: Cursor | undefined;
  /** The next look at the log, a time of the clock. */
  #lookAt = 0;
  #isStopped = false;

  constructor(log: Tail) {
    this.#log = log;
  }

  /** True once the service is ending: all waits are over. */
  get isStopped(): boolean {
    return this.#isStopped;
  }

  stop(): void {
    this.#isStopped = true;
    for (const follower of [...this.#waiting.keys()]) this.wake(follower);
  }

  /** Does nothing unless it waits. */
  wake(follower: Follower): void {
    this.#take(follower)?.resolve('woken');
  }

  /** Whether no changes followed the position at the last look. A request that waits there doesn't have to read the log. */
  isEnd({ line, number, mark }: Cursor): boolean {
    const end = this.#tail;
    return end !== undefined && number === end.number && mark === end.mark && line === end.line;
  }

  /**
   * Waits for changes behind the position. Some in front of it may come with them.
   * @param position to which the follower has read
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

  /** Requests that wait behind the end of the log before would never know: the number of its end may be the same. */
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

  /** Gives out what is new, if anything. */
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

  /** In slices, which include what the followers do at once. */
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
