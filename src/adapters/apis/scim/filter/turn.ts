/** Long work for one request in pieces, between which others get their turn. */
import { Turns } from '../../../turns.ts';

/** In milliseconds. */
const longest = 3;

/** Of all requests: several of them go on in a turn each. */
const turns = new Turns();

/** From its making on. */
export class Turn {
  #start = performance.now();

  /** Gives others theirs where this one has been long enough. */
  async pause(): Promise<void> {
    if (performance.now() - this.#start > longest) await this.end();
  }

  async end(): Promise<void> {
    await turns.wait();
    this.#start = performance.now();
  }
}
