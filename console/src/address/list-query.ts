/** The query of the API for the address of a list. */
import { startOfDay } from '../language.ts';
import { takes } from '../schema/filters.ts';
import { days, type FilterName, type KindName, type ListQuery } from '../schema/kinds.ts';
import { usualSortOf } from '../schema/load-fields.ts';
import { type ListAddress, usualSize } from './address.ts';

/** Turns a day in the address into its beginning or its end. */
function toInstant(name: FilterName, value: string | readonly string[] | undefined): typeof value {
  if (takes(name) !== 'day' || typeof value !== 'string') return value;
  const start = startOfDay(value, name.endsWith('.to') ? 1 : 0);
  // Who is valid until a day ends when the next one begins.
  const isEnd = days[name.split('.')[0] ?? ''] === 'end';
  return start === undefined ? value : new Date(Date.parse(start) + Number(isEnd)).toISOString();
}

/** Without position and order. The service refuses invalid filters. */
export function conditionsOf({ search, filters }: ListAddress): ListQuery {
  const trimmed = search.trim();
  const values = Object.entries(filters).map(([name, value]) => [name, toInstant(name as FilterName, value)]);
  return { ...(Object.fromEntries(values) as object), ...(trimmed === '' ? {} : { search: trimmed }) };
}

/** With its order. */
export const orderedQueryOf = (kind: KindName, list: ListAddress): ListQuery => ({
  ...conditionsOf(list),
  sort: (list.sort || usualSortOf(kind)) as NonNullable<ListQuery['sort']>,
});

/** With the position of the shown page. */
export function pageQueryOf(kind: KindName, list: ListAddress): ListQuery {
  const { position: _position, ...place } = list.cursor;
  return { ...orderedQueryOf(kind, list), limit: list.size ?? usualSize, ...place };
}
