/**
 * The clock for turns, slices, waits and intervals. There is one per process, like the event loop. Tests replace it, so that no schedule
 * depends on the speed of the machine.
 */
import { type IntervalHistogram, monitorEventLoopDelay } from 'node:perf_hooks';

/** In ms: how often Node looks at the event loop. A histogram of delays includes it. */
export const delayResolution = 20;

export interface SchedulerClock {
  /** In ms, from any origin. */
  now(): number;
  /** The delays of the event loop, in ns, from `enable` on. */
  delays(): Pick<IntervalHistogram, 'mean' | 'reset' | 'enable'>;
  /** Does not keep the process alive. @param ms from now */
  later(run: () => void, ms: number): void;
}

export const clock: SchedulerClock = {
  now: () => performance.now(),
  delays: () => monitorEventLoopDelay({ resolution: delayResolution }),
  later: (run, ms) => void setTimeout(run, ms).unref(),
};
