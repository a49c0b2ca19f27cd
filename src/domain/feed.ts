/** The use cases of the change log: the feed, for programs that follow the directory, and histories, of one resource or of all. */

import { type Entry, projectChange, withoutNames } from './changes/change.ts';
import { type Cursor, changeLogOf, type LogPage, type Start, type Subject } from './changes/log.ts';
import { isMembersChange } from './changes/member-changes.ts';
import { matchesTerms, searchTextOfOne, type Term } from './find/search.ts';
import type { Kind } from './kinds/kind.ts';
import type { Kinds } from './kinds.ts';
import type { Principal } from './ports.ts';
import { isSince } from './resource/annotations.ts';
import { requireScope } from './scopes.ts';
import type { Store } from './store.ts';
import { resourceNotFound } from './validation/errors.ts';

/** Selects entries that meet all conditions. */
export interface ChangeFilter {
  readonly types?: ReadonlySet<string> | undefined;
  readonly ids?: ReadonlySet<string> | undefined;
  /** Ids of clients, or subjects of persons. */
  readonly by?: ReadonlySet<string> | undefined;
  /** Like `by`, but excludes the changes of these clients and persons. */
  readonly notBy?: ReadonlySet<string> | undefined;
  /** Words of the label, which entries of the feed don't have. */
  readonly label?: readonly Term[] | undefined;
  /** Milliseconds since 1970. */
  readonly from?: number | undefined;
  /** Milliseconds since 1970; this time itself is excluded. */
  readonly to?: number | undefined;
}

interface PageQuery {
  /** 1 or more. */
  readonly limit: number;
  readonly filter: ChangeFilter;
}

export interface FeedQuery extends PageQuery {
  readonly since: Start;
}

export interface HistoryQuery extends PageQuery {
  /** The end of the previous page. */
  readonly after?: Cursor | undefined;
  /** The only resource whose entries are read. */
  readonly of?: Subject | undefined;
  /** Ids of the only requests whose entries are read; not with `of`. */
  readonly requests?: ReadonlySet<string> | undefined;
}

/** From the log: entries of a feed have neither `values` nor names in maps. */
export type ChangePage = LogPage;

/** Runs one read of the log, which takes some 0.5 ms on SQLite, between the work of others. */
type Step = <T>(read: () => Promise<T>) => Promise<T>;

/** A page ends at the last examined entry, even if the entry does not meet the filter, so that `end` advances. `step` runs all reads of the log. */
export interface Changes extends Tail {
  /** @throws DomainError `cursor-expired`, `cursor-foreign`, `not-logged` */
  feed(principal: Principal, query: FeedQuery, step: Step): Promise<ChangePage>;
  /**
   * Newest first, with values; also for deleted resources.
   * @throws DomainError `…-not-found` for an id without a resource and without entries; `cursor-foreign`, `not-logged`
   */
  history(principal: Principal, query: HistoryQuery, step: Step): Promise<ChangePage>;
}

/** For the process itself, whose followers each have the scope. Throws as the log does. */
export interface Tail {
  latest(): Promise<number>;
  /** Without values and names in maps. */
  tail(after: Cursor, limit: number): Promise<ChangePage>;
  /** A page of `tail` for a client that is pinned to a version of the contract. */
  view(principal: Principal, entry: Entry): Entry;
}

/** The number of entries that one request examines: a filter may exclude nearly all. */
const maxExamined = 10_000;

/** The number of entries that one step reads. */
const readAtOnce = 100;

/** A page ends when its entries have this many ids of members: one entry may have a thousand. */
const maxIdsOfPage = 20_000;

const idCount = ({ added = [], removed = [] }: Entry): number => added.length + removed.length;

/** True if one of the names is the client's or the person's. */
const isBy = ({ by: { client, person } }: Entry, names: ReadonlySet<string>): boolean =>
  names.has(client) || (person !== undefined && names.has(person.subject));

const hasLabel = ({ values }: Entry, terms: readonly Term[]): boolean =>
  values?.label !== undefined && matchesTerms(searchTextOfOne(values.label), terms);

