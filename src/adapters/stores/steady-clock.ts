/**
 * The system's clock, checked before any action that depends on it: a clock set a year ahead for a minute would empty the change log and end
 * users. So it is compared with a clock that is never set.
 */
import type { ChangeLog } from '../../domain/changes/log.ts';
import { describeCount } from '../../domain/validation/describe-count.ts';

const minute = 60_000;
const hour = 60 * minute;
export const day = 24 * hour;

/** A clock that moves by less in an hour is steady: time services slew it. */
const tolerance = minute;

export interface Clocks {
  /** In ms since 1970: the system's clock. */
  wall(): number;
  /** In ms, from any origin. It is never set, but stands still while the machine sleeps. */
  elapsed(): number;
}

export const systemClocks: Clocks = { wall: () => Date.now(), elapsed: () => performance.now() };

/** A lead of more than a day counts only after the clock has been steady for an hour. */
export class SteadyClock {
  readonly #clocks: Clocks;
  /** The offset between the system's clock and the other one, when it was last trusted and now; and the time since which it has been steady. */
  #trusted: number;
  #offset: number;
  #since: number;
  /** Until the clock is compared with it. */
  #log: ChangeLog | undefined;

  /** @param log whose entries show a clock that was ahead at the start */
  constructor(clocks: Clocks, log: ChangeLog | undefined) {
    [this.#clocks, this.#log] = [clocks, log];
    this.#since = clocks.elapsed();
    this.#offset = clocks.wall() - this.#since;
    this.#trusted = this.#offset;
  }

  /** Compares it with the log, once. To be called before the first `read` that counts. */
  async compare(): Promise<void> {
    if (this.#log === undefined) return;
    // A time that has certainly been reached.
    const time = await timeBefore(this.read().now, this.#log);
    this.#trusted = Math.min(this.#trusted, time - this.#clocks.elapsed());
    this.#log = undefined;
  }

  /** To be called at least every few minutes. @returns the time and its lead, in ms: 0 when the clock is trusted */
  read(): { readonly now: number; readonly lead: number } {
    const [now, elapsed] = [this.#clocks.wall(), this.#clocks.elapsed()];
    const offset = now - elapsed;
    if (Math.abs(offset - this.#offset) > tolerance) [this.#offset, this.#since] = [offset, elapsed];
    if (offset < this.#trusted || elapsed - this.#since >= hour) this.#trusted = offset;
    const lead = offset - this.#trusted;
    return { now, lead: lead > day ? lead : 0 };
  }
}

/**
 * Finds the time before the entries at the end of the log that are dated within the last hour, when the clock may have been set. There may be
 * millions of them, so it bisects the log.
 * @returns the time of the last entry before them, or of the newest entry if there is no other
 */
async function timeBefore(now: number, log: ChangeLog): Promise<number> {
  const { entries, end } = await log.history(1);
  let [time, old, recent] = [entries[0]?.at ?? now, 0, end.number];
  if (time <= now - hour) return time;
  while (recent - old > 1) {
    const number = Math.floor((old + recent) / 2);
    const [entry] = (await log.history(1, { ...end, number: number + 1 })).entries;
    if (entry && entry.at > now - hour) recent = entry.number;
    else [time, old] = [entry?.at ?? time, number];
  }
  return time;
}

/** @param held the actions that are postponed meanwhile */
export const describeLead = (lead: number, held: string): string =>
  `the clock is ${describeCount(Math.floor(lead / day), 'day', 'days')} ahead of the last change, or of the time since the start: ${held} until the clock has been steady for an hour`;
