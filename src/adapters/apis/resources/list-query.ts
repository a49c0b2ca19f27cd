/** The query of a list: which resources, in which order, and which page. */

import { allOf, type KeyRange } from '../../../domain/find/conditions.ts';
import type { Place, Position, Sort } from '../../../domain/find/sorts.ts';
import type { Kind } from '../../../domain/kinds/kind.ts';
import type { Conditions } from '../../../domain/list-all.ts';
import {
  flagOf,
  invalidParameter,
  parseQuery,
  printParameter,
  type Query,
  singleOf,
} from '../../http/pipeline/query.ts';
import { type CursorScope, makeListCursor, parseListCursor } from './cursor.ts';
import { ListParameters, maxLimit, parseCount, parseRanges } from './parameters.ts';

/** Where a page begins or ends, in a query or a link. */
export type PageStart = { readonly after: Position } | { readonly before: Place };

export interface ListQuery {
  readonly conditions: Conditions;
  readonly sort: Sort;
  /** Undefined: all. */
  readonly limit: number | undefined;
  readonly after: Position | undefined;
  readonly before: Place | undefined;
  readonly hasTotal: boolean;
  /** The query of another page of the same list; default: the first page. */
  queryOf(page?: PageStart): string;
}

/** @throws HttpProblem 400 */
function parsePlace(name: 'after' | 'before', given: Query, scope: CursorScope): Place | undefined {
  const cursor = singleOf(given, name);
  if (cursor === undefined) return undefined;
  if (!given.has('limit')) throw invalidParameter(`${name} goes with limit.`);
  const place = parseListCursor(cursor, scope);
  if (place === undefined || (name === 'after' && place === 'end'))
    throw invalidParameter(
      `${name} is not a cursor of this list: take it from a Link of this list, with filters, search and sort unchanged.`,
    );
  return place;
}

export interface CursorParts {
  /** Keys, by parameter: `ADA` and `ada` are the same userName. In the order of the kind's parameters. */
  readonly filters: Readonly<Record<string, string | readonly string[]>>;
  readonly ranges?: readonly KeyRange[];
  /** As given. */
  readonly search: string | undefined;
  readonly sort: Sort;
  /** The mark of the client's profile: with another profile the list may be different. */
  readonly profile?: string | undefined;
}

/** Includes parameters only if the list uses them: cursors stay valid when a release adds parameters. */
export function cursorScope(
  kind: Kind,
  { filters, ranges = [], search, sort: { by, descending }, profile }: CursorParts,
): CursorScope {
  const isTurned = by !== undefined || descending === true;
  return {
    parameters: [
      kind.name,
      ...Object.entries(filters),
      ...ranges.map(({ sort, from, to }) => [sort, from ?? null, to ?? null]),
      ...(search === undefined ? [] : [['search', search]]),
      ...(isTurned ? [['sort', by ?? null, descending === true]] : []),
      ...(profile === undefined ? [] : [['profile', profile]]),
    ],
    isSorted: by !== undefined,
  };
}

function queryMaker(query: Query, scope: CursorScope): ListQuery['queryOf'] {
  const others = [...query.keys()].filter((name) => name !== 'after' && name !== 'before');
  const kept = others.map((name) => printParameter(query, name)).join('&');
  return (page) => {
    // Cursors need no escaping.
    const cursors = Object.entries(page ?? {}).map(
      ([name, place]) => `${name}=${makeListCursor(place, scope)}`,
    );
    return [kept, ...cursors].join('&');
  };
}

/** The function throws HttpProblem 400. @returns a function that also takes the mark of the client's profile */
export function listParser(kind: Kind): (query: Query, profile?: string) => ListQuery {
  const parameters = new ListParameters(kind);
  return (query, profile) => {
    const filters = parameters.parseFilters(query);
    const ranges = parseRanges(kind, query);
    const search = singleOf(query, 'search');
    const words = parameters.parseTerms(search) ?? [];
    const sort = parameters.parseSort(singleOf(query, 'sort'));
    const limit = parseCount(query, 'limit', maxLimit);
    const hasTotal = flagOf(query, 'total', 'no total is asked for');
    if (query.has('after') && query.has('before')) throw invalidParameter('before does not go with after.');
    const scope = cursorScope(kind, { filters: filters.keys, ranges, search, sort, profile });
    const after = parsePlace('after', query, scope);
    return {
      conditions: { where: allOf([filters.where, { words }, ...ranges]) },
      sort,
      limit,
      after: after === 'end' ? undefined : after,
      before: parsePlace('before', query, scope),
      hasTotal,
      queryOf: queryMaker(query, scope),
    };
  };
}

/** As `listParser`, for a query outside of a request. */
export function listTextParser(kind: Kind): (text: string) => ListQuery {
  const { names } = new ListParameters(kind);
  const parse = listParser(kind);
  return (text) => parse(parseQuery(text, { names, whose: 'this list' }));
}
