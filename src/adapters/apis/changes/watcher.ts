/**
 * Looks at the log for all requests of this process that wait for changes. While any waits, there is one look every 25 ms; what is new is
 * read once, and given to all that are up to date.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { isCode } from '../../../domain/base/errors.ts';
import { type Cursor, foreignCursor } from '../../../domain/changes/log.ts';
import type { ChangePage, Tail } from '../../../domain/feed.ts';
import { clock } from '../../scheduler/clock.ts';

/** In ms. */
const interval = 25;

/** In ms: to the next look at a store that is out of reach. */
const longInterval = 1_000;

/** Changes that are read at a time. */
const readAtOnce = 100;

/** Followers that are told in one turn of the event loop: the requests of others come between. */
const toldAtOnce = 50;

/** What ends the waiting: new changes; that the follower must first read changes by itself; or that it was woken. */
export type News = ChangePage | 'behind' | 'woken';

/** A request that waits. */
export class Follower {
  /** Set while it waits. */
  onWake: (() => void) | undefined;

  wake(): void {
    this.onWake?.();
  }

  /** Not before that time of the clock, though timers may be early. */
  wakeAt(time: number): void {
    clock.later(
      () => (clock.now() < time ? this.wakeAt(time) : this.wake()),
      Math.max(0, Math.ceil(time - clock.now())),
    );
  }
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
    for (const follower of [...this.#waiting.keys()]) follower.wake();
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
      follower.onWake = () => {
        this.#waiting.delete(follower);
        follower.onWake = undefined;
        resolve('woken');
      };
    });
  }

  /** Requests that wait behind the end of the log before would never know: the number of its end may be the same. */
  #replaceLog(end: Cursor): void {
    this.#tail = end;
    void this.#tell((waiting) => waiting.reject(foreignCursor()));
  }

  async #look(): Promise<void> {
    let delay = interval;
    do {
      await new Promise<void>((resolve) => clock.later(resolve, delay));
      delay = interval;
      try {
        await this.#giveOut();
      } catch (error) {
        if (isCode(error, 'unavailable')) delay = longInterval;
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

  /** Tells all that wait now, some in each turn. */
  async #tell(tell: (waiting: Waiting) => void): Promise<void> {
    let told = 0;
    for (const follower of [...this.#waiting.keys()]) {
      const waiting = this.#waiting.get(follower);
      if (waiting === undefined) continue;
      this.#waiting.delete(follower);
      follower.onWake = undefined;
      tell(waiting);
      told += 1;
      if (told % toldAtOnce === 0) await nextTurn();
    }
  }
}
