/**
 * The port of the stores: reads, and `commit`, the only way to write. A store knows neither users nor groups: it keeps the resources of
 * each kind, their keys (`find/keys.ts`), and which users are members of which groups.
 *
 * Any method may throw DomainError `unavailable` (nothing was changed). Texts are stored unchanged; returned values are never shared.
 */

import type { Actor, Inside } from './changes/change.ts';
import type { ChangeLog } from './changes/log.ts';
import type { Condition } from './find/conditions.ts';
import type { FilterName } from './find/filters.ts';
import type { Place, Position, Sort } from './find/sorts.ts';
import type { Resource } from './resource/resource.ts';
import type { Stored } from './resource/stored.ts';
import type { DomainError, KindName } from './validation/errors.ts';

export type { Actor };

export type StoredResource = Stored<Resource>;

/**
 * A page of a list. In the order of `sort`; resources without its value come last. A resource that exists throughout a traversal by `after`
 * or by `before`, and whose key doesn't change, appears in it exactly once.
 */
export interface PageQuery {
  /** Meant for some hundred conditions: the cost of a query grows with their number. */
  readonly where: Condition;
  /** By id when left out. */
  readonly sort?: Sort | undefined;
  /** Only resources behind this place. Left out: from the beginning. */
  readonly after?: Position | undefined;
  /** Instead of `after`: the resources nearest in front of this place. They are in the order of the list, as always. */
  readonly before?: Place | undefined;
  /** Skips this many matches, counted from `after` or `before`: an integer, 0 or more. */
  readonly skip?: number | undefined;
  /** The page's size at most: an integer, 0 or more. Each API limits what a client may ask for (apis/resources/parameters.ts). */
  readonly limit: number;
  /** `Page.items` end with the one that reaches this length of their texts together, in UTF-16 code units. */
  readonly maxLength?: number | undefined;
  /** Whether the page has `total`; exact up to `most`, and any larger number beyond it. */
  readonly total?: 'exact' | { readonly most: number } | undefined;
  /**
   * The handle of a list: all pages for one response name the same object. A store may reuse what it found for the first page, and checks
   * each match again. Pages by membership are `unavailable` once the group or the user that the list began with is deleted, or the
   * group's members are replaced as a whole.
   */
  readonly list?: object | undefined;
  /** The principal's id: a store that works in steps shares its turns between clients. */
  readonly client?: string | undefined;
  /** Whether the client has closed its connection: a query that has not begun may then be `unavailable`. */
  readonly hasLeft?: (() => boolean) | undefined;
}

export interface Page<S extends StoredResource = StoredResource> {
  readonly items: readonly S[];
  /** The ids of the page's other resources, in their order, when `items` end at `maxLength`. */
  readonly rest?: readonly string[];
  /** The places of the page's first and last resource, those of `rest` included; undefined when it is empty. */
  readonly first?: Position | undefined;
  readonly last?: Position | undefined;
  /** Other matches follow the page; with `before`, others precede it. False when `limit` is 0. */
  readonly more: boolean;
  /** The number of matches at the time of reading, wherever the page begins. */
  readonly total?: number | undefined;
}

interface EntryReader<E> {
  read(entry: E): StoredResource;
  /** Its place in the list. */
  placeOf(entry: E): Position;
}

/** Makes a page from the entries that a store has found. @param found in the direction of reading; one more than the page has, if others follow */
export function toPage<E extends { readonly text: string }>(
  found: readonly E[],
  { limit, before, maxLength = Number.POSITIVE_INFINITY }: PageQuery,
  { read, placeOf }: EntryReader<E>,
): Page {
  const entries = found.slice(0, limit);
  if (before !== undefined) entries.reverse();
  let [length, end] = [0, 0];
  while (end < entries.length && length < maxLength) length += entries[end++]?.text.length ?? 0;
  const [first, last] = [entries[0], entries.at(-1)];
  return {
    items: entries.slice(0, end).map(read),
    ...(end < entries.length && { rest: entries.slice(end).map((entry) => placeOf(entry).id) }),
    first: first && placeOf(first),
    last: last && placeOf(last),
    more: found.length > limit,
  };
}

/** Which users become members of a group, and which cease to be. */
export interface MembersChange {
  /** All users that `add` doesn't name cease to be members. */
  readonly isWhole?: boolean;
  /** Ids of users, without duplicates. */
  readonly add: readonly string[];
  /** Has no id that is in `add`; ids of users who are not members are ignored. */
  readonly remove: readonly string[];
}

