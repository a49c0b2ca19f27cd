/** When a failed attempt is repeated (Standard Webhooks 1.0.0). */

/** The state of a message's attempts. */
export interface Retry {
  /** Attempts that failed. */
  readonly tries: number;
  /** The time of the next attempt, in ms since 1970. */
  readonly due: number;
}

export const untried: Retry = { tries: 0, due: 0 };

/** In seconds: the time before each attempt, give or take `jitter`. */
const waits = [0, 5, 300, 1800, 7200, 18_000, 36_000, 50_400, 72_000, 86_400];
const jitter = 0.1;
const longest = 1000 * 86_400 * (1 + jitter);

export const maxTries = waits.length;

/** @param tries that have failed @param asked in ms: the delay that the receiver asks for */
export function planRetry(tries: number, now: number, asked = 0): Retry {
  const seconds = waits[Math.min(tries, maxTries - 1)] ?? 0;
  const wait = seconds * 1000 * (1 + jitter * (2 * Math.random() - 1));
  return { tries, due: now + Math.max(wait, asked) };
}

/** A clock that was set back delays an attempt by no more than the schedule. */
export const isDue = ({ due }: Retry, now: number): boolean => due <= now || due - now > longest;
