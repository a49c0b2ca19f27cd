/** Steps that take a shared resource, such as a store's writer, for long: each client rests between its own. */
import { clock } from './clock.ts';
import { type EventLoopScheduler, eventLoop } from './event-loop.ts';
import { Slots } from './slots.ts';

/** A client rests as long as its step took; where others wrote meanwhile, so many times as long. */
const restBesideOthers = 3;

/** Steps at a time, of different clients. */
const atOnce = 2;

export class LongSteps {
  readonly #slots = new Slots(atOnce);
  /** The end of the rest after each client's last step. */
  readonly #rests = new Map<string, Promise<void>>();
  readonly #writes: Pick<EventLoopScheduler, 'hasBegunOther'>;

  constructor(writes: Pick<EventLoopScheduler, 'hasBegunOther'> = eventLoop) {
    this.#writes = writes;
  }

  /** Runs the client's steps one at a time, in their order. The result doesn't wait for the rest. */
  async run<T>(client: string, step: () => Promise<T>): Promise<T> {
    const before = this.#rests.get(client);
    const { promise: rest, resolve: endRest } = Promise.withResolvers<void>();
    this.#rests.set(client, rest);
    await before;
    const start = clock.now();
    try {
      return await this.#slots.run(client, step);
    } finally {
      void this.#rest(client, start).then(() => {
        if (this.#rests.get(client) === rest) this.#rests.delete(client);
        endRest();
      });
    }
  }

  async #rest(client: string, start: number): Promise<void> {
    const times = this.#writes.hasBegunOther(client, start) ? restBesideOthers : 1;
    await new Promise<void>((resolve) => clock.later(resolve, times * (clock.now() - start)));
  }
}

/**
 * So many ids take a store's writer, which serves all clients in the order of their writes, as long as three creations of users: 0.35 ms.
 * Three hundred PATCHes of 999 ids at a time had the writes of others wait for a second.
 */
const manyMembers = 50;

const membersChanges = new LongSteps();

/** Runs a change of members, by whichever API; those of many ids as long steps of the client. */
export const changeMembers = <T>(client: string, ids: number, change: () => Promise<T>): Promise<T> =>
  ids < manyMembers ? change() : membersChanges.run(client, change);
