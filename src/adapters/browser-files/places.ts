/** Requests at a time: as many as a browser opens connections to one host (HTTP/1.1). */
const most = 6;

/** Limits how many run at a time; the others wait in line. */
export class Places {
  #free = most;
  readonly #line: (() => void)[] = [];

  async take<T>(run: () => Promise<T>): Promise<T> {
    if (this.#free === 0) await new Promise<void>((resolve) => this.#line.push(resolve));
    else this.#free -= 1;
    try {
      return await run();
    } finally {
      const next = this.#line.shift();
      if (next === undefined) this.#free += 1;
      else next();
    }
  }
}