export function meets(entry: Entry, { types, ids, by, notBy, from, to, label }: ChangeFilter): boolean {
  return (
    types?.has(entry.type) !== false &&
    ids?.has(entry.id) !== false &&
    (by === undefined || isBy(entry, by)) &&
    (notBy === undefined || !isBy(entry, notBy)) &&
    (from === undefined || entry.at >= from) &&
    (to === undefined || entry.at < to) &&
    // Last: values are parsed when they are read.
    (label === undefined || hasLabel(entry, label))
  );
}

/** The label of a change of members, which other changes have had before; and the memberships that a deletion ended. */
const newValues = { since: '1.13' };

/** A change of members has no other values. */
const withoutLabel = ({ values, ...entry }: Entry): Entry => entry;

/** The entry as histories show it: what a deletion keeps is for a restoration, and the members of a group aren't shown to one of them. */
function showDeletion(entry: Entry, { contract }: Principal, of: Subject | undefined): Entry {
  if (!entry.type.endsWith('.deleted') || entry.values === undefined) return entry;
  const { kept, memberships, ...values } = entry.values;
  const isOwn = of === undefined || entry.type === `${of.kind}.deleted`;
  const isNew = contract !== undefined && isSince(newValues, contract);
  return { ...entry, values: { ...values, ...(memberships && isOwn && !isNew && { memberships }) } };
}

/** @param read reads the entries after a place, in the direction of the page */
async function readPage<From>(
  read: (start: From | Cursor, limit: number) => Promise<LogPage>,
  from: From,
  { limit, filter }: PageQuery,
  step: Step,
): Promise<ChangePage> {
  const found: Entry[] = [];
  let [start, members]: [From | Cursor, number] = [from, 0];
  for (let examined = 0; ; ) {
    const asked = Math.min(examined === 0 ? limit : readAtOnce, readAtOnce, maxExamined - examined);
    const { entries, end, more } = await step(() => read(start, asked));
    for (const [at, entry] of entries.entries()) {
      if (!meets(entry, filter)) continue;
      found.push(entry);
      members += idCount(entry);
      if (found.length < limit && members < maxIdsOfPage) continue;
      const { number, mark } = entry;
      const others = more || at < entries.length - 1;
      return { entries: found, end: { line: end.line, number, mark }, more: others };
    }
    examined += entries.length;
    // A store returns fewer entries than the limit when they are large.
    const isLarge = entries.length < asked && found.length > 0;
    if (!more || isLarge || examined >= maxExamined) return { entries: found, end, more };
    start = end;
  }
}

export function changes(store: Store, kinds: Kinds): Changes {
  const kindOf = ({ type }: Entry): Kind | undefined =>
    kinds.all.find(({ name }) => type.startsWith(`${name}.`));

  const hideNames = (entry: Entry): Entry => {
    const kind = kindOf(entry);
    return kind ? withoutNames(kind, entry) : entry;
  };

  function view(principal: Principal, entry: Entry): Entry {
    const { contract } = principal;
    if (contract === undefined) return entry;
    const kind = kindOf(entry);
    const projection = kind?.projectionFor(principal);
    const shown = kind && projection ? projectChange(kind, projection, entry) : entry;
    return isMembersChange(entry) && isSince(newValues, contract) ? withoutLabel(shown) : shown;
  }

  const viewPage = (principal: Principal, page: ChangePage, of?: Subject): ChangePage => ({
    ...page,
    entries: page.entries.map((entry) => view(principal, showDeletion(entry, principal, of))),
  });

  async function tail(after: Start, limit: number): Promise<ChangePage> {
    const page = await changeLogOf(store).read(after, limit);
    return { ...page, entries: page.entries.map(hideNames) };
  }

  return {
    latest: async () => await changeLogOf(store).latest(),

    tail,

    view,

    async feed(principal, query, step) {
      requireScope(principal, 'changes:read');
      return viewPage(principal, await readPage<Start>(tail, query.since, query, step));
    },

    async history(principal, query, step) {
      requireScope(principal, 'history:read');
      const { after, of, requests } = query;
      const log = changeLogOf(store);
      const read = of ?? (requests && { requests });
      const page = await readPage<Cursor | undefined>(
        (start, limit) => log.history(limit, start, read),
        after,
        query,
        step,
      );
      const isUnknown = of !== undefined && page.entries.length === 0 && after === undefined;
      if (isUnknown && (await store.find(of.kind, of.id)) === undefined) throw resourceNotFound(of.kind);
      return viewPage(principal, page, of);
    },
  };
}
