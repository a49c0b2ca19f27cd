/** What the address says: the list, with all that it was asked for, and the user that is looked at. */

import type { paths } from '../contract.ts';

type ListQuery = NonNullable<paths['/users']['get']['parameters']['query']>;
/** `group` asks for no field, and takes a scope that the console doesn't ask for. */
type OtherParameter = 'search' | 'sort' | 'limit' | 'after' | 'before' | 'total' | 'group';

/** The filters of the API: an exact match of what stands in a field. */
export type FilterName = Exclude<keyof ListQuery, OtherParameter>;

/** What they are called. */
export const filterLabels: Readonly<Record<FilterName, string>> = {
  userName: 'User name',
  externalId: 'External ID',
  email: 'Email',
  active: 'Active',
  role: 'Role',
  department: 'Department',
  userType: 'User type',
};
export const filterNames = Object.keys(filterLabels) as readonly FilterName[];

/** A place in the list, as a link of the service has it. Empty: its beginning. */
export interface Cursor {
  readonly after?: string;
  readonly before?: string;
}

export interface ListAddress {
  readonly search: string;
  readonly filters: Readonly<Partial<Record<FilterName, string>>>;
  /** Empty: the order of the ids. */
  readonly sort: string;
  /** Paths such as `name.familyName`; left out: the usual ones. */
  readonly columns?: readonly string[];
  readonly cursor: Cursor;
}

export type View =
  | { readonly name: 'list' }
  | { readonly name: 'user'; readonly id: string }
  | { readonly name: 'new' };

export interface Address {
  readonly view: View;
  /** Stays while a user is looked at, so that the way back leads to the same place. */
  readonly list: ListAddress;
}

function readView(query: URLSearchParams): View {
  const id = query.get('user');
  if (id !== null && id !== '') return { name: 'user', id };
  return query.has('new') ? { name: 'new' } : { name: 'list' };
}

/** @param search as `location` has it */
export function readAddress(search: string): Address {
  const query = new URLSearchParams(search);
  const filters: Partial<Record<FilterName, string>> = {};
  for (const name of filterNames) {
    const value = query.get(name);
    if (value !== null && value !== '') filters[name] = value;
  }
  const columns =
    query
      .get('columns')
      ?.split(',')
      .filter((path) => path !== '') ?? [];
  const after = query.get('after');
  const before = query.get('before');
  return {
    view: readView(query),
    list: {
      search: query.get('search') ?? '',
      filters,
      sort: query.get('sort') ?? '',
      ...(columns.length > 0 ? { columns } : {}),
      cursor: { ...(after === null ? {} : { after }), ...(before === null ? {} : { before }) },
    },
  };
}

/** Relative to the page. */
export function printAddress({ view, list }: Address): string {
  const query = new URLSearchParams();
  if (view.name === 'user') query.set('user', view.id);
  if (view.name === 'new') query.set('new', '');
  if (list.search !== '') query.set('search', list.search);
  for (const [name, value] of Object.entries(list.filters)) query.set(name, value);
  if (list.sort !== '') query.set('sort', list.sort);
  if (list.columns !== undefined) query.set('columns', list.columns.join(','));
  for (const [name, value] of Object.entries(list.cursor)) query.set(name, value);
  return query.size === 0 ? './' : `./?${query}`;
}

/** Another list begins at its beginning. */
export const changeList = (list: ListAddress, change: Partial<ListAddress>): ListAddress => ({
  ...list,
  cursor: {},
  ...change,
});
