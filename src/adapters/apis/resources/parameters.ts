/**
 * The parameters of a list, each read separately. Malformed values are refused, never ignored.
 *
 * `http/pipeline/query.ts` splits the query into names and values, and refuses unknown and repeated names. `list-query.ts` joins what
 * this file reads to one query. `described-parameters.ts` describes the same parameters for OpenAPI. Each kind adds its own filters: those of
 * users are in `domain/kinds/user/kind.ts`.
 */

import { allOf, anyOf, type Condition, type KeyRange, noneOf } from '../../../domain/find/conditions.ts';
import type { FilterName } from '../../../domain/find/filters.ts';
import { parseSearch, type Term } from '../../../domain/find/search.ts';
import { rangeKey, type Sort, toSortKey } from '../../../domain/find/sorts.ts';
import type { Kind } from '../../../domain/kinds/kind.ts';
import { type AttributeTypeName, attributeTypes } from '../../../domain/validation/attribute-types.ts';
import { canonicalDate } from '../../../domain/validation/plain-values.ts';
import { replaceForeignCharacters } from '../../../domain/validation/schema-validator.ts';
import { invalidParameter, type Query, singleOf } from '../../http/pipeline/query.ts';

/** The largest page. There is no default: a list without `limit` has all resources. */
export const maxLimit = 1000;

/** The maximum length of all links of a page together, in characters: clients and proxies refuse longer headers (Node beyond 16 KiB, nginx beyond 4 or 8 KiB). */
export const maxLinkLength = 8000;

/** The maximum number of values of `role.in`. */
export const maxValues = 100;

/** A parameter by a filter: `role=a`, `role.in=a&role.in=b`, `role.exists=false` or `role.not=a`. */
export interface FilterParameter {
  readonly name: string;
  readonly filter: FilterName;
  /** `is`: the filter's name alone. */
  readonly operator: 'is' | 'in' | 'exists' | 'not';
}

/** Those by a filter's name alone come first. */
export const filterParametersOf = ({ filterNames }: Kind): readonly FilterParameter[] => [
  ...filterNames.map((filter) => ({ name: filter, filter, operator: 'is' as const })),
  ...filterNames.flatMap((filter) =>
    (['in', 'exists', 'not'] as const).map((operator) => ({
      ...{ name: `${filter}.${operator}`, filter, operator },
    })),
  ),
];

interface AskedFilters {
  readonly where: Condition;
  /** The values by the name of the parameter: several for `role.in`. */
  readonly keys: Readonly<Record<string, string | readonly string[]>>;
}

function conditionOf({ filter, operator }: FilterParameter, keys: readonly string[]): Condition {
  if (operator === 'exists') return keys.includes('true') ? { exists: filter } : noneOf({ exists: filter });
  const found = anyOf(keys.map((key) => ({ filter, key })));
  return operator === 'not' ? noneOf(found) : found;
}

/** An end of a range: `created.from`. */
export interface RangeParameter {
  readonly name: string;
  readonly sort: string;
  readonly end: 'from' | 'to';
  readonly type: AttributeTypeName;
}

export const rangeParametersOf = ({ ranges }: Kind): readonly RangeParameter[] =>
  [...ranges].flatMap(([sort, type]) =>
    (['from', 'to'] as const).map((end) => ({ name: `${sort}.${end}`, sort, end, type })),
  );

/** True if all characters are allowed in texts. */
const isPossible = (text: string): boolean => replaceForeignCharacters(text) === text;

const anyShape = /^/;

/** Reads the parameters that differ between kinds. */
export class ListParameters {
  readonly names: readonly string[];
  readonly #kind: Kind;
  readonly #filters: readonly FilterParameter[];
  /** The sorts by the value of the parameter. */
  readonly #sorts: ReadonlyMap<string, Sort>;

  constructor(kind: Kind) {
    this.#kind = kind;
    this.#filters = filterParametersOf(kind);
    const others = ['search', 'sort', 'limit', 'after', 'before', 'total'];
    const ofOperators = this.#filters.filter(({ operator }) => operator !== 'is').map(({ name }) => name);
    const ranges = rangeParametersOf(kind).map(({ name }) => name);
    this.names = [...kind.filterNames, ...ranges, ...others, ...ofOperators];
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

  /**
   * The parameters must all match. A value with a `+` is read in both ways: either matches, and `.not` excludes both.
   * @throws HttpProblem 400 for a value that no resource can have
   */
  parseFilters(query: Query): AskedFilters {
    const { withPluses = new Map() } = query;
    const asked = this.#filters
      .filter(({ name }) => query.has(name))
      .map((parameter) => {
        const keys = this.#keysOf(parameter, query);
        return { parameter, keys, both: [...keys, ...this.#keysOf(parameter, withPluses)] };
      });
    return {
      where: allOf(asked.map(({ parameter, both }) => conditionOf(parameter, both))),
      keys: Object.fromEntries(
        asked.map(({ parameter: { name, operator }, keys }) => [
          name,
          operator === 'in' ? keys : keys.join(),
        ]),
      ),
    };
  }

  #keysOf(parameter: FilterParameter, query: Query): readonly string[] {
    const { name, filter, operator } = parameter;
    const values = query.get(name) ?? [];
    if (operator !== 'in' && values.length > 1)
      throw invalidParameter(`${name} occurs more than once; only ${filter}.in takes several values.`);
    if (values.length > maxValues) throw invalidParameter(`${name} occurs more than ${maxValues} times.`);
    return values.map((value) => this.#keyOf(parameter, value));
  }

  #keyOf({ name, filter, operator }: FilterParameter, value: string): string {
    if (operator === 'exists') {
      if (value === 'true' || value === 'false') return value;
      throw invalidParameter(`${name} must be true or false.`);
    }
    const { must, shape = anyShape, key: keyOf } = this.#kind.filters[filter] as Kind['filters'][string];
    const isValue = value !== '' && isPossible(value) && shape.test(value);
    const key = isValue ? keyOf(value) : undefined;
    if (key !== undefined) return key;
    throw invalidParameter(
      must === undefined
        ? `${name} has a value that no ${this.#kind.name} can have.`
        : `${name} must ${must}.`,
    );
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

function readBound(given: Query, { name, type, end }: RangeParameter): string | undefined {
  const text = singleOf(given, name);
  if (text === undefined) return undefined;
  if (type === 'dateTime') return toSortKey(parseBound(name, text));
  const key = rangeKey(type, text, end);
  if (key !== undefined) return key;
  throw invalidParameter(`${name} must ${attributeTypes[type].must}.`);
}

/** @throws HttpProblem 400 for an invalid end, and for an end before the beginning */
export function parseRanges(kind: Kind, given: Query): readonly KeyRange[] {
  const ends = Map.groupBy(rangeParametersOf(kind), ({ sort }) => sort);
  return [...ends].flatMap(([sort, parameters]) => {
    const [from, to] = parameters.map((parameter) => readBound(given, parameter));
    if (from === undefined && to === undefined) return [];
    if (from !== undefined && to !== undefined && from > to)
      throw invalidParameter(`${sort}.from must not be after ${sort}.to.`);
    return [{ sort, from, to }];
  });
}

/** @param unit in the message @throws HttpProblem 400 */
export function parseCount(given: Query, name: string, most: number, unit = ''): number | undefined {
  const text = singleOf(given, name);
  if (text === undefined) return undefined;
  const count = /^[1-9][0-9]{0,3}$/.test(text) ? Number(text) : most + 1;
  if (count > most) throw invalidParameter(`${name} must be a whole number${unit} from 1 to ${most}.`);
  return count;
}
