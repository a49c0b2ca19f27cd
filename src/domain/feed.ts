/** The use cases of the change log: the feed, for programs that follow the directory, and the history of a resource. */
import { DomainError, type KindName, resourceNotFound } from './base/errors.ts';
import type { Entry } from './changes/change.ts';
import { type ChangeLog, type Cursor, foreignCursor, type LogPage, type Start } from './changes/log.ts';
import type { Principal } from './ports.ts';
import { requireScope } from './scopes.ts';
import type { Store } from './store.ts';

/** What a follower wants of the feed: entries that meet all conditions. */
export interface ChangeFilter {
  readonly types?: ReadonlySet<string> | undefined;
  readonly ids?: ReadonlySet<string> | undefined;
  /** Ids of clients, or subjects of persons. */
  readonly by?: ReadonlySet<string> | undefined;
  /** As `by`: what they have changed is left out. */
  readonly notBy?: ReadonlySet<string> | undefined;
  /** Milliseconds since 1970. */
  readonly from?: number | undefined;
  /** Milliseconds since 1970, itself excluded. */
  readonly to?: number | undefined;
}

export interface FeedQuery {
  readonly since: Start;
  /** 1 or more. */
  readonly limit: number;
  readonly filter: ChangeFilter;
}

/** As of the log. Entries of a feed have no `values`. */
export type ChangePage = LogPage;

export interface Changes extends Tail {
  /**
   * The page ends where an entry was examined last, whether or not it met the filter, so that `end` moves on.
   * @param pause awaited between steps of some milliseconds
   * @throws DomainError `cursor-expired`, `cursor-foreign`, `not-logged`
   */
  feed(principal: Principal, query: FeedQuery, pause: () => Promise<unknown>): Promise<ChangePage>;
  /**
   * The newest first; also of a resource that was deleted.
   * @param after the end of the page before this one
   * @throws DomainError `…-not-found` for an id that no resource has, or had while entries are kept; `cursor-foreign`, `not-logged`
   */
  history(
    principal: Principal,
    kind: KindName,
    id: string,
    limit: number,
    after?: Cursor,
  ): Promise<ChangePage>;
}

/** For the process, whose followers each have the scope: as of the log. */
export interface Tail {
  latest(): Promise<number>;
  /** Without values. */
  tail(after: Cursor, limit: number): Promise<ChangePage>;
}

/** Entries that one request examines: a filter may leave out nearly all. */
const maxExamined = 10_000;

/** Entries that are read at a time, first and later. */
const [firstBatch, fullBatch] = [100, 1_000];

/** Ids of members in the entries of a page, beyond which the page ends: an entry may have a thousand. */
const maxIdsOfPage = 20_000;

const idCount = ({ added = [], removed = [] }: Entry): number => added.length + removed.length;

/** Whether one of the names is the client's or the person's. */
const isBy = ({ by: { client, person } }: Entry, names: ReadonlySet<string>): boolean =>
  names.has(client) || (person !== undefined && names.has(person.subject));

export function meets(entry: Entry, { types, ids, by, notBy, from, to }: ChangeFilter): boolean {
  return (
    types?.has(entry.type) !== false &&
    ids?.has(entry.id) !== false &&
    (by === undefined || isBy(entry, by)) &&
    (notBy === undefined || !isBy(entry, notBy)) &&
    (from === undefined || entry.at >= from) &&
    (to === undefined || entry.at < to)
  );
}

const withoutValues = ({ values: _, ...entry }: Entry): Entry => entry;

async function readFeed(
  log: ChangeLog,
  { since, limit, filter }: FeedQuery,
  pause: () => Promise<unknown>,
): Promise<ChangePage> {
  const found: Entry[] = [];
  let [start, batch, members] = [since, firstBatch, 0];
  for (let examined = 0; ; ) {
    const { entries, end, more } = await log.read(start, Math.min(batch, maxExamined - examined));
    const before = members;
    for (const [at, entry] of entries.entries()) {
      if (!meets(entry, filter)) continue;
      found.push(withoutValues(entry));
      members += idCount(entry);
      if (found.length < limit && members < maxIdsOfPage) continue;
      const { number, mark } = entry;
      const others = more || at < entries.length - 1;
      return { entries: found, end: { line: end.line, number, mark }, more: others };
    }
    examined += entries.length;
    if (!more || examined >= maxExamined) return { entries: found, end, more };
    start = end;
    batch = members - before > fullBatch ? firstBatch : fullBatch;
    await pause();
  }
}

export function changes(store: Store): Changes {
  function logOf(): ChangeLog {
    if (store.changes === undefined)
      throw new DomainError('not-logged', 'This installation keeps no change log.');
    return store.changes;
  }
  return {
    latest: async () => await logOf().latest(),

    async tail(after, limit) {
      const page = await logOf().read(after, limit);
      return { ...page, entries: page.entries.map(withoutValues) };
    },

    async feed(principal, query, pause) {
      requireScope(principal, 'changes:read');
      return await readFeed(logOf(), query, pause);
    },

    async history(principal, kind, id, limit, after) {
      requireScope(principal, 'history:read');
      const { entries, line, more } = await logOf().history(kind, id, limit, after?.number);
      if (after !== undefined && after.line !== line) throw foreignCursor();
      const isUnknown = entries.length === 0 && after === undefined;
      if (isUnknown && (await store.find(kind, id)) === undefined) throw resourceNotFound(kind);
      const { number, mark } = entries.at(-1) ?? after ?? { number: 0, mark: '' };
      return { entries, end: { line, number, mark }, more };
    },
  };
}
