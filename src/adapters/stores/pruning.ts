/** Removes entries of a change log that are no longer kept, in the background. */
import type { ChangeLog } from '../../domain/changes/log.ts';
import { messageOf } from '../system/errors.ts';
import { repeat } from './repeat.ts';
import { type Clocks, day, describeLead, SteadyClock, systemClocks } from './steady-clock.ts';

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

/** The function prunes once, and returns whether there is more to remove. */
function makeStep(
  log: ChangeLog,
  { retention, historyRetention, maxBytes }: LogSettings,
  onProblem: (problem: string) => void,
  clocks: Clocks,
): () => Promise<boolean> {
  const clock = new SteadyClock(clocks, log);
  let isTold = false;
  return async () => {
    await clock.compare();
    const { now, lead } = clock.read();
    const feedFrom = now - retention * day;
    const historyFrom = now - Math.max(retention, historyRetention) * day;
    const byAge = lead > 0 ? { feedFrom: 0, historyFrom: 0 } : { feedFrom, historyFrom };
    const hasMore = await log.prune({ now, ...byAge, maxBytes });
    const keepsOld = lead > 0 && ((await log.measure()).oldest ?? now) < feedFrom;
    if (keepsOld && !isTold)
      onProblem(describeLead(lead, 'no entry of the change log is removed by its age'));
    isTold = keepsOld;
    return hasMore;
  };
}

/**
 * Prunes at regular times until it is stopped. Several processes may prune one log.
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
  return repeat(interval * firstWithin * Math.random(), async (signal) => {
    try {
      return (await prune()) ? pause : interval;
    } catch (error) {
      if (!signal.aborted) onProblem(`the change log was not pruned: ${messageOf(error)}`);
      return interval;
    }
  });
}
