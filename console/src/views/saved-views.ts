/** Names that a person has given to lists. They stay in the browser after the session, so lists are kept without names of people. */
import { changeList, type ListAddress, printAddress, readAddress } from '../address/address.ts';
import { Observable } from '../parts/observable.ts';
import { filtersAmong, fixedValues } from '../schema/comparisons.ts';
import { attributeOf, filtersOf, takes } from '../schema/filters.ts';
import type { FilterName, KindName } from '../schema/kinds.ts';

export interface SavedView {
  readonly kind: KindName;
  readonly name: string;
  readonly list: ListAddress;
}

const key = 'console.views';

/** Stored as an address, which later versions of the console can read, too. */
type Stored = Omit<SavedView, 'list'> & { readonly address: string };

function read(): readonly SavedView[] {
  const stored: readonly Stored[] = JSON.parse(localStorage.getItem(key) ?? '[]');
  return stored.map(({ kind, name, address }) => ({ kind, name, list: readAddress(address).list }));
}

export const savedViews = new Observable(read());

function keep(views: readonly SavedView[]): void {
  const stored = views.map(
    ({ kind, name, list }): Stored => ({
      kind,
      name,
      address: printAddress({ view: { name: 'list', kind }, list }),
    }),
  );
  localStorage.setItem(key, JSON.stringify(stored));
  savedViews.set(views);
}

const others = ({ kind, name }: Pick<SavedView, 'kind' | 'name'>): readonly SavedView[] =>
  savedViews.value.filter((other) => other.kind !== kind || other.name !== name);

/** Replaces a view of the same name. */
export const saveView = (view: SavedView): void => keep([...others(view), view]);

export const removeView = (view: SavedView): void => keep(others(view));

/** Filters whose values identify a person. */
const personal: readonly string[] = ['userName', 'email', 'employeeNumber', 'externalId'];

/** A declared attribute may identify a person, too, unless it allows only certain values. */
function isPersonal(name: FilterName): boolean {
  const field = attributeOf(name);
  if (field === undefined) return personal.includes(name);
  return takes(name) === 'text' && !(field.kind === 'text' && field.choices.length > 0);
}

/** The list from its beginning, without the search and filters that may name people. */
export function savable(kind: KindName, list: ListAddress): ListAddress {
  if (kind === 'group') return changeList(list, {});
  const filters = filtersAmong(kind, filtersOf(kind), (parameter) => list.filters[parameter])
    .filter(({ name, comparison }) => fixedValues[comparison] !== undefined || !isPersonal(name))
    .map(({ parameter }) => [parameter, list.filters[parameter]]);
  return changeList(list, { search: '', filters: Object.fromEntries(filters) });
}
