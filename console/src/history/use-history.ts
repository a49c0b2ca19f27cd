import { useEffect, useState } from 'preact/hooks';
import type { Change, HistoryPage } from '../api/changes.ts';
import type { Outcome } from '../api/directory.ts';
import type { Failure } from '../api/failure.ts';
import { useStoppable } from '../parts/running.tsx';

interface Loaded {
  readonly changes: readonly Change[];
  /** Where older changes begin; undefined when there are none. */
  readonly next: string | undefined;
  readonly failure: Failure | undefined;
}

export interface History extends Loaded {
  readonly isBusy: boolean;
  showMore(): void;
  /** From the newest on. */
  again(): void;
}

type Ask = (after: string | undefined, signal: AbortSignal) => Promise<Outcome<HistoryPage>>;

const nothing: Loaded = { changes: [], next: undefined, failure: undefined };

/** Pages without a change that are passed over until a person says to go on: filters may leave out all of a page. */
const maxEmpty = 10;

async function readOn(ask: Ask, before: Loaded, signal: AbortSignal): Promise<Loaded> {
  let { next } = before;
  for (let pages = 1; ; pages++) {
    const outcome = await ask(next, signal);
    if (!outcome.ok) {
      // The log that the place belongs to has been replaced, by a backup for instance.
      if (outcome.failure.status === 410 && next !== undefined) return readOn(ask, nothing, signal);
      return { ...before, failure: outcome.failure };
    }
    const { changes, more } = outcome.value;
    next = more ? outcome.value.next : undefined;
    if (changes.length > 0 || next === undefined || pages === maxEmpty)
      return { changes: [...before.changes, ...changes], next, failure: undefined };
  }
}

/** @param key identifies the question: another key starts again */
export function useHistory(key: string, ask: Ask): History {
  const [state, setState] = useState<Loaded & { readonly isBusy: boolean }>({ ...nothing, isBusy: true });
  const { begin } = useStoppable();
  const load = async (before: Loaded) => {
    const signal = begin();
    setState({ ...before, failure: undefined, isBusy: true });
    const loaded = await readOn(ask, before, signal);
    if (!signal.aborted) setState({ ...loaded, isBusy: false });
  };
  useEffect(() => {
    load(nothing);
  }, [key]);
  return { ...state, showMore: () => load(state), again: () => load(nothing) };
}
