import { useEffect, useRef, useState } from 'preact/hooks';
import { explain } from '../answers/failure-words.ts';
import { listResources } from '../api/directory.ts';
import type { Failure } from '../api/failure.ts';
import { pause } from '../parts/pause.ts';
import type { KindName, ListQuery, Resource } from '../schema/kinds.ts';
import { texts } from '../texts/texts.ts';
import type { Selection } from './selection.ts';

const words = texts.bulk;

/** All of them are held in memory, some 3 KB each. */
export const maxSelected = 50_000;
/** Asked for at a time: the most that the service sends. */
const pageSize = 1000;
/** How often a page is asked for, where the service has too much to do. */
const maxRounds = 5;

/** Reads all that a query finds, in the order of ids, in which nothing is missed. @returns what broke it off */
async function readAll(
  kind: KindName,
  query: ListQuery,
  signal: AbortSignal,
  take: (resources: readonly Resource[]) => void,
): Promise<Failure | undefined> {
  let after: string | undefined;
  for (let round = 1; !signal.aborted; ) {
    const place = after === undefined ? {} : { after };
    const page = await listResources({ kind, query: { ...query, limit: pageSize, ...place } }, signal);
    if (signal.aborted) return undefined;
    if (page.ok) {
      take(page.value.resources);
      after = page.value.links.next?.after;
      if (after === undefined) return undefined;
      round = 1;
    } else {
      if (page.failure.status !== 503 || round++ === maxRounds) return page.failure;
      await pause(page.failure.retryAfter ?? 1, signal);
    }
  }
  return undefined;
}

interface SelectAllProps {
  readonly kind: KindName;
  /** What the list is asked for. */
  readonly query: ListQuery;
  /** How many it finds. */
  readonly total: number;
  readonly selection: Selection;
}

/** Selects all that the list finds, on every page: exactly those that were read are changed later, and only as they were then. */
export function SelectAll({ kind, query, total, selection }: SelectAllProps) {
  const [isReading, setReading] = useState(false);
  const [failure, setFailure] = useState<Failure>();
  const controller = useRef(new AbortController());
  const key = JSON.stringify(query);
  // Another list than the one that is read.
  useEffect(() => () => controller.current.abort(), [key]);
  const read = async () => {
    controller.current = new AbortController();
    const { signal } = controller.current;
    setReading(true);
    setFailure(undefined);
    const broken = await readAll(kind, query, signal, (some) => selection.toggle(some, true));
    setReading(false);
    setFailure(broken);
  };
  if (isReading)
    return (
      <button type="button" onClick={() => controller.current.abort()}>
        {texts.parts.stop}
      </button>
    );
  return (
    <>
      <button type="button" class="plain" onClick={read}>
        {words.selectAll(total)}
      </button>
      {failure !== undefined && <span role="alert">{explain(failure).title}</span>}
    </>
  );
}
