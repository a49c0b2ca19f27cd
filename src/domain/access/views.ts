/** The part of a kind that a profile shows: which resources are inside of its filter, and how their visible members are searched. */
import type { Access } from '../find/access.ts';
import { allOf, anyOf, type Condition, hasLeaf, matchAll, matchesAll } from '../find/conditions.ts';
import { type Keyed, type Test, testOf } from '../find/matches.ts';
import { usesMembership } from '../find/owners.ts';
import { cutOffPattern, searchTextOf } from '../find/search.ts';
import type { Kind } from '../kinds/kind.ts';
import { findAnnotatedFields } from '../resource/annotations.ts';
import { readable } from '../resource/build.ts';
import type { MemberAccess, Resource } from '../resource/resource.ts';
import { type Page, type PageQuery, type StoredResource, toPage } from '../store.ts';
import { type KindName, queryTooCostly } from '../validation/errors.ts';

export interface View {
  readonly name: KindName;
  readonly where: Condition;
  /** Whether some resources may be outside. */
  readonly isFiltered: boolean;
  readonly isInside: IsInside;
  /** Undefined if all searched members are visible. */
  readonly search: VisibleSearch | undefined;
}

export function viewOf(kind: Kind, access: Access): View {
  const { where, ...members } = access.of(kind.name);
  const search = visibleSearch(kind, members);
  return {
    name: kind.name,
    where,
    isFiltered: !matchesAll(where),
    isInside: insideTest(kind, where),
    search,
  };
}

/** Made on demand, since most conditions ask for few keys. @param searchOf its search text */
const keyed = (kind: Kind, id: string, value: Resource, searchOf: (value: Resource) => string): Keyed => ({
  id,
  keysOf: (filter) => kind.filters[filter]?.keys?.(value as never) ?? [],
  sorts: { get: (sort) => kind.keyOf(value, sort) },
  get search() {
    return searchOf(value);
  },
});

/** Makes each key once. */
function remembering(resource: Keyed): Keyed {
  const [keys, sortKeys] = [new Map<string, readonly string[]>(), new Map<string, string | undefined>()];
  return {
    id: resource.id,
    keysOf: (filter) => findOrMake(keys, filter, resource.keysOf),
    sorts: { get: (sort) => findOrMake(sortKeys, sort, resource.sorts.get) },
    search: resource.search,
  };
}

function findOrMake<K, V>(known: Map<K, V>, name: K, make: (name: K) => V): V {
  if (!known.has(name)) known.set(name, make(name));
  return known.get(name) as V;
}

/** As stores index a resource that can't be read. */
const unreadable = (id: string): Keyed => ({ id, keysOf: () => [], sorts: new Map(), search: '' });

/** Whether a resource is inside of a filter, as it is stored or would be after a write. */
type IsInside = (id: string, stored: StoredResource) => boolean;

/** As `insideTest`, of several filters by their names: makes each key of a resource once. @returns the names of those that it is inside of */
type InsideOf = (id: string, stored: StoredResource) => ReadonlySet<string>;

function passes(test: Test<Keyed>, id: string, read: () => Keyed): boolean {
  try {
    return test(read());
  } catch {
    return test(unreadable(id));
  }
}

/** @param where without memberships @param searchOf left out: of all searched members */
export function insideTest(
  kind: Kind,
  where: Condition,
  searchOf = (value: Resource) => kind.makeKeys(value).search,
): IsInside {
  if (matchesAll(where)) return () => true;
  const test = testOf(where);
  return (id, stored) => passes(test, id, () => keyed(kind, id, stored.value, searchOf));
}

/** @param filters without memberships and searches */
export function insideTests(kind: Kind, filters: ReadonlyMap<string, Condition>): InsideOf {
  const tests = [...filters].map(([name, where]) => ({ name, test: testOf(where) }));
  return (id, stored) => {
    let resource: Keyed | undefined;
    const read = (): Keyed => {
      resource ??= remembering(keyed(kind, id, stored.value, () => ''));
      return resource;
    };
    return new Set(tests.flatMap(({ name, test }) => (passes(test, id, read) ? [name] : [])));
  };
}

