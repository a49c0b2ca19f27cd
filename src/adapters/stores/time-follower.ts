/** Follows time in the background: writes due changes at regular times (domain/follow-time.ts). */
import { followTime, type TimeParts } from '../../domain/follow-time.ts';
import { messageOf } from '../system/errors.ts';
import { repeat } from './repeat.ts';
import { type Clocks, describeLead, SteadyClock, systemClocks } from './steady-clock.ts';

/** In ms: half of the five seconds by which a change may be late, so that the writes have time, too. */
const usualInterval = 2500;

/** In ms: the least time that other writers have between two batches. */
const leastPause = 5;

export interface TimeFollower {
  /** The time; undefined while the clock is in doubt. */
  now(): Date | undefined;
  /** Looks at regular times from now on. */
  start(): void;
  /** Resolves when nothing is being written any more. */
  stop(): Promise<void>;
}

interface FollowerOptions {
  /** Called with a line for the log. */
  readonly onProblem: (problem: string) => void;
  /** In ms. */
  readonly interval?: number;
  readonly clocks?: Clocks;
}

/** Several processes may follow time on one store. */
export function timeFollower(
  parts: Omit<TimeParts, 'clock'>,
  { onProblem, interval = usualInterval, clocks = systemClocks }: FollowerOptions,
): TimeFollower {
  const clock = new SteadyClock(clocks, parts.store.changes);
  let [isCompared, isTold] = [false, false];
  let stop = async (): Promise<void> => {};

  function now(): Date | undefined {
    const { now: time, lead } = clock.read();
    return isCompared && lead === 0 ? new Date(time) : undefined;
  }

  function tellLead(): void {
    const { lead } = clock.read();
    if (lead > 0 && !isTold) onProblem(describeLead(lead, 'no user begins or ends by validity'));
    isTold = lead > 0;
  }

  async function compare(): Promise<void> {
    await clock.compare();
    isCompared = true;
  }

  /** @returns in ms: the time until the next batch. Others write for at least as long as this batch took. */
  async function follow(signal: AbortSignal): Promise<number> {
    const began = clocks.elapsed();
    try {
      await compare();
      tellLead();
      const hasMore = await followTime({ ...parts, clock: { now } });
      return hasMore ? Math.max(leastPause, clocks.elapsed() - began) : interval;
    } catch (error) {
      if (!signal.aborted) onProblem(`no user began or ended by validity: ${messageOf(error)}`);
      return interval;
    }
  }

  return {
    now,
    // At a random time: processes that start together don't all write the same batch.
    start() {
      // Writes of clients need the time at once. If this fails, the first look compares.
      compare().catch(() => undefined);
      stop = repeat(interval * Math.random(), follow);
    },
    stop: () => stop(),
  };
}
