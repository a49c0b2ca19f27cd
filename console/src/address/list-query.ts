/** What the API is asked for by the address of a list. */
import { startOfDay } from '../language.ts';
import { type FilterName, isDay, type ListQuery } from '../schema/kinds.ts';
import { type ListAddress, usualSize } from './address.ts';

/** A day of the address stands for its beginning, or for its end. */
function toInstant(name: FilterName, value: string): string {
  return isDay(name) ? (startOfDay(value, name.endsWith('.to') ? 1 : 0) ?? value) : value;
}

/** In any place of the list and any order. The service refuses what it can't be asked for. */
export function conditionsOf({ search, filters }: ListAddress): ListQuery {
  const trimmed = search.trim();
  const values = Object.entries(filters).map(([name, value]) => [name, toInstant(name as FilterName, value)]);
  return { ...(Object.fromEntries(values) as object), ...(trimmed === '' ? {} : { search: trimmed }) };
}

/** In its order. */
export const orderedQueryOf = (list: ListAddress): ListQuery => ({
  ...conditionsOf(list),
  ...(list.sort === '' ? {} : { sort: list.sort as NonNullable<ListQuery['sort']> }),
});

/** Of the page that is shown. */
export function pageQueryOf(list: ListAddress): ListQuery {
  const { position: _position, ...place } = list.cursor;
  return { ...orderedQueryOf(list), limit: list.size ?? usualSize, ...place };
}
