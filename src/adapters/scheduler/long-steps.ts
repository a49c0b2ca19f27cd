/** Long steps on a shared resource, such as a store's writer: each client rests between its own steps. */
import { clock } from './clock.ts';
import { type EventLoopScheduler, eventLoop } from './event-loop.ts';
import { Slots } from './slots.ts';

/** A client rests as long as its step took, and this many times as long if others wrote meanwhile. */
const restBesideOthers = 3;

/** Concurrent steps, of different clients. */
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
 * A write of this many ids takes a store's writer, which serves all clients in the order of their writes, for 0.35 ms: as long as three
 * creations. Three hundred concurrent writes of 999 ids delayed the writes of other clients by a second.
 */
const manyIds = 50;

const longWrites = new LongSteps();

/** Runs a write of several ids, through any API. A write of many ids is a long step of its client. */
export const writeIds = <T>(client: string, ids: number, write: () => Promise<T>): Promise<T> =>
  ids < manyIds ? write() : longWrites.run(client, write);
