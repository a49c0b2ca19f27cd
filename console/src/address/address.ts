/** The state in the address: the list with its search, filters and order, and the open resource. */
import { filtersAmong } from '../schema/comparisons.ts';
import { type FilterName, type FilterParameter, type KindName, kinds } from '../schema/kinds.ts';

/** A cursor from a link of the service. Empty: the beginning of the list. */
export interface Cursor {
  readonly after?: string;
  readonly before?: string;
  /** The number of rows before the cursor: a page after it begins behind them, a page before it ends with them. */
  readonly position?: number;
}

/** A whole number in the address; undefined without one. */
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
  readonly filters: Readonly<Partial<Record<FilterParameter, string | readonly string[]>>>;
  /** Empty: `usualSortOf`. */
  readonly sort: string;
  /** Paths such as `name.familyName`; omitted: the default columns. */
  readonly columns?: readonly string[];
  /** Resources on a page; omitted: `usualSize`. */
  readonly size?: number;
  readonly cursor: Cursor;
}

/** The service's limit. */
const maxSize = 1000;
export const usualSize = 50;

export const wholeList: ListAddress = { search: '', filters: {}, sort: '', cursor: {} };

/** The views of a resource besides the first one: the overview of a user, the members of a group. `edit`: the form. */
export const tabsOf = {
  user: ['groups', 'history', 'edit'],
  group: ['details', 'history', 'edit'],
} as const;
export type Tab = (typeof tabsOf)[KindName][number];

/** Changes of all users and groups. */
export interface ActivityView {
  readonly name: 'activity';
  /** None: changes of any type. */
  readonly types: readonly string[];
  /** A JSON Pointer; empty: any. */
  readonly changed: string;
  /** Words of the name at that time; empty: any. */
  readonly label: string;
  /** The id of a user; empty: any. */
  readonly id: string;
  /** A client or a person; empty: any. */
  readonly by: string;
  /** The UUID that all requests of an operation have in common; empty: any. */
  readonly request: string;
  /** Days in the reader's time zone, such as `2026-11-27`, both included; empty: any. */
  readonly from: string;
  readonly to: string;
}

export const wholeActivity: ActivityView = {
  name: 'activity',
  types: [],
  changed: '',
  label: '',
  id: '',
  by: '',
  request: '',
  from: '',
  to: '',
};

export type View =
  /** `import`: the import of a file. */
  | { readonly name: 'list' | 'new' | 'import'; readonly kind: KindName }
  /** Without a tab: its first view. */
  | { readonly name: 'one'; readonly kind: KindName; readonly id: string; readonly tab?: Tab }
  /** The first page, what the credentials may do, and how far the receivers of webhooks are. */
  | { readonly name: 'overview' | 'access' | 'webhooks' }
  | ActivityView;

export interface Address {
  readonly view: View;
  /** The list of a group's members, on the group's page. Stays while a user is open, so that Back leads to the same place. */
  readonly list: ListAddress;
  /** The dialog that is open. */
  readonly dialog?: string;
}

const paths: Readonly<Record<KindName, string>> = { user: './users', group: './groups' };
const importPaths: typeof paths = { user: './import', group: './import?groups' };

/** The kind of the listed resources. */
const listedOn = (view: View): KindName => ('kind' in view && view.name !== 'one' ? view.kind : 'user');

/** Views with the same key share a list: users have one, groups have one, and so have the members of each group. */
export function listKeyOf(view: View): string {
  if (!('kind' in view) || view.name === 'import') return view.name;
  return view.name === 'one' && view.kind === 'group' ? view.id : view.kind;
}

function readActivity(query: URLSearchParams): ActivityView {
  const { name: _name, types: _types, ...others } = wholeActivity;
  const read = Object.keys(others).map((name) => [name, query.get(name) ?? '']);
  return { ...wholeActivity, ...Object.fromEntries(read), types: query.getAll('type') };
}

function readView(path: string, query: URLSearchParams): View {
  const [, last = ''] = /([^/]*)$/.exec(path) ?? [];
  if (last === 'activity') return readActivity(query);
  if (last === 'access' || last === 'webhooks') return { name: last };
  if (last === 'import') return { name: 'import', kind: query.has('groups') ? 'group' : 'user' };
  // Users were at the console's own address before it had an overview.
  if (last === '' && [...query.keys()].every((name) => name === 'dialog')) return { name: 'overview' };
  const kind = last === 'groups' ? 'group' : 'user';
  const id = query.get(kind);
  const tab = tabsOf[kind].find((one) => one === query.get('tab'));
  if (id !== null && id !== '') return { name: 'one', kind, id, ...(tab && { tab }) };
  return { name: query.has('new') ? 'new' : 'list', kind };
}

function readFilters(view: View, query: URLSearchParams): ListAddress['filters'] {
  const kind = listedOn(view);
  // On a group's page, the id identifies the group.
  const isOfGroup = view.name === 'one' && view.kind === 'group';
  const declared = [...query.keys()].flatMap((key) =>
    kind === 'user' && key.startsWith('attributes.')
      ? [key.replace(/\.(in|not|exists)$/, '') as FilterName]
      : [],
  );
  const names = [...kinds[kind].filters, ...new Set(declared)].filter(
    (name) => !isOfGroup || name !== 'group',
  );
  const found = filtersAmong(kind, names, (parameter) => query.getAll(parameter));
  return Object.fromEntries(
    found.map(({ parameter, comparison, values }) => [
      parameter,
      comparison === 'in' ? values : values.join(),
    ]),
  );
}

/** @param address path and query, as `location` has them */
export function readAddress(address: string): Address {
  const [path = '', ...rest] = address.split('?');
  const query = new URLSearchParams(rest.join('?'));
  const view = readView(path, query);
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

type Value = string | number | undefined;

/** Only the parameters with a value. */
function setAll(query: URLSearchParams, values: Readonly<Record<string, Value | readonly string[]>>): void {
  for (const [name, value] of Object.entries(values))
    for (const one of [value].flat()) if (one !== undefined && one !== '') query.append(name, String(one));
}

/** Relative to the page. */
export function printAddress({ view, list, dialog }: Address): string {
  if (view.name === 'import') return importPaths[view.kind];
  const query = new URLSearchParams(view.name === 'new' ? 'new' : '');
  if (view.name === 'one') setAll(query, { [view.kind]: view.id, tab: view.tab });
  if (view.name === 'activity') {
    const { name: _name, types, ...filters } = view;
    setAll(query, { type: types, ...filters });
  } else if ('kind' in view) {
    const { search, filters, sort, columns, size, cursor } = list;
    setAll(query, { search, ...filters, sort, columns: columns?.join(','), size, ...cursor });
  }
  setAll(query, { dialog });
  const path = 'kind' in view ? paths[view.kind] : view.name === 'overview' ? './' : `./${view.name}`;
  return path + (query.size === 0 ? '' : `?${query}`);
}

/** A new list starts at its beginning. */
export const changeList = (list: ListAddress, change: Partial<ListAddress>): ListAddress => ({
  ...list,
  cursor: {},
  ...change,
});
