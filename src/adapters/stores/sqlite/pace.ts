/** How much of a query is done before others get their turn. */

/** In milliseconds: what a step should take. Several queries take their steps one after the other, in a turn each. */
const longest = 3;
const shortest = 1;

const mostUsers = 500;
/** Users may be a hundred times as large as most are. */
const leastUsers = 5;

/** The number of users in a step follows from how long the step before took. */
export class Pace {
  users: number;
  readonly #most: number;

  /** @param first users in the first step @param most users in any */
  constructor(first = mostUsers, most = first) {
    this.users = first;
    this.#most = most;
  }

  /** Of a step with that many users. */
  measure<T>(step: () => T): T {
    const start = performance.now();
    const result = step();
    const ms = performance.now() - start;
    if (ms > longest) this.users = Math.max(leastUsers, Math.floor(this.users / 2));
    else if (ms < shortest) this.users = Math.min(this.#most, this.users * 2);
    return result;
  }
}
