/**
 * The parameters of a list, each read separately. Malformed values are refused, never ignored.
 *
 * `http/pipeline/query.ts` splits the query into names and values, and refuses unknown and repeated names. `list-query.ts` joins what
 * this file reads to one query. `described-parameters.ts` describes the same parameters for OpenAPI. Each kind adds its own filters: those of
 * users are in `domain/kinds/user/kind.ts`.
 */

import type { KeyRange } from '../../../domain/find/conditions.ts';
import type { Filters } from '../../../domain/find/filters.ts';
import { parseSearch, type Term } from '../../../domain/find/search.ts';
import { type Sort, toSortKey } from '../../../domain/find/sorts.ts';
import type { Kind } from '../../../domain/kinds/kind.ts';
import { canonicalDate } from '../../../domain/validation/plain-values.ts';
import { replaceForeignCharacters } from '../../../domain/validation/schema-validator.ts';
import { type Given, invalidParameter } from '../../http/pipeline/query.ts';

/** The largest page. There is no default: a list without `limit` has all resources. */
export const maxLimit = 1000;

/** The ends of ranges of dates, such as `created.from`. */
export const dateParametersOf = ({ instantSorts }: Kind): readonly string[] =>
  instantSorts.flatMap((sort) => [`${sort}.from`, `${sort}.to`]);

/** True if all characters are allowed in texts. */
const isPossible = (text: string): boolean => replaceForeignCharacters(text) === text;

const anyShape = /^/;

/** Reads the parameters that differ between kinds. */
export class ListParameters {
  readonly names: readonly string[];
  readonly #kind: Kind;
  readonly #filters: readonly (readonly [string, Kind['filters'][string]])[];
  /** By parameter value. */
  readonly #sorts: ReadonlyMap<string, Sort>;

  constructor(kind: Kind) {
    this.#kind = kind;
    this.#filters = Object.entries(kind.filters);
    const others = ['search', 'sort', 'limit', 'after', 'before', 'total'];
    this.names = [...Object.keys(kind.filters), ...dateParametersOf(kind), ...others];
    this.#sorts = new Map(
      ['id', ...kind.sortNames].flatMap((name): [string, Sort][] => {
        const by = name === 'id' ? {} : { by: name };
        return [
          [name, by],
          [`-${name}`, { ...by, descending: true }],
        ];
      }),
    );
  }

  get sortValues(): readonly string[] {
    return [...this.#sorts.keys()];
  }

  /** @returns the filters' keys, as stores know them @throws HttpProblem 400 for a value that no resource can have */
  parseFilters(given: Given): Filters {
    const asked = this.#filters.flatMap(([name, filter]): [string, string][] => {
      const value = given.get(name);
      if (value === undefined) return [];
      const { must, shape = anyShape } = filter;
      const isValue = value !== '' && isPossible(value) && shape.test(value);
      const key = isValue ? filter.key(value) : undefined;
      if (key === undefined) {
        throw invalidParameter(
          must === undefined
            ? `${name} has a value that no ${this.#kind.name} can have.`
            : `${name} must ${must}.`,
        );
      }
      return [[name, key]];
    });
    return Object.fromEntries(asked);
  }

  /** @throws HttpProblem 400 */
  parseTerms(text: string | undefined): readonly Term[] | undefined {
    if (text === undefined) return undefined;
    if (!isPossible(text))
      throw invalidParameter(`search has a character that no ${this.#kind.name} can have.`);
    const terms = parseSearch(text);
    if (typeof terms === 'string') throw invalidParameter(`search must ${terms}.`);
    return terms;
  }

  /** @throws HttpProblem 400 */
  parseSort(text = 'id'): Sort {
    const sort = this.#sorts.get(text);
    if (sort !== undefined) return sort;
    const names = ['id', ...this.#kind.sortNames].join(', ');
    throw invalidParameter(`sort must be one of ${names}, with - in front for descending order.`);
  }
}

/** One end of a range of dates, in the form of stored dates. @throws HttpProblem 400 */
export function parseBound(name: string, text: string): string {
  const date = canonicalDate(text, true);
  if (date !== undefined) return date;
  throw invalidParameter(
    `${name} must be a date and time with a zone, such as 2026-01-02T03:04:05Z; encode a + as %2B.`,
  );
}

function readBound(given: Given, name: string): string | undefined {
  const text = given.get(name);
  return text === undefined ? undefined : toSortKey(parseBound(name, text));
}

/** @throws HttpProblem 400 for a date that is invalid, and for an end before the beginning */
export const parseDateRanges = ({ instantSorts }: Kind, given: Given): readonly KeyRange[] =>
  instantSorts.flatMap((sort) => {
    const [from, to] = [readBound(given, `${sort}.from`), readBound(given, `${sort}.to`)];
    if (from === undefined && to === undefined) return [];
    if (from !== undefined && to !== undefined && from > to)
      throw invalidParameter(`${sort}.from must not be after ${sort}.to.`);
    return [{ sort, from, to }];
  });

/** @throws HttpProblem 400 */
export function parseLimit(text: string | undefined, most = maxLimit): number | undefined {
  if (text === undefined) return undefined;
  const limit = /^[1-9][0-9]{0,3}$/.test(text) ? Number(text) : most + 1;
  if (limit > most) throw invalidParameter(`limit must be a whole number from 1 to ${most}.`);
  return limit;
}
