/**
 * Limits how many requests use memory or threads at a time, and shares these places between clients (principals). Requests without a place get
 * 503 with `Retry-After`: `http/pipeline/overload.ts`.
 */

interface Client {
  held: number;
  readonly waiting: ((release: () => void) => void)[];
}

/**
 * A client gets another slot only while more slots are free than it holds (dynamic thresholds, as switches share their buffers): a single
 * client takes up to half of them, so that others find one free. Requests of a client wait in the order in which they came; clients take turns. A
 * client that neither holds a slot nor waits for one is forgotten.
 */
export class Slots {
  #free: number;
  #waiting = 0;
  readonly #clients = new Map<string, Client>();

  constructor(count: number) {
    this.#free = count;
  }

  /** Waits for a slot. @returns the function that gives it back; calling it again does nothing */
  acquire(client: string): Promise<() => void> {
    return new Promise((resolve) => {
      const known = this.#clients.get(client) ?? { held: 0, waiting: [] };
      this.#clients.set(client, known);
      known.waiting.push(resolve);
      this.#waiting += 1;
      this.#grant();
    });
  }

  /** Does not wait. @returns as `acquire`; undefined if there is no slot for this client */
  take(client: string): (() => void) | undefined {
    const known = this.#clients.get(client) ?? { held: 0, waiting: [] };
    return known.held < this.#free ? this.#hold(client, known) : undefined;
  }

  async run<T>(client: string, work: () => Promise<T>): Promise<T> {
    const release = await this.acquire(client);
    try {
      return await work();
    } finally {
      release();
    }
  }

  #grant(): void {
    if (this.#waiting === 0) return;
    for (const [name, client] of this.#clients) {
      if (client.held >= this.#free) continue;
      const resume = client.waiting.shift();
      if (resume === undefined) continue;
      this.#waiting -= 1;
      resume(this.#hold(name, client));
    }
  }

  #hold(name: string, client: Client): () => void {
    this.#clients.delete(name);
    this.#clients.set(name, client);
    client.held += 1;
    this.#free -= 1;
    let isHeld = true;
    return () => {
      if (!isHeld) return;
      isHeld = false;
      this.#release(name, client);
    };
  }

  #release(name: string, client: Client): void {
    client.held -= 1;
    this.#free += 1;
    this.#clients.delete(name);
    if (client.held + client.waiting.length > 0) this.#clients.set(name, client);
    this.#grant();
  }
}

/** Calls while the work runs share its result, so that callers can't multiply it. */
export function shareRuns<T>(run: () => Promise<T>): () => Promise<T> {
  let running: Promise<T> | undefined;
  return () => {
    running ??= run().finally(() => (running = undefined));
    return running;
  };
}
