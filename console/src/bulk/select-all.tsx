import { useState } from 'preact/hooks';
import { readPages } from '../answers/read-pages.ts';
import { useStoppable } from '../parts/running.tsx';
import type { KindName, ListQuery } from '../schema/kinds.ts';
import { texts } from '../texts/texts.ts';
import type { Selection } from './selection.ts';

const words = texts.bulk;

/** The maximum number, since all are kept in memory, some 3 KB each. */
const maxSelected = 50_000;

interface SelectAllProps {
  readonly kind: KindName;
  /** The query of the list. */
  readonly query: ListQuery;
  /** The number of its matches. */
  readonly total: number;
  readonly selection: Selection;
}

/** Selects all matches of the list, on all pages. Later changes apply to exactly the versions that are read here. */
export function SelectAll({ kind, query, total, selection }: SelectAllProps) {
  const [isReading, setReading] = useState(false);
  const [failure, setFailure] = useState('');
  const { begin, stop } = useStoppable();
  const read = async () => {
    const signal = begin();
    setReading(true);
    setFailure('');
    try {
      // In the order of ids, in which no match is missed when others change.
      for await (const page of readPages(kind, query, signal)) selection.toggle(page, true);
    } catch (error) {
      if (!signal.aborted) setFailure(error instanceof Error ? error.message : String(error));
    }
    setReading(false);
  };
  if (total > maxSelected) return <span class="quiet">{words.tooMany(maxSelected)}</span>;
  return (
    <>
      {/* One button for both, which keeps the focus. The key that has begun it may still be down. */}
      <button
        type="button"
        class={isReading ? '' : 'plain'}
        onClick={isReading ? stop : read}
        onKeyDown={(event) => event.repeat && event.preventDefault()}
      >
        {isReading ? texts.page.stop : words.selectAll(total)}
      </button>
      {failure !== '' && <span role="alert">{failure}</span>}
    </>
  );
}
