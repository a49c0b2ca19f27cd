/**
 * The system's clock, as far as it may be trusted to remove what is old: one that is set a year ahead for a minute would empty the log. It is
 * compared with a clock that is never set. Where it leads by more than a day, it counts once it has been steady for an hour.
 */
const minute = 60_000;
export const hour = 60 * minute;
export const day = 24 * hour;

/** What it may move by in an hour, and still be steady: it is slewed. */
const tolerance = minute;

export interface Clocks {
  /** In ms since 1970: the system's clock. */
  wall(): number;
  /** In ms, from any origin: never set, but standing still while the machine sleeps. */
  elapsed(): number;
}

export const systemClocks: Clocks = { wall: () => Date.now(), elapsed: () => performance.now() };

export class SteadyClock {
  readonly #clocks: Clocks;
  /** Of the system's clock to the other: when it was last trusted, and since when it has not been set. */
  #trusted: number;
  #offset: number;
  #since: number;

  constructor(clocks: Clocks) {
    this.#clocks = clocks;
    this.#since = clocks.elapsed();
    this.#offset = clocks.wall() - this.#since;
    this.#trusted = this.#offset;
  }

  /** @param time that has passed for sure, in ms since 1970 */
  distrustBeyond(time: number): void {
    this.#trusted = Math.min(this.#trusted, time - this.#clocks.elapsed());
  }

  /** To be asked at least every few minutes. @returns the time, and how far it leads, in ms: 0 when it is trusted */
  read(): { readonly now: number; readonly lead: number } {
    const [now, elapsed] = [this.#clocks.wall(), this.#clocks.elapsed()];
    const offset = now - elapsed;
    if (Math.abs(offset - this.#offset) > tolerance) [this.#offset, this.#since] = [offset, elapsed];
    if (offset < this.#trusted || elapsed - this.#since >= hour) this.#trusted = offset;
    const lead = offset - this.#trusted;
    return { now, lead: lead > day ? lead : 0 };
  }
}
