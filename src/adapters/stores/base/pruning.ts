/** Removes entries of a change log that are no longer kept, in the background. */
import type { ChangeLog } from '../../../domain/changes/log.ts';
import { messageOf } from '../../system/errors.ts';

export interface LogSettings {
  /** In days: how long the feed has an entry. 0: nothing is logged. */
  readonly retention: number;
  /** In days; 0: as `retention`. */
  readonly historyRetention: number;
  /** All entries together. */
  readonly maxBytes: number;
}

const day = 24 * 60 * 60 * 1000;

/** In ms: writers of a store share its log, so some entries may be removed a little late. */
const usualInterval = 30_000;

/** The first step comes within so many intervals, by chance: processes that start together don't all read the log at once. */
const firstWithin = 10;

/** In ms: between two steps, so that the writes of others come first. */
const pause = 50;

/**
 * Prunes at regular times until it is stopped; the timers keep no process alive. Several processes may prune one log.
 * @param onProblem called with a line for the log @param interval in ms
 * @returns stops it, and resolves when the log is left alone
 */
export function keepPruned(
  log: ChangeLog,
  { retention, historyRetention, maxBytes }: LogSettings,
  onProblem: (problem: string) => void,
  interval: number = usualInterval,
): () => Promise<void> {
  let isStopped = false;
  let step: Promise<void> = Promise.resolve();
  const plan = (delay: number): NodeJS.Timeout =>
    setTimeout(() => {
      step = prune();
    }, delay).unref();
  async function prune(): Promise<void> {
    const now = Date.now();
    const feedFrom = now - retention * day;
    const historyFrom = now - Math.max(retention, historyRetention) * day;
    let hasMore = false;
    try {
      hasMore = await log.prune({ now, feedFrom, historyFrom, maxBytes });
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
