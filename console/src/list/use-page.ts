import type { ListAddress } from '../address/address.ts';
import { type Answer, useAnswer } from '../answers/use-answer.ts';
import { countUsers, type ListQuery, listUsers, type Page } from '../api/directory.ts';

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

export const usePage = (list: ListAddress): Answer<Page> => useAnswer(queryOf(list), listUsers);

/** Apart from the page, which must not wait for it. */
export const useTotal = (list: ListAddress): Answer<number> => useAnswer(conditionsOf(list), countUsers);
