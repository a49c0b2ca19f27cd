import { useCallback, useEffect, useState } from 'preact/hooks';
import type { Outcome } from '../api/client.ts';
import type { Failure } from '../api/failure.ts';

export interface Asked<T> {
  /** The latest answer. It stays while the next one is awaited, and when the same question fails; when another question fails, it is removed. */
  readonly value: T | undefined;
  readonly failure: Failure | undefined;
  readonly isBusy: boolean;
}

/** An answer that can be requested again. */
type Answer<T> = Asked<T> & { readonly again: () => void };

const nothing = { value: undefined, answered: undefined, failure: undefined, isBusy: false };

/** The keys of the latest question, and of the one that the value answers. */
interface State<T> extends Asked<T> {
  readonly asked: string | undefined;
  readonly answered: string | undefined;
}

/**
 * Requests an answer whenever the question changes, and on `again`. An answer to an earlier question is
 * dropped. @param question compared as JSON; undefined: no request
 */
export function useAnswer<Q, T>(
  question: Q | undefined,
  ask: (question: Q, signal: AbortSignal) => Promise<Outcome<T>>,
): Answer<T> {
  const key = JSON.stringify(question);
  const [{ asked, answered: _answered, ...state }, setState] = useState<State<T>>({
    ...nothing,
    asked: key,
    isBusy: question !== undefined,
  });
  const [round, setRound] = useState(0);
  useEffect(() => {
    if (question === undefined) {
      setState({ ...nothing, asked: key });
      return;
    }
    const controller = new AbortController();
    setState((before) => ({ ...before, asked: key, isBusy: true }));
    ask(question, controller.signal).then((outcome) => {
      if (controller.signal.aborted) return;
      setState((before) =>
        outcome.ok
          ? { ...nothing, asked: key, value: outcome.value, answered: key }
          : {
              ...(before.answered === key ? before : nothing),
              asked: key,
              failure: outcome.failure,
              isBusy: false,
            },
      );
    });
    return () => controller.abort();
  }, [key, round]);
  const again = useCallback(() => setRound((before) => before + 1), []);
  // The effect that sends the request runs after the first drawing with the new question.
  return { ...state, isBusy: state.isBusy || asked !== key, again };
}