type ReadPage = (query: PageQuery) => Promise<Page>;

/**
 * Answers a query as if only visible members were searched; undefined for one that is no search. Stores search all members together, so a store
 * only finds candidates; each is read, and searched again in its visible members. Totals and skips count what is found then.
 */
type VisibleSearch = (query: PageQuery, read: ReadPage) => Promise<Page> | undefined;

/** Candidates that are read at a time. */
const atOnce = 64;

/** The number of candidates that one page, or one total, examines. */
const maxCandidates = 10_000;

const searches = (condition: Condition): boolean => hasLeaf(condition, (leaf) => 'words' in leaf);

/** A condition that selects all resources whose visible members match, and possibly others, since stores cut long search texts off. */
function candidatesOf(condition: Condition): Condition {
  if ('all' in condition) return allOf(condition.all.map(candidatesOf));
  if ('any' in condition) return anyOf(condition.any.map(candidatesOf));
  if ('not' in condition) return searches(condition) ? matchAll : condition;
  if (!('words' in condition)) return condition;
  return { words: condition.words.map((term) => [...term, cutOffPattern]) };
}

/** All that match, in the direction of reading. @throws DomainError `query-too-costly` */
async function* walk(
  read: ReadPage,
  query: PageQuery,
  isFound: (stored: StoredResource) => boolean,
): AsyncGenerator<StoredResource> {
  const isBackward = query.before !== undefined;
  let page = query;
  for (let examined = 0; examined < maxCandidates; ) {
    const { items, first, last, more } = await read(page);
    for (const stored of isBackward ? items.toReversed() : items) if (isFound(stored)) yield stored;
    if (!more) return;
    examined += items.length;
    page = { ...page, ...(isBackward ? { before: first } : { after: last }) };
  }
  throw queryTooCostly();
}

/** @returns undefined if all searched members are visible */
function visibleSearch(kind: Kind, { shows }: MemberAccess): VisibleSearch | undefined {
  const isVisible = (path: readonly string[]) => shows(path) === 'whole';
  if (findAnnotatedFields(kind.schema, 'search').every(({ path }) => isVisible(path))) return undefined;
  const searchOf = searchTextOf<Resource>(kind.schema, isVisible);

  async function search(query: PageQuery, parts: readonly Condition[], read: ReadPage): Promise<Page> {
    const { skip = 0, limit, sort, total, maxLength: _, ...rest } = query;
    // Other conditions are as stores see them.
    const searched = allOf(parts.filter(searches));
    // Documents don't tell memberships. Only a filter of SCIM joins them to a search by `or`.
    if (usesMembership(searched)) throw queryTooCostly();
    const matches = insideTest(kind, searched, searchOf);
    const isFound = (stored: StoredResource) => readable(stored) !== undefined && matches(stored.id, stored);
    const candidates = { ...rest, sort, where: allOf(parts.map(candidatesOf)), limit: atOnce };

    const found: StoredResource[] = [];
    if (limit > 0) {
      let left = skip;
      for await (const stored of walk(read, candidates, isFound)) {
        left -= 1;
        if (left < 0) found.push(stored);
        if (found.length > limit) break;
      }
    }
    const page = toPage(found, query, {
      read: (stored) => stored,
      placeOf: (stored) => kind.positionOf(stored, sort),
    });
    if (total === undefined) return page;
    const most = total === 'exact' ? Number.POSITIVE_INFINITY : total.most;
    let count = 0;
    const all = { ...candidates, after: undefined, before: undefined };
    for await (const _ of walk(read, all, isFound)) if (++count > most) break;
    return { ...page, total: count };
  }

  return (query, read) => {
    const parts = 'all' in query.where ? query.where.all : [query.where];
    return parts.some(searches) ? search(query, parts, read) : undefined;
  };
}
