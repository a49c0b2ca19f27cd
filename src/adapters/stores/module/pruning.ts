/** Removes entries of a change log that are no longer kept, in the background. */

import type { ChangeLog } from '../../../domain/changes/log.ts';
import { describeCount } from '../../../domain/validation/describe-count.ts';
import { messageOf } from '../../system/errors.ts';
import { type Clocks, day, hour, SteadyClock, systemClocks } from './steady-clock.ts';

export interface LogSettings {
  /** In days: how long the feed has an entry. 0: nothing is logged. */
  readonly retention: number;
  /** In days; 0: as `retention`. */
  readonly historyRetention: number;
  /** All entries together. */
  readonly maxBytes: number;
}

/** In ms: writers of a store share its log, so some entries may be removed a little late. */
const usualInterval = 30_000;

/** The first step comes within so many intervals, by chance: processes that start together don't all read the log at once. */
const firstWithin = 10;

/** In ms: between two steps, so that the writes of others come first. */
const pause = 50;

/**
 * Looks for the time before the entries at the end of the log that are dated within the last hour, when the clock may have been set. There may be
 * millions of them, so it bisects the log. @returns that of the last entry before them, or of the newest if there is no other
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

/** @returns prunes once: whether there is more to remove */
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
