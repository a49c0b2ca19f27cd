/**
 * Long work: of one request, in slices between which other requests get their turn; and on a shared resource, such as a store's writer, in steps
 * between which their client rests.
 */
import { clock } from './clock.ts';
import { type EventLoopScheduler, eventLoop, sliceTime } from './event-loop.ts';
import { Slots } from './slots.ts';

/** The long work of one request. The first slice begins with the constructor. */
export class Slices {
  readonly #client: string;
  #end = clock.now() + sliceTime;

  constructor(client: string) {
    this.#client = client;
  }

  /** True if the current slice is over. */
  get isOver(): boolean {
    return clock.now() >= this.#end;
  }

  /** Lets others work when the slice is over. */
  async pause(): Promise<void> {
    if (this.isOver) await this.end();
  }

  /** Lets others work. */
  async end(): Promise<void> {
    await eventLoop.next(this.#client);
    this.#end = clock.now() + sliceTime;
  }

  /** Runs all steps, in as many slices as they need. Throws as they do. */
  async run<T>(steps: Generator<void, T, void>): Promise<T> {
    for (;;) {
      const step = steps.next();
      if (step.done) return step.value;
      if (this.isOver) await this.end();
    }
  }
}

/** A client rests as long as its step took, and this many times as long if others wrote meanwhile. */
const restBesideOthers = 3;

/** Concurrent steps, of different clients. */
const atOnce = 2;

/** Long steps on a shared resource. */
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
