/** What the address says: the list, with all that it was asked for, and the resource that is looked at. */
import { type FilterName, type KindName, kinds } from '../schema/kinds.ts';

/** A place in the list, as a link of the service has it. Empty: its beginning. */
export interface Cursor {
  readonly after?: string;
  readonly before?: string;
  /** How many stood in front of it when it was reached: a page after it begins behind them, one before it ends with them. */
  readonly position?: number;
}

/** A whole number of the address; undefined where it has none. */
function readNumber(query: URLSearchParams, name: string): number | undefined {
  const text = query.get(name) ?? '';
  return /^[1-9][0-9]{0,8}$/.test(text) ? Number(text) : undefined;
}

export function readCursor(query: URLSearchParams): Cursor {
  const after = query.get('after');
  const before = query.get('before');
  const position = readNumber(query, 'position');
  return {
    ...(after === null ? {} : { after }),
    ...(before === null ? {} : { before }),
    ...(position === undefined ? {} : { position }),
  };
}

export interface ListAddress {
  readonly search: string;
  readonly filters: Readonly<Partial<Record<FilterName, string>>>;
  /** Empty: the order of the ids. */
  readonly sort: string;
  /** Paths such as `name.familyName`; left out: the usual ones. */
  readonly columns?: readonly string[];
  /** Resources of a page; left out: `usualSize`. */
  readonly size?: number;
  readonly cursor: Cursor;
}

/** The service's limit. */
const maxSize = 1000;
export const usualSize = 50;

export const wholeList: ListAddress = { search: '', filters: {}, sort: '', cursor: {} };

/** What the page of a resource shows beside its form. */
export type Tab = 'history';

export type View =
  | { readonly name: 'list'; readonly kind: KindName }
  | { readonly name: 'new'; readonly kind: KindName }
  /** Without a tab: the form. */
  | { readonly name: 'one'; readonly kind: KindName; readonly id: string; readonly tab?: Tab };

export interface Address {
  readonly view: View;
  /** Of a group's members, on the group's page. Stays while a user is looked at, so that the way back leads to the same place. */
  readonly list: ListAddress;
  /** The dialog that is open. */
  readonly dialog?: string;
}

/** Users are at the console's address itself, groups below it. */
const paths: Readonly<Record<KindName, string>> = { user: './', group: './groups' };

/** The kind of what is in the list. */
const listedOn = (view: View): KindName => (view.name === 'one' ? 'user' : view.kind);

/** Views with the same key share a list: users have one, groups have one, and so have the members of each group. */
export const listKeyOf = (view: View): string =>
  view.name === 'one' && view.kind === 'group' ? view.id : view.kind;

function readView(kind: KindName, query: URLSearchParams): View {
  const id = query.get(kind);
  const tab = query.get('tab') === 'history' ? { tab: 'history' as const } : {};
  if (id !== null && id !== '') return { name: 'one', kind, id, ...tab };
  return { name: query.has('new') ? 'new' : 'list', kind };
}

function readFilters(view: View, query: URLSearchParams): ListAddress['filters'] {
  const filters: Partial<Record<FilterName, string>> = {};
  for (const name of kinds[listedOn(view)].filters) {
    const value = query.get(name);
    if (value !== null && value !== '') filters[name] = value;
  }
  // On a group's page it says which group that is.
  if (view.name === 'one' && view.kind === 'group') delete filters.group;
  return filters;
}

/** @param address path and query, as `location` has them */
export function readAddress(address: string): Address {
  const [path = '', ...rest] = address.split('?');
  const query = new URLSearchParams(rest.join('?'));
  const view = readView(/(?:^|\/)groups$/.test(path) ? 'group' : 'user', query);
  const columns = (query.get('columns') ?? '').split(',').filter((column) => column !== '');
  const dialog = query.get('dialog') ?? '';
  const size = readNumber(query, 'size');
  return {
    view,
    ...(dialog === '' ? {} : { dialog }),
    list: {
      search: query.get('search') ?? '',
      filters: readFilters(view, query),
      sort: query.get('sort') ?? '',
      ...(columns.length > 0 ? { columns } : {}),
      ...(size === undefined || size > maxSize ? {} : { size }),
      cursor: readCursor(query),
    },
  };
}

/** Relative to the page. */
export function printAddress({ view, list, dialog }: Address): string {
  const query = new URLSearchParams();
  if (view.name === 'one') {
    query.set(view.kind, view.id);
    if (view.tab !== undefined) query.set('tab', view.tab);
  }
  if (view.name === 'new') query.set('new', '');
  if (list.search !== '') query.set('search', list.search);
  for (const [name, value] of Object.entries(list.filters)) query.set(name, value);
  if (list.sort !== '') query.set('sort', list.sort);
  if (list.columns !== undefined) query.set('columns', list.columns.join(','));
  if (list.size !== undefined) query.set('size', String(list.size));
  for (const [name, value] of Object.entries(list.cursor)) query.set(name, String(value));
  if (dialog !== undefined) query.set('dialog', dialog);
  return paths[view.kind] + (query.size === 0 ? '' : `?${query}`);
}

/** Another list begins at its beginning. */
export const changeList = (list: ListAddress, change: Partial<ListAddress>): ListAddress => ({
  ...list,
  cursor: {},
  ...change,
});
