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
