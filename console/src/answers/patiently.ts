/** Requests of long tasks: they wait as long as the service asks for. */
import type { Outcome } from '../api/client.ts';
import type { Failure } from '../api/failure.ts';
import { texts } from '../texts/texts.ts';
import { mayPass, summarizeFailure } from './failure-words.ts';

/** Attempts while the service is overloaded or does not answer: some minutes. */
const usualRounds = 10;
/** In seconds, if the service does not say how long to wait. */
const longestPause = 30;

/** Resolves after the seconds, or at once when the signal is aborted. */
const pause = (seconds: number, signal: AbortSignal): Promise<unknown> =>
  new Promise<void>((resolve) => {
    const end = () => {
      clearTimeout(timer);
      // Long work pauses often, with one signal.
      signal.removeEventListener('abort', end);
      resolve();
    };
    const timer = setTimeout(end, seconds * 1000);
    signal.addEventListener('abort', end);
    if (signal.aborted) end();
  });

/** The result of one attempt, or a failure, after which it may be repeated. */
export type Attempt<T> = { readonly came: T } | { readonly failure: Failure | undefined };

/**
 * Repeats the request until another attempt would not help.
 * @throws Error whose message explains the last failure; the signal's reason
 */
export async function patiently<T>(
  attempt: () => Promise<Attempt<T>>,
  signal: AbortSignal,
  maxRounds = usualRounds,
): Promise<T> {
  for (let round = 1; ; round++) {
    signal.throwIfAborted();
    const result = await attempt();
    if ('came' in result) return result.came;
    const { failure } = result;
    if ((failure !== undefined && !mayPass(failure)) || round === maxRounds)
      throw new Error(failure === undefined ? texts.failures.unanswered : summarizeFailure(failure));
    await pause(failure?.retryAfter ?? Math.min(longestPause, 2 ** (round - 1)), signal);
  }
}

/** Reads until there is an answer. @param absent statuses for a missing resource */
export const readPatiently = <T>(
  ask: () => Promise<Outcome<T>>,
  absent: readonly number[],
  signal: AbortSignal,
): Promise<T | undefined> =>
  patiently(async () => {
    const outcome = await ask();
    if (outcome.ok) return { came: outcome.value };
    return absent.includes(outcome.failure.status) ? { came: undefined } : { failure: outcome.failure };
  }, signal);

/** Tasks at a time, and the attempts for each. */
const [workers, taskRounds] = [4, 5];

/**
 * Attempts a task for each item. @param fail makes a result of the last failure
 * @param onResult called for each finished task, but not for those that a stopped run did not begin
 */
export async function runAll<T, R>(
  items: readonly T[],
  attempt: (item: T) => Promise<Attempt<R>>,
  fail: (item: T, reason: string) => R,
  signal: AbortSignal,
  onResult: (result: R) => void,
): Promise<void> {
  // All workers share the iterator; leaving one loop does not end it.
  const waiting = items.values();
  const work = async () => {
    for (const item of waiting)
      try {
        onResult(await patiently(() => attempt(item), signal, taskRounds));
      } catch (error) {
        if (signal.aborted) return;
        onResult(fail(item, String((error as Error).message)));
      }
  };
  await Promise.all(Array.from({ length: workers }, work));
}
