/**
 * Decides when requests without a body begin: in the turn of the event loop in which they arrive, as long as there is time in it. Clients take turns,
 * each with its oldest request, so that a client with hundreds of connections doesn't delay a client with a single request.
 */
import { clock } from './clock.ts';

/** In ms: the time for the requests of a turn, answers included. Then connections are read, and others begin. */
const turnTime = 1;

/**
 * This many requests begin in a turn before the first of them is answered. If they were answered one by one, clients would send their next requests
 * one by one, which costs as much as the rest of a small read.
 */
const begunTogether = 32;

interface Arrival {
  readonly begin: () => void;
  /** A time of the scheduler's clock. */
  readonly since: number;
}

class Arrivals {
  /** The client whose turn it is first. */
  readonly #clients = new Map<string, Arrival[]>();
  #isPlanned = false;
  /** In ms: the average time of a request in the last turn. */
  #cost = 0;

  /** @param begin called at the end of this turn of the event loop or later, after the earlier requests of the client */
  add(client: string, begin: () => void): void {
    const arrival = { begin, since: clock.now() };
    if (this.#clients.get(client)?.push(arrival) === undefined) this.#clients.set(client, [arrival]);
    this.#plan();
  }

  /** How long the client's next request has waited, in ms. */
  oldestWait(client: string): number {
    const first = this.#clients.get(client)?.[0];
    return first === undefined ? 0 : clock.now() - first.since;
  }

  #plan(): void {
    if (this.#isPlanned) return;
    this.#isPlanned = true;
    setImmediate(() => this.#beginSome());
  }

  #beginSome(): void {
    const start = clock.now();
    const most = Math.min(begunTogether, turnTime / this.#cost);
    let count = 0;
    do {
      this.#takeNext()?.begin();
      count += 1;
    } while (this.#clients.size > 0 && count < most && clock.now() < start + turnTime);
    // After all their microtasks, when they can't continue without waiting.
    queueMicrotask(() =>
      process.nextTick(() => {
        this.#cost = (clock.now() - start) / count;
        this.#isPlanned = false;
        if (this.#clients.size > 0) this.#plan();
      }),
    );
  }

  #takeNext(): Arrival | undefined {
    const [next] = this.#clients;
    if (next === undefined) return undefined;
    const [client, arrivals] = next;
    const first = arrivals.shift();
    if (arrivals.length > 0 && this.#clients.size === 1) return first;
    // At the end of the queue of clients.
    this.#clients.delete(client);
    if (arrivals.length > 0) this.#clients.set(client, arrivals);
    return first;
  }
}

/** One for the process, which has one event loop. */
export const arrivals = new Arrivals();
