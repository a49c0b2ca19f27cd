/** The use cases of the change log: the feed, for programs that follow the directory, and histories, of one resource or of all. */

import { isStarting, limitEntries, toLimited } from '../access/limited-entries.ts';
import { limitedStores } from '../access/limited-store.ts';
import { type Entry, projectChange, withoutNames } from '../changes/change.ts';
import { type ChangeFilter, meets } from '../changes/filter.ts';
import { type Cursor, changeLogOf, type LogPage, type Start, type Subject } from '../changes/log.ts';
import { idsOf, isMembersChange } from '../changes/member-changes.ts';
import type { Kind } from '../kinds/kind.ts';
import type { Kinds } from '../kinds.ts';
import type { Principal } from '../ports.ts';
import { isSince } from '../resource/annotations.ts';
import { requireScope } from '../scopes.ts';
import { findIds, type Store } from '../store.ts';
import { type KindName, resourceNotFound } from '../validation/errors.ts';

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

/** What the process itself uses: its followers have the scope already. Throws what the log throws. */
export interface Tail {
  latest(): Promise<number>;
  /** Without values and names in maps. */
  tail(after: Cursor, limit: number): Promise<ChangePage>;
  /** The part of a page of `tail` that the principal sees. @throws DomainError as `feed` */
  view(
    principal: Principal,
    page: ChangePage,
    query: Omit<FeedQuery, 'limit'>,
    step: Step,
  ): Promise<ChangePage>;
}

/** The number of entries that one request examines: a filter may exclude nearly all. */
const maxExamined = 10_000;

/** The number of entries that one step reads. */
const readAtOnce = 100;

/** A page ends when its entries have this many ids of members: one entry may have a thousand. */
const maxIdsOfPage = 20_000;

/** Since this version, changes of members have a label, too, and deletions have the memberships that they ended. */
const newValues = { since: '1.13' };

/** The only value of a change of members is the label. */
const withoutLabel = ({ values, ...entry }: Entry): Entry => entry;

/**
 * The entry as histories show it: without what a deletion keeps only for a restoration, and without the other members of a group in the history of
 * a member.
 */
function showDeletion(entry: Entry, { contract }: Principal, of: Subject | undefined): Entry {
  if (!entry.type.endsWith('.deleted') || entry.values === undefined) return entry;
  const { kept, memberships, ...values } = entry.values;
  const isOwn = of === undefined || entry.type === `${of.kind}.deleted`;
  const isNew = contract !== undefined && isSince(newValues, contract);
  return { ...entry, values: { ...values, ...(memberships && isOwn && !isNew && { memberships }) } };
}

/** How entries become those that a page shows. */
interface Shown {
  readonly filter: ChangeFilter;
  /** Whether a limited reader passes over unmarked changes. */
  readonly passesUnknown: boolean;
  readonly principal: Principal;
  readonly of?: Subject | undefined;
  readonly step: Step;
}

/** @returns the entries in the same places; undefined for those that a page leaves out */
type Show = (entries: readonly Entry[], shown: Shown) => Promise<readonly (Entry | undefined)[]>;

/** @param read reads the entries after a place, in the direction of the page */
async function readPage<From>(
  read: (start: From | Cursor, limit: number) => Promise<LogPage>,
  from: From,
  limit: number,
  show: Show,
  shown: Shown,
): Promise<ChangePage> {
  const found: Entry[] = [];
  const isLimited = shown.principal.access !== undefined;
  let [start, members]: [From | Cursor, number] = [from, 0];
  for (let examined = 0; ; ) {
    const asked = Math.min(examined === 0 ? limit : readAtOnce, readAtOnce, maxExamined - examined);
    const { entries, end, more } = await shown.step(() => read(start, asked));
    for (const [at, entry] of (await show(entries, shown)).entries()) {
      if (entry === undefined) continue;
      found.push(entry);
      members += idsOf(entry).length;
      if (found.length < limit && members < maxIdsOfPage) continue;
      const { number, mark } = entry;
      const others = more || at < entries.length - 1;
      return { entries: found, end: { line: end.line, number, mark }, more: others };
    }
    // For a limited reader each id was looked up.
    for (const entry of entries) examined += isLimited ? 1 + idsOf(entry).length : 1;
    // A store returns fewer entries than the limit when they are large.
    const isLarge = entries.length < asked && found.length > 0;
    if (!more || isLarge || examined >= maxExamined) return { entries: found, end, more };
    start = end;
  }
}

