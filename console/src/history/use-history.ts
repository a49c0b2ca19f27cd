import { useEffect, useState } from 'preact/hooks';
import type { Change, HistoryPage } from '../api/changes.ts';
import type { Outcome } from '../api/client.ts';
import type { Failure } from '../api/failure.ts';
import { useStoppable } from '../parts/running.tsx';

interface Loaded {
  readonly changes: readonly Change[];
  /** The cursor for older changes; undefined at the end. */
  readonly next: string | undefined;
  readonly failure: Failure | undefined;
}

export interface History extends Loaded {
  readonly isBusy: boolean;
  /** Whether it lacks changes that may have undone those in it. */
  readonly isFiltered?: boolean;
  showMore(): void;
  /** From the newest on. */
  again(): void;
}

type Ask = (after: string | undefined, signal: AbortSignal) => Promise<Outcome<HistoryPage>>;

const nothing: Loaded = { changes: [], next: undefined, failure: undefined };

/** The number of empty pages that are skipped until a person asks for more: filters may exclude all changes of a page. */
const maxEmpty = 10;

async function readOn(ask: Ask, before: Loaded, signal: AbortSignal): Promise<Loaded> {
  let { next } = before;
  for (let pages = 1; ; pages++) {
    const outcome = await ask(next, signal);
    if (!outcome.ok) {
      // The log of the cursor was replaced, for example by a backup.
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
