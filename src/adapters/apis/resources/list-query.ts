/** The query of a list: which resources, in which order, and which page. */

import { allOf, type KeyRange, matching } from '../../../domain/find/conditions.ts';
import type { Filters } from '../../../domain/find/filters.ts';
import type { Place, Position, Sort } from '../../../domain/find/sorts.ts';
import type { Kind } from '../../../domain/kinds/kind.ts';
import type { Conditions } from '../../../domain/resources.ts';
import {
  flagOf,
  type Given,
  invalidParameter,
  parseQuery,
  printParameter,
  type Query,
  singlesOf,
} from '../../http/pipeline/query.ts';
import { type CursorScope, makeListCursor, parseListCursor } from './cursor.ts';
import { ListParameters, parseDateRanges, parseLimit } from './parameters.ts';

/** Where a page begins or ends, in a query or a link. */
export type PageStart = { readonly after: Position } | { readonly before: Place };

export interface ListQuery {
  readonly conditions: Conditions;
  readonly sort: Sort;
  /** Undefined: all. */
  readonly limit: number | undefined;
  /** The page begins after this position. */
  readonly after: Position | undefined;
  /** The page ends before this place. */
  readonly before: Place | undefined;
  readonly hasTotal: boolean;
  /** The query of another page of the same list; default: the first page. */
  queryOf(page?: PageStart): string;
}

/** @throws HttpProblem 400 */
function parsePlace(name: 'after' | 'before', given: Given, scope: CursorScope): Place | undefined {
  const cursor = given.get(name);
  if (cursor === undefined) return undefined;
  if (!given.has('limit')) throw invalidParameter(`${name} goes with limit.`);
  const place = parseListCursor(cursor, scope);
  if (place === undefined || (name === 'after' && place === 'end'))
    throw invalidParameter(
      `${name} is not a cursor of this list: take it from a Link of this list, with filters, search and sort unchanged.`,
    );
  return place;
}

/** The parameters that a cursor is bound to. */
export interface CursorParts {
  /** As keys: `ADA` and `ada` are the same userName. */
  readonly filters: Filters;
  readonly ranges?: readonly KeyRange[];
  /** As given. */
  readonly search: string | undefined;
  readonly sort: Sort;
}

/** Includes parameters only if the list uses them: cursors stay valid when a release adds parameters. */
export function cursorScope(
  kind: Kind,
  { filters, ranges = [], search, sort: { by, descending } }: CursorParts,
): CursorScope {
  const isTurned = by !== undefined || descending === true;
  return {
    parameters: [
      kind.name,
      ...kind.filterNames.filter((name) => name in filters).map((name) => [name, filters[name]]),
      ...ranges.map(({ sort, from, to }) => [sort, from ?? null, to ?? null]),
      ...(search === undefined ? [] : [['search', search]]),
      ...(isTurned ? [['sort', by ?? null, descending === true]] : []),
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

/** The function throws HttpProblem 400. */
export function listParser(kind: Kind): (query: Query) => ListQuery {
  const parameters = new ListParameters(kind);
  return (query) => {
    const given = singlesOf(query);
    const filters = parameters.parseFilters(given);
    const { withPluses } = query;
    const others = withPluses === undefined ? filters : parameters.parseFilters(singlesOf(withPluses));
    const ranges = parseDateRanges(kind, given);
    const terms = parameters.parseTerms(given.get('search'));
    const sort = parameters.parseSort(given.get('sort'));
    const limit = parseLimit(given.get('limit'));
    const hasTotal = flagOf(query, 'total', 'no total is asked for');
    if (given.has('after') && given.has('before')) throw invalidParameter('before does not go with after.');
    const scope = cursorScope(kind, { filters, ranges, search: given.get('search'), sort });
    const after = parsePlace('after', given, scope);
    return {
      conditions: { where: allOf([matching(filters, terms, others), ...ranges]) },
      sort,
      limit,
      after: after === 'end' ? undefined : after,
      before: parsePlace('before', given, scope),
      hasTotal,
      queryOf: queryMaker(query, scope),
    };
  };
}

/** As `listParser`, of a query outside of a request. */
export function listTextParser(kind: Kind): (text: string) => ListQuery {
  const { names } = new ListParameters(kind);
  const parse = listParser(kind);
  return (text) => parse(parseQuery(text, { names, whose: 'this list' }));
}
