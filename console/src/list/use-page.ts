import { type Cursor, type ListAddress, usualSize } from '../address/address.ts';
import { conditionsOf, orderedQueryOf } from '../address/list-query.ts';
import { type Answer, useAnswer } from '../answers/use-answer.ts';
import { countResources, listResources, type Page } from '../api/directory.ts';
import type { KindName, ListQuery } from '../schema/kinds.ts';

const queryOf = (list: ListAddress): ListQuery => ({
  ...orderedQueryOf(list),
  limit: list.size ?? usualSize,
  ...placeOf(list.cursor),
});

const placeOf = ({ position: _position, ...place }: Cursor) => place;

export const usePage = (kind: KindName, list: ListAddress): Answer<Page> =>
  useAnswer({ kind, query: queryOf(list) }, listResources);

/** Apart from the page, which must not wait for it. */
export const useTotal = (kind: KindName, list: ListAddress): Answer<number> =>
  useAnswer({ kind, query: conditionsOf(list) }, countResources);
