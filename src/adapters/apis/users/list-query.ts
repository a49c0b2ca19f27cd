/** The query of GET /users as a whole: which users, in which order, and which page of them. */
import type { Conditions } from '../../../domain/ports.ts';
import type { Position, Sort } from '../../../domain/sorts.ts';
import { type CursorScope, makeCursor, type Place, parseCursor } from './cursor.ts';
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
  const scope = { filters, search: given.get('search'), sort };
  const after = parsePlace('after', given, scope);
  return {
    conditions: { filters, terms },
    sort,
    limit,
    after: after === 'end' ? undefined : after,
    before: parsePlace('before', given, scope),
    hasTotal,
    queryOf: queryMaker(given, scope),
  };
}
