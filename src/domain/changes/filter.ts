/** Filters of feeds and histories. */
import { matchesTerms, searchTextOfOne, type Term } from '../find/search.ts';
import type { Entry } from './change.ts';

/** Selects entries that meet all conditions. */
export interface ChangeFilter {
  readonly types?: ReadonlySet<string> | undefined;
  readonly ids?: ReadonlySet<string> | undefined;
  /** Ids of clients, or subjects of persons. */
  readonly by?: ReadonlySet<string> | undefined;
  /** Like `by`, but excludes the changes of these clients and persons. */
  readonly notBy?: ReadonlySet<string> | undefined;
  /** JSON Pointers of members: selects updates that changed one of them, a part of it, or a list or an object that has it. */
  readonly changed?: ReadonlySet<string> | undefined;
  /** Words of the label, which entries of the feed don't have. */
  readonly label?: readonly Term[] | undefined;
  /** Milliseconds since 1970. */
  readonly from?: number | undefined;
  /** Milliseconds since 1970; this time itself is excluded. */
  readonly to?: number | undefined;
}

/** True if one of the names is the client's or the person's. */
const isBy = ({ by: { client, person } }: Entry, names: ReadonlySet<string>): boolean =>
  names.has(client) || (person !== undefined && names.has(person.subject));

const isWithin = (part: string, whole: string): boolean => part === whole || part.startsWith(`${whole}/`);

const hasChanged = ({ changed = [] }: Entry, pointers: ReadonlySet<string>): boolean =>
  changed.some((one) => [...pointers].some((other) => isWithin(one, other) || isWithin(other, one)));

const hasLabel = ({ values }: Entry, terms: readonly Term[]): boolean =>
  values?.label !== undefined && matchesTerms(searchTextOfOne(values.label), terms);

export function meets(entry: Entry, filter: ChangeFilter): boolean {
  const { types, ids, by, notBy, from, to, changed, label } = filter;
  return (
    types?.has(entry.type) !== false &&
    ids?.has(entry.id) !== false &&
    (by === undefined || isBy(entry, by)) &&
    (notBy === undefined || !isBy(entry, notBy)) &&
    (from === undefined || entry.at >= from) &&
    (to === undefined || entry.at < to) &&
    (changed === undefined || hasChanged(entry, changed)) &&
    // Last: values are parsed when they are read.
    (label === undefined || hasLabel(entry, label))
  );
}
