/** Makes a page from the entries that a store has found. */

import type { Position } from '../../../domain/find/sorts.ts';
import type { Page, PageQuery, StoredResource } from '../../../domain/store.ts';

interface EntryReader<E> {
  read(entry: E): StoredResource;
  /** Its place in the list. */
  placeOf(entry: E): Position;
}

/** @param found in the direction of reading; one more than the page has, if others follow */
export function toPage<E extends { readonly text: string }>(
  found: readonly E[],
  { limit, before, maxLength = Number.POSITIVE_INFINITY }: PageQuery,
  { read, placeOf }: EntryReader<E>,
): Page {
  const entries = found.slice(0, limit);
  if (before !== undefined) entries.reverse();
  let [length, end] = [0, 0];
  while (end < entries.length && length < maxLength) length += entries[end++]?.text.length ?? 0;
  const [first, last] = [entries[0], entries.at(-1)];
  return {
    items: entries.slice(0, end).map(read),
    ...(end < entries.length && { rest: entries.slice(end).map((entry) => placeOf(entry).id) }),
    first: first && placeOf(first),
    last: last && placeOf(last),
    more: found.length > limit,
  };
}
