/** The query of GET /users as a whole: which users, in which order, and which page of them. */
import { matching } from '../../../domain/find/conditions.ts';
import { type FilterName, type Filters, filterNames } from '../../../domain/find/filters.ts';
import type { Position, Sort } from '../../../domain/find/sorts.ts';
import type { Conditions } from '../../../domain/ports.ts';
import { type CursorScope, makeCursor, type Place, parseCursor } from '../../cursor.ts';
import {
  type Given,
  invalidParameter,
  parseFilters,
  parseLimit,
  parsePairs,
  parseSort,
  parseTerms,
  parseTotal,
} from './query-parameters.ts';

/** A page as a query asks for it, or a link leads to it. */
export type PageStart = { readonly after: Position } | { readonly before: Place };

export interface ListQuery {
  readonly conditions: Conditions;
  readonly sort: Sort;
  /** Undefined: all users. */
  readonly limit: number | undefined;
  /** The page begins behind this place. */
  readonly after: Position | undefined;
  /** The page ends in front of this place. */
  readonly before: Place | undefined;
  readonly hasTotal: boolean;
  /** The query of another page of the same list; the first one's where it is left out. */
  queryOf(page?: PageStart): string;
}

/** @throws HttpProblem 400 */
function parsePlace(name: 'after' | 'before', given: Given, scope: CursorScope): Place | undefined {
  const cursor = given.get(name);
  if (cursor === undefined) return undefined;
  if (!given.has('limit')) throw invalidParameter(`${name} goes with limit.`);
  const place = parseCursor(cursor, scope);
  if (place === undefined || (name === 'after' && place === 'end'))
    throw invalidParameter(
      `${name} is not a cursor of this list: take it from a Link of this list, with filters, search and sort unchanged.`,
    );
  return place;
}

/** What a cursor of the list belongs to. */
export interface ListParts {
  /** By their keys: `ADA` and `ada` are the same userName. */
  readonly filters: Filters;
  /** As given. */
  readonly search: string | undefined;
  readonly sort: Sort;
}

/** The filters that every cursor has named from the first release on, also where the list isn't filtered by them. */
const alwaysNamed: ReadonlySet<FilterName> = new Set(['userName', 'externalId', 'email', 'active', 'role']);

/**
 * Names other parameters only where the list has them. So the cursors of a list are the same in releases that don't know the others,
 * and can be handed from one to the other while several processes are upgraded one after the other.
 */
export function cursorScope({ filters, search, sort: { by, descending } }: ListParts): CursorScope {
  const isTurned = by !== undefined || descending === true;
  return {
    parameters: [
      ...filterNames
        .filter((name) => alwaysNamed.has(name) || name in filters)
        .map((name) => [name, filters[name] ?? null]),
      ...(search === undefined ? [] : [['search', search]]),
      ...(isTurned ? [['sort', by ?? null, descending === true]] : []),
    ],
    isSorted: by !== undefined,
  };
}

function queryMaker(given: Given, scope: CursorScope): ListQuery['queryOf'] {
  const kept = [...given].filter(([name]) => name !== 'after' && name !== 'before');
  return (page) => {
    const cursors = Object.entries(page ?? {}).map(([name, place]): [string, string] => [
      name,
      makeCursor(place, scope),
    ]);
    return new URLSearchParams([...kept, ...cursors]).toString();
  };
}

/** @throws HttpProblem 400 */
export function parseListQuery(querystring: string): ListQuery {
  const given = parsePairs(querystring);
  const filters = parseFilters(given);
  const terms = parseTerms(given.get('search'));
  const sort = parseSort(given.get('sort'));
  const limit = parseLimit(given.get('limit'));
  const hasTotal = parseTotal(given.get('total'));
  if (given.has('after') && given.has('before')) throw invalidParameter('before does not go with after.');
  const scope = cursorScope({ filters, search: given.get('search'), sort });
  const after = parsePlace('after', given, scope);
  return {
    conditions: { where: matching(filters, terms) },
    sort,
    limit,
    after: after === 'end' ? undefined : after,
    before: parsePlace('before', given, scope),
    hasTotal,
    queryOf: queryMaker(given, scope),
  };
}
