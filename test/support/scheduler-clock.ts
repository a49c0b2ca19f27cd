/**
 * A clock for the scheduler that counts work instead of time: it moves on by a fixed amount whenever it is read, which the scheduler and
 * its slices do after each step. So who works next is the same on every machine. Intervals never end.
 */
import { clock, delayResolution } from '../../src/adapters/scheduler/clock.ts';

export interface CountingClock {
  /** In ms: the event loop is late by so much from now on. */
  setDelay(ms: number): void;
  /** In ms. */
  pass(ms: number): void;
  /** Gives the process its own clock back. */
  restore(): void;
}

/** @param perReading in ms */
export function countWork(perReading: number): CountingClock {
  const own = { ...clock };
  let now = 0;
  let delay = 0;
  const nothing = () => true;
  Object.assign(clock, {
    now: () => {
      now += perReading;
      return now;
    },
    delays: () => ({
      get mean() {
        return (delay + delayResolution) * 1e6;
      },
      reset: nothing,
      enable: nothing,
    }),
    later: nothing,
  } satisfies typeof clock);
  return {
    setDelay(ms) {
      delay = ms;
    },
    pass(ms) {
      now += ms;
    },
    restore: () => Object.assign(clock, own),
  };
}

export interface SkippableClock {
  /** Lets time pass at once: what was to happen meanwhile happens now. @param ms as of the clock */
  skip(ms: number): void;
  restore(): void;
}

/** The real time, which a test can advance. */
export function skippableClock(): SkippableClock {
  const own = { ...clock };
  const planned = new Set<{ readonly at: number; readonly run: () => void }>();
  let skipped = 0;
  const now = (): number => own.now() + skipped;
  Object.assign(clock, {
    now,
    later(run: () => void, ms: number) {
      const one = { at: now() + ms, run };
      planned.add(one);
      own.later(() => {
        if (planned.delete(one)) run();
      }, ms);
    },
  });
  return {
    skip(ms) {
      skipped += ms;
      for (const one of [...planned]) if (one.at <= now() && planned.delete(one)) one.run();
    },
    restore: () => Object.assign(clock, own),
  };
}
