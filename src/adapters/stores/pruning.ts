/** Removes entries of a change log that are no longer kept, in the background. */
import type { ChangeLog } from '../../domain/changes/log.ts';
import { describeCount } from '../../domain/validation/describe-count.ts';
import { messageOf } from '../system/errors.ts';

export interface LogSettings {
  /** In days: how long the feed has an entry. 0: nothing is logged. */
  readonly retention: number;
  /** In days; 0: as `retention`. */
  readonly historyRetention: number;
  /** The maximum size of all entries. */
  readonly maxBytes: number;
}

/** In ms. Entries may be removed later by this time. */
const usualInterval = 30_000;

/** The first step comes at a random time within so many intervals: processes that start together don't all read the log at once. */
const firstWithin = 10;

/** In ms: between two steps, so that the writes of others come first. */
const pause = 50;

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

/** A clock that moves by less in an hour is steady: time services slew it. */
const tolerance = minute;

interface Clocks {
  /** In ms since 1970: the system's clock. */
  wall(): number;
  /** In ms, from any origin. It is never set, but stands still while the machine sleeps. */
  elapsed(): number;
}

const systemClocks: Clocks = { wall: () => Date.now(), elapsed: () => performance.now() };

/**
 * The system's clock, which is checked before entries are removed by their age: set a year ahead for a minute, it would empty the log. So it is
 * compared with a clock that is never set. A lead of more than a day counts only after the clock has been steady for an hour.
 */
class SteadyClock {
  readonly #clocks: Clocks;
  /** The offset between the system's clock and the other one, when it was last trusted and now; and the time since which it has been steady. */
  #trusted: number;
  #offset: number;
  #since: number;

  constructor(clocks: Clocks) {
    this.#clocks = clocks;
    this.#since = clocks.elapsed();
    this.#offset = clocks.wall() - this.#since;
    this.#trusted = this.#offset;
  }

  /** @param time in ms since 1970, which has certainly been reached */
  distrustBeyond(time: number): void {
    this.#trusted = Math.min(this.#trusted, time - this.#clocks.elapsed());
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

const describeLead = (lead: number): string =>
  `the clock is ${describeCount(Math.floor(lead / day), 'day', 'days')} ahead of the last change, or of the time since the start: no entry of the change log is removed by its age until the clock has been steady for an hour`;

/** The function prunes once, and returns whether there is more to remove. */
function makeStep(
  log: ChangeLog,
  { retention, historyRetention, maxBytes }: LogSettings,
  onProblem: (problem: string) => void,
  clocks: Clocks,
): () => Promise<boolean> {
  const clock = new SteadyClock(clocks);
  let isCompared = false;
  let isTold = false;
  return async () => {
    if (!isCompared) clock.distrustBeyond(await timeBefore(clock.read().now, log));
    isCompared = true;
    const { now, lead } = clock.read();
    const feedFrom = now - retention * day;
    const historyFrom = now - Math.max(retention, historyRetention) * day;
    const byAge = lead > 0 ? { feedFrom: 0, historyFrom: 0 } : { feedFrom, historyFrom };
    const hasMore = await log.prune({ now, ...byAge, maxBytes });
    const keepsOld = lead > 0 && ((await log.measure()).oldest ?? now) < feedFrom;
    if (keepsOld && !isTold) onProblem(describeLead(lead));
    isTold = keepsOld;
    return hasMore;
  };
}

/**
 * Prunes at regular times until it is stopped; the timers keep no process alive. Several processes may prune one log.
 * @param onProblem called with a line for the log @param interval in ms
 * @returns stops it, and resolves when the log is left alone
 */
export function keepPruned(
  log: ChangeLog,
  settings: LogSettings,
  onProblem: (problem: string) => void,
  interval: number = usualInterval,
  clocks: Clocks = systemClocks,
): () => Promise<void> {
  const prune = makeStep(log, settings, onProblem, clocks);
  let isStopped = false;
  let step: Promise<void> = Promise.resolve();
  const plan = (delay: number): NodeJS.Timeout =>
    setTimeout(() => {
      step = run();
    }, delay).unref();
  async function run(): Promise<void> {
    let hasMore = false;
    try {
      hasMore = await prune();
    } catch (error) {
      if (!isStopped) onProblem(`the change log was not pruned: ${messageOf(error)}`);
    }
    if (!isStopped) timer = plan(hasMore ? pause : interval);
  }
  let timer = plan(interval * firstWithin * Math.random());
  return async () => {
    isStopped = true;
    clearTimeout(timer);
    await step;
  };
}
