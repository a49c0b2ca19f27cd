/** The parameters of GET /users, each read separately. Unknown, repeated and malformed parameters are refused, never ignored. */

import { replaceForeignCharacters } from '../../../domain/base/schema-validator.ts';
import { type FilterName, type Filters, filterNames, filters } from '../../../domain/find/filters.ts';
import { parseSearch, type Term } from '../../../domain/find/search.ts';
import { type Sort, sortNames } from '../../../domain/find/sorts.ts';
import { HttpProblem } from '../../http/problems/problems.ts';

/** Users per page. */
export const maxLimit = 1000;

export const listParameters: readonly string[] = [
  ...filterNames,
  ...['search', 'sort', 'limit', 'after', 'before', 'total'],
];

/** By name, decoded. */
export type Given = ReadonlyMap<string, string>;

/** The sort orders by parameter value. */
const sorts: ReadonlyMap<string, Sort> = new Map(
  ['id', ...sortNames].flatMap((name): [string, Sort][] => {
    const by = name === 'id' ? {} : { by: name };
    return [
      [name, by],
      [`-${name}`, { ...by, descending: true }],
    ];
  }),
);
export const sortValues: readonly string[] = [...sorts.keys()];

export const invalidParameter = (detail: string): HttpProblem => new HttpProblem('invalid-parameter', detail);

function decode(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    throw invalidParameter('The query has a percent-encoding that is not UTF-8.');
  }
}

/** @throws HttpProblem 400 for an unknown or duplicate name */
export function parsePairs(querystring: string): Given {
  const given = new Map<string, string>();
  for (const pair of querystring.split('&').filter((part) => part !== '')) {
    const at = pair.indexOf('=');
    const name = decode(at === -1 ? pair : pair.slice(0, at));
    if (!listParameters.includes(name)) {
      throw invalidParameter(`A parameter is not known here. There are: ${listParameters.join(', ')}.`);
    }
    if (given.has(name)) throw invalidParameter(`${name} stands more than once.`);
    given.set(name, at === -1 ? '' : decode(pair.slice(at + 1)));
  }
  return given;
}

/** True if all characters are allowed in a user's texts. */
const isPossible = (text: string): boolean => replaceForeignCharacters(text) === text;

/** @returns the filters' keys, as stores know them @throws HttpProblem 400 for a value that no user can have */
export function parseFilters(given: Given): Filters {
  const asked = filterNames.flatMap((name): [FilterName, string][] => {
    const value = given.get(name);
    if (value === undefined) return [];
    const key = value !== '' && isPossible(value) ? filters[name].key(value) : undefined;
    if (key === undefined) throw invalidParameter(`${name} has a value that no user can have.`);
    return [[name, key]];
  });
  return Object.fromEntries(asked);
}

/** @throws HttpProblem 400 */
export function parseTerms(text: string | undefined): readonly Term[] | undefined {
  if (text === undefined) return undefined;
  if (!isPossible(text)) throw invalidParameter('search has a character that no user can have.');
  const terms = parseSearch(text);
  if (typeof terms === 'string') throw invalidParameter(`search must ${terms}.`);
  return terms;
}

/** @throws HttpProblem 400 */
export function parseSort(text = 'id'): Sort {
  const sort = sorts.get(text);
  if (sort === undefined)
    throw invalidParameter(
      `sort must be one of ${['id', ...sortNames].join(', ')}, with - in front to turn it round.`,
    );
  return sort;
}

/** @throws HttpProblem 400 */
export function parseLimit(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const limit = /^[1-9][0-9]{0,3}$/.test(text) ? Number(text) : maxLimit + 1;
  if (limit > maxLimit) throw invalidParameter(`limit must be a whole number from 1 to ${maxLimit}.`);
  return limit;
}

/** @throws HttpProblem 400 */
export function parseTotal(text: string | undefined): boolean {
  if (text !== undefined && text !== 'true')
    throw invalidParameter('total must be true; leave it out where no total is asked for.');
  return text !== undefined;
}
