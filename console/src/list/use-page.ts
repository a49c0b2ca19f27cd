import { type Cursor, type ListAddress, usualSize } from '../address/address.ts';
import { type Answer, useAnswer } from '../answers/use-answer.ts';
import { countResources, listResources, type Page } from '../api/directory.ts';
import type { KindName, ListQuery } from '../schema/kinds.ts';

/** What the list is asked for, wherever in it one is and in whatever order. What it can't be is for the service to refuse. */
export function conditionsOf({ search, filters }: ListAddress): ListQuery {
  const trimmed = search.trim();
  return { ...(filters as object), ...(trimmed === '' ? {} : { search: trimmed }) };
}

const queryOf = (list: ListAddress): ListQuery => ({
  ...conditionsOf(list),
  ...(list.sort === '' ? {} : { sort: list.sort as NonNullable<ListQuery['sort']> }),
  limit: list.size ?? usualSize,
  ...placeOf(list.cursor),
});

const placeOf = ({ position: _position, ...place }: Cursor) => place;

export const usePage = (kind: KindName, list: ListAddress): Answer<Page> =>
  useAnswer({ kind, query: queryOf(list) }, listResources);

/** Apart from the page, which must not wait for it. */
export const useTotal = (kind: KindName, list: ListAddress): Answer<number> =>
  useAnswer({ kind, query: conditionsOf(list) }, countResources);
