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
