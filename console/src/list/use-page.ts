import { useCallback, useEffect, useState } from 'preact/hooks';
import type { ListAddress } from '../address/address.ts';
import { countUsers, type ListQuery, listUsers, type Outcome, type Page } from '../api/directory.ts';
import type { Failure } from '../api/failure.ts';

/** Users of a page. */
export const pageSize = 50;

/** What the list is asked for, wherever in it one is and in whatever order. */
function conditionsOf({ search, filters }: ListAddress): ListQuery {
  const { active, ...texts } = filters;
  const trimmed = search.trim();
  return {
    ...(trimmed === '' ? {} : { search: trimmed }),
    ...texts,
    // Any other word is for the service to refuse.
    ...(active === undefined ? {} : { active: active as unknown as boolean }),
  };
}

const queryOf = (list: ListAddress): ListQuery => ({
  ...conditionsOf(list),
  ...(list.sort === '' ? {} : { sort: list.sort as NonNullable<ListQuery['sort']> }),
  limit: pageSize,
  ...list.cursor,
});

export interface Asked<T> {
  /** The last answer that there was; while the next one is awaited that of before. */
  readonly value: T | undefined;
  readonly failure: Failure | undefined;
  readonly isBusy: boolean;
}

/**
 * Asks anew whenever the question is another one, and on `again`. An answer that comes when another question has been asked is
 * dropped. @param question decides, as JSON
 */
export function useAnswer<Q, T>(
  question: Q,
  ask: (question: Q, signal: AbortSignal) => Promise<Outcome<T>>,
): Asked<T> & { readonly again: () => void } {
  const key = JSON.stringify(question);
  const [state, setState] = useState<Asked<T>>({ value: undefined, failure: undefined, isBusy: true });
  const [round, setRound] = useState(0);
  useEffect(() => {
    const controller = new AbortController();
    setState((before) => ({ ...before, isBusy: true }));
    ask(question, controller.signal).then((outcome) => {
      if (controller.signal.aborted) return;
      setState((before) =>
        outcome.ok
          ? { value: outcome.value, failure: undefined, isBusy: false }
          : { value: before.value, failure: outcome.failure, isBusy: false },
      );
    });
    return () => controller.abort();
  }, [key, round]);
  const again = useCallback(() => setRound((before) => before + 1), []);
  return { ...state, again };
}

export const usePage = (list: ListAddress): Asked<Page> & { readonly again: () => void } =>
  useAnswer(queryOf(list), listUsers);

/** Apart from the page, which must not wait for it. */
export const useTotal = (list: ListAddress): Asked<number> & { readonly again: () => void } =>
  useAnswer(conditionsOf(list), countUsers);
