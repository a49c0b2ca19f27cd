import { clock } from './clock.ts';
import { eventLoop, sliceTime } from './event-loop.ts';

/** The long work of one request, in slices between which other requests get their turn. The first slice begins with the constructor. */
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
