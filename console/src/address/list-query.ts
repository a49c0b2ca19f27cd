/** What the API is asked for by the address of a list. */
import type { ListQuery } from '../schema/kinds.ts';
import type { ListAddress } from './address.ts';

/** Wherever in the list one is, and in whatever order. What the list can't be asked for is for the service to refuse. */
export function conditionsOf({ search, filters }: ListAddress): ListQuery {
  const trimmed = search.trim();
  return { ...(filters as object), ...(trimmed === '' ? {} : { search: trimmed }) };
}

/** In its order. */
export const orderedQueryOf = (list: ListAddress): ListQuery => ({
  ...conditionsOf(list),
  ...(list.sort === '' ? {} : { sort: list.sort as NonNullable<ListQuery['sort']> }),
});