export function changes(store: Store, kinds: Kinds): Changes {
  const storeFor = limitedStores(store, kinds);
  /** The entry of the log for each entry that is shown without names of maps: a projection needs the names. */
  const named = new WeakMap<Entry, Entry>();

  const kindOf = ({ type }: Entry): Kind | undefined =>
    kinds.all.find(({ name }) => type.startsWith(`${name}.`));

  const hideNames = (entry: Entry): Entry => {
    const kind = kindOf(entry);
    const bare = kind ? withoutNames(kind, entry) : entry;
    if (bare !== entry) named.set(bare, entry);
    return bare;
  };

  function project(principal: Principal, entry: Entry): Entry {
    const { contract, access } = principal;
    if (contract === undefined && access === undefined) return entry;
    const kind = kindOf(entry);
    const projection = kind?.projectionFor(principal);
    const shown = kind && projection ? projectChange(kind, projection, entry) : entry;
    const isNew = isMembersChange(entry) && contract !== undefined && isSince(newValues, contract);
    return isNew ? withoutLabel(shown) : shown;
  }

  /**
   * The last page of a history ends with its last entry: the place of a later one that isn't shown would tell that there is one, and so would
   * `more`. @param page with an entry beyond the limit, if there is one that is shown
   */
  async function concealEnd(page: LogPage, limit: number, after: Cursor | undefined): Promise<LogPage> {
    const isFull = page.entries.length > limit;
    if (page.more && !isFull) return page;
    const entries = page.entries.slice(0, limit);
    const [last, { line }] = [entries.at(-1), page.end];
    if (last !== undefined)
      return { entries, end: { line, number: last.number, mark: last.mark }, more: isFull };
    const nothing = await changeLogOf(store).history(1, after, { requests: new Set() });
    return { entries, end: nothing.end, more: false };
  }

  const show: Show = async (entries, { principal, filter, passesUnknown, of, step }) => {
    const { access } = principal;
    const findInside = (kind: KindName, ids: readonly string[]) =>
      findIds(storeFor(principal), kind, ids, principal.id, step);
    // Hidden or moved values must not be found: a limited reader's filter is compared with the entry as shown.
    const { types, changed, label, ...unaltered } = filter;
    const whole = entries.map((bare) => (access && named.get(bare)) ?? bare);
    const known = whole.map((entry) =>
      meets(entry, access ? unaltered : filter) ? showDeletion(entry, principal, of) : undefined,
    );
    const reader = { kindOf, relation: kinds.relation, findInside, passesUnknown, of: of?.kind };
    const inside = access ? await limitEntries({ access, ...reader }, known) : known;
    return inside.map((entry, at) => {
      const shown = entry && project(principal, entry);
      if (access === undefined || shown === undefined) return shown;
      const told = whole[at] === entries[at] ? shown : hideNames(shown);
      return told.changed?.length !== 0 && meets(told, { types, changed, label }) ? told : undefined;
    });
  };

  async function tail(after: Start, limit: number): Promise<ChangePage> {
    const page = await changeLogOf(store).read(after, limit);
    return { ...page, entries: page.entries.map(hideNames) };
  }

  return {
    latest: async () => await changeLogOf(store).latest(),

    tail,

    async view(principal, { entries, ...page }, { since, filter }, step) {
      const passesUnknown = isStarting(principal, since);
      const shown = await show(entries, { principal, filter, passesUnknown, step });
      const found = shown.filter((entry) => entry !== undefined);
      return toLimited(principal, { ...page, entries: found }, passesUnknown);
    },

    async feed(principal, { since, limit, filter }, step) {
      requireScope(principal, 'changes:read');
      const passesUnknown = isStarting(principal, since);
      const shown = { principal, filter, passesUnknown, step };
      const page = await readPage<Start>(tail, since, limit, show, shown);
      return toLimited(principal, page, passesUnknown);
    },

    async history(principal, { after, of, requests, limit, filter }, step) {
      requireScope(principal, 'history:read');
      isStarting(principal, after);
      const log = changeLogOf(store);
      const read = of ?? (requests && { requests });
      const shown = { principal, filter, of, passesUnknown: true, step };
      const found = await readPage<Cursor | undefined>(
        (start, most) => log.history(most, start, read),
        after,
        principal.access === undefined ? limit : limit + 1,
        show,
        shown,
      );
      const page = principal.access === undefined ? found : await concealEnd(found, limit, after);
      const isEmpty = page.entries.length === 0 && after === undefined;
      const mayBeUnknown = of !== undefined && (isEmpty || principal.access !== undefined);
      if (!mayBeUnknown || (await storeFor(principal).find(of.kind, of.id)) !== undefined)
        return toLimited(principal, page, false);
      // A reader with a filter may know that a resource inside was there, but not the groups of one outside.
      const isFiltered = principal.access?.of(of.kind).filterMark !== undefined;
      const entries = isFiltered ? page.entries.filter(({ id }) => id === of.id) : page.entries;
      if (entries.length === 0 && after === undefined) throw resourceNotFound(of.kind);
      return toLimited(principal, { ...page, entries }, false);
    },
  };
}
