/** Work in pieces of many requests at once. */

/** Lets one of those who wait go on in each turn of the event loop, so that however many there are, a turn is no longer than one piece. */
export class Turns {
  readonly #waiting: (() => void)[] = [];

  async wait(): Promise<void> {
    await new Promise<void>((resolve) => {
      this.#waiting.push(resolve);
      if (this.#waiting.length === 1) this.#plan();
    });
  }

  #plan(): void {
    setImmediate(() => {
      this.#waiting.shift()?.();
      if (this.#waiting.length > 0) this.#plan();
    });
  }
}

/** So many work at a time; the others wait in the order in which they came. */
export class Slots {
  #free: number;
  readonly #waiting: (() => void)[] = [];

  constructor(count: number) {
    this.#free = count;
  }

  async run<T>(work: () => Promise<T>): Promise<T> {
    const release = await this.#acquire();
    try {
      return await work();
    } finally {
      release();
    }
  }

  /** Resolves with the function that lets the next one in; to be called once. */
  async #acquire(): Promise<() => void> {
    if (this.#free > 0) this.#free -= 1;
    else await new Promise<void>((resolve) => this.#waiting.push(resolve));
    return () => this.#passOn();
  }

  #passOn(): void {
    const next = this.#waiting.shift();
    if (next === undefined) this.#free += 1;
    else next();
  }
}
