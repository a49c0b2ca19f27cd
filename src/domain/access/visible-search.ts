/**
 * Searches for callers from whom some of the searched members are hidden. Stores search all of them together, so a store only finds
 * candidates; each is read, and searched again in its visible members. Totals and skips count what is found then.
 */
import { allOf, anyOf, type Condition, hasLeaf, matchAll } from '../find/conditions.ts';
import { usesMembership } from '../find/owners.ts';
import { cutOffPattern, searchTextOf } from '../find/search.ts';
import type { Kind } from '../kinds/kind.ts';
import { findAnnotatedFields } from '../resource/annotations.ts';
import { readable } from '../resource/build.ts';
import type { Resource } from '../resource/resource.ts';
import type { MemberAccess } from '../resource/viewer.ts';
import { type Page, type PageQuery, type StoredResource, toPage } from '../store.ts';
import { queryTooCostly } from '../validation/errors.ts';
import { insideTest } from './inside.ts';

type ReadPage = (query: PageQuery) => Promise<Page>;

/** Answers a query as if no other members were searched; undefined for one that is no search. */
export type VisibleSearch = (query: PageQuery, read: ReadPage) => Promise<Page> | undefined;

/** Candidates that are read at a time. */
const atOnce = 64;

/** The number of candidates that one page, or one total, examines. */
export const maxCandidates = 10_000;

const searches = (condition: Condition): boolean => hasLeaf(condition, (leaf) => 'words' in leaf);

/** A condition that stores fulfil for at least all resources whose visible members match: a search text may be cut off in front of some. */
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
export function visibleSearch(kind: Kind, { shows }: MemberAccess): VisibleSearch | undefined {
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