/** A write of any kind; `members` and `revision` are only for groups. */
export type Write = { readonly kind: KindName; readonly id: string; readonly inside?: Inside | undefined } & (
  | {
      readonly op: 'create';
      /** A copied group keeps the revision of its members, since clients may know entity tags with it. */
      readonly next: StoredResource;
      readonly members?: readonly string[] | undefined;
      /** For a resource that was deleted, in place of `members`: the ids of its groups or its members. Those that no longer exist are left out. */
      readonly restored?: readonly string[] | undefined;
    }
  | {
      readonly op: 'replace';
      /** `stale` unless this version is still stored. */
      readonly before: StoredResource;
      readonly next: StoredResource;
      /** Changed in the same step. */
      readonly members?: MembersChange | undefined;
      /** `stale` unless the group's members have this revision. Left out: whatever they have. */
      readonly revision?: number | undefined;
    }
  | {
      readonly op: 'remove';
      /** As in `replace`. */
      readonly before: StoredResource;
      readonly revision?: number | undefined;
      /** Erases the resource from the change log, too: see `ChangeLog.erase`. */
      readonly erase?: boolean | undefined;
    }
  | {
      /** Locks neither group nor user: each change counts, however many run at once. `stale` if the group was deleted. */
      readonly op: 'members';
      readonly change: MembersChange;
      /** `stale` unless the group has this revision. */
      readonly version?: string | undefined;
      readonly revision?: number | undefined;
    }
);

/**
 * How a write ended. `stale`: the version that it names is no longer stored. After an error nothing was changed, except for `outcome-unknown`:
 * - `id-taken`, or the kind's error when another resource has the name (compared as mapped) or a key of a unique filter
 * - `UnknownMembers`, with positions in `add`, for ids that belong to no user
 * - `unavailable`, `outcome-unknown`
 */
export type Outcome = 'done' | 'stale' | DomainError;

/** By id; unknown ids are left out. */
export type FoundById = ReadonlyMap<string, StoredResource>;
/** By key; keys without matches are left out. */
export type FoundByKey = ReadonlyMap<string, readonly StoredResource[]>;
/** By id; ids without related ids are left out. */
export type RelatedIds = ReadonlyMap<string, readonly string[]>;

/** Stores resources. The contract suite test/contract runs over every adapter. */
export interface Store {
  /** The log of what `commit` has written. Undefined in a store without a log. */
  readonly changes?: ChangeLog | undefined;
  find(kind: KindName, id: string): Promise<StoredResource | undefined>;
  /** The resources with these ids. Meant for some hundred. @param client whose turns the time takes */
  findAll(kind: KindName, ids: readonly string[], client?: string): Promise<FoundById>;
  /** The resources that the filter finds, at most `limit` a key. Meant for some hundred keys. */
  findAllBy(kind: KindName, filter: FilterName, keys: readonly string[], limit: number): Promise<FoundByKey>;
  /** Which of the users are members, by point reads. Unknown ids are left out. Meant for some hundred. */
  findMembers(group: string, users: readonly string[]): Promise<ReadonlySet<string>>;
  /**
   * The ids of the groups of users, or of the members of groups, by id of the user or the group: at most `limit` each, in any order. Meant for some
   * ten thousand that are found. @param client as of `findAll`
   */
  related(kind: KindName, ids: readonly string[], limit: number, client?: string): Promise<RelatedIds>;
  /** Holds no lock, and doesn't delay other requests, however many resources are scanned or skipped. @throws DomainError `query-too-costly` */
  page(kind: KindName, query: PageQuery): Promise<Page>;
  /**
   * Each write is atomic by itself; a failed one doesn't affect the others. Together they cost little more than one: meant for some hundred,
   * for which other writes wait. No two of them name the same id. A write that is `done` is durable, and visible to every later read
   * through any process on the same store.
   *
   * The filter `group` of users and the filter `member` of groups, each by id, find by membership. Removing a user ends its memberships in the
   * same write, and so does removing a group, at any size and without delaying other requests: readers see all of its members or none.
   * Changes of members alter no document, but `memberCount`, which is exact, and `revision`, unless nothing changes. Their cost doesn't
   * depend on the size of the group.
   * @returns one outcome for each write, in their order
   */
  commit(writes: readonly Write[], by: Actor): Promise<readonly Outcome[]>;
  /** Returns when the store can serve. @throws DomainError `unavailable` */
  check(): Promise<void>;
  /** Finishes accepted operations, then releases every handle. Calling it again does nothing. */
  close(): Promise<void>;
}

const lookedUpAtOnce = 500;

/** Which of any number of ids belong to resources that exist. @param step runs each read, between the work of others */
export async function findIds(
  store: Pick<Store, 'findAll'>,
  kind: KindName,
  ids: readonly string[],
  client?: string,
  step = <T>(read: () => Promise<T>): Promise<T> => read(),
): Promise<ReadonlySet<string>> {
  const found: string[] = [];
  for (let from = 0; from < ids.length; from += lookedUpAtOnce) {
    const some = ids.slice(from, from + lookedUpAtOnce);
    found.push(...(await step(() => store.findAll(kind, some, client))).keys());
  }
  return new Set(found);
}

/** A separate object: with a Proxy, V8 could not inline the store's calls into a use case. */
export const withMethods = (store: Store, methods: Partial<Store>): Store => ({
  changes: store.changes,
  find: (kind, id) => store.find(kind, id),
  findAll: (kind, ids, client) => store.findAll(kind, ids, client),
  findAllBy: (kind, filter, keys, limit) => store.findAllBy(kind, filter, keys, limit),
  findMembers: (group, users) => store.findMembers(group, users),
  related: (kind, ids, limit, client) => store.related(kind, ids, limit, client),
  page: (kind, query) => store.page(kind, query),
  commit: (writes, by) => store.commit(writes, by),
  check: () => store.check(),
  close: () => store.close(),
  ...methods,
});
