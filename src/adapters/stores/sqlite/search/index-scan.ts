/**
 * The ranges of indexes that have resources in the order of a list, and how resources are read along them. An order by a key has two ranges: first
 * resources with a key, then those without one.
 */
import { type Condition, type KeyRange, matchesAll } from '../../../../domain/find/conditions.ts';
import { byMember } from '../../../../domain/find/owners.ts';
import { comparePositions, type Position, type Sort } from '../../../../domain/find/sorts.ts';
import type { PageQuery } from '../../../../domain/store.ts';
import { sortIdOf, sortOf } from '../layout/index-rows.ts';
import type { Tables } from '../layout/tables.ts';
import { countSql, documentsSql, numbersSql, placeSql, type Range, valuesOf } from './sql.ts';
import type { Statements } from './statements.ts';

/** A direction in which a page is read. */
export interface Order {
  readonly sort?: Sort | undefined;
  /** The resource nearest to `after` comes first. */
  readonly after?: Position | undefined;
  /** From the list's end to its beginning. */
  readonly backward?: boolean | undefined;
}

export function orderOf({ sort, after, before }: PageQuery): Order {
  if (before === undefined) return { sort, after };
  return { sort, after: before === 'end' ? undefined : before, backward: true };
}

const isDescending = ({ sort, backward = false }: Order): boolean => (sort?.descending ?? false) !== backward;

/** All resources with the filter's key, in the order of their ids. */
const rangeOfFilter = (query: Order, { keys }: Tables, filter: string, key: string): Range => ({
  index: keys,
  where: 'k.filter = ? AND k.key = ?',
  values: [filter, key],
  columns: ['k.id'],
  descending: isDescending(query),
  after: query.after && [query.after.id],
});

/** All resources after the query's place, one range after the other. */
export function rangesOf(query: Order, tables: Tables): Range[] {
  const { sort, after, backward = false } = query;
  const descending = isDescending(query);
  const afterId = after && [after.id];
  if (sort?.by === undefined)
    return [{ index: tables.rows, where: '1', values: [], columns: ['k.id'], descending, after: afterId }];
  const common = { index: tables.sortKeys, values: [sortIdOf(tables, sort.by)], descending };
  const keyed = { ...common, where: "k.sort = ? AND k.key > ''", columns: ['k.key', 'k.id'] };
  const others = { ...common, where: "k.sort = ? AND k.key = ''", columns: ['k.id'] };
  const ranges = backward ? [others, keyed] : [keyed, others];
  if (after === undefined) return ranges;
  const [current, next, place] =
    after.key === undefined ? [others, keyed, [after.id]] : [keyed, others, [after.key, after.id]];
  const isLast = ranges[1] === current;
  return [{ ...current, after: place }, ...(isLast ? [] : [next])];
}

/** Whether reading the list from `after` reaches the place. */
export function isBehind({ sort, after, backward = false }: Order, place: Position): boolean {
  if (after === undefined) return true;
  const order = comparePositions(place, after, sort);
  return backward ? order < 0 : order > 0;
}

/**
 * All resources with a key in the range, after the query's place, in the order of the keys. They begin after the later one of two places, because
 * SQLite seeks only one bound.
 */
export function rangesOfKeys(query: Order, { from, to }: KeyRange, tables: Tables): Range[] {
  const [start, end] = isDescending(query) ? [to, from] : [from, to];
  const first = start === undefined ? undefined : { key: start, id: '' };
  const after = first && isBehind(query, first) ? first : query.after;
  const keyed = rangesOf({ ...query, after }, tables).filter(({ columns }) => columns.includes('k.key'));
  if (end === undefined) return keyed;
  return keyed.map(({ where, values, ...range }) => ({
    ...range,
    where: range.descending ? where.replace("k.key > ''", 'k.key >= ?') : `${where} AND k.key < ?`,
    values: [...values, end],
  }));
}

/** The ranges that hold exactly the resources of the list; undefined if no index has such ranges. */
export function rangesOfAll(query: Order, where: Condition, tables: Tables): readonly Range[] | undefined {
  if (matchesAll(where)) return rangesOf(query, tables);
  if ('sort' in where) return query.sort?.by === where.sort ? rangesOfKeys(query, where, tables) : undefined;
  if (query.sort?.by !== undefined) return undefined;
  return 'filter' in where && where.filter !== byMember
    ? [rangeOfFilter(query, tables, where.filter, where.key)]
    : undefined;
}

/** Reads resources along ranges, in their order. */
export class IndexScan {
  readonly #statements: Statements;
  #ranges: readonly Range[];
  /** The number of the last resource that was read in the first range. */
  #last: number | undefined;

  constructor(statements: Statements, ranges: readonly Range[]) {
    this.#statements = statements;
    this.#ranges = ranges;
  }

  /** The numbers of the next resources of a range, `count` at most; none at the end. */
  next(count: number): Uint32Array {
    for (;;) {
      const [found, ...rest] = this.#ranges;
      if (found === undefined) return new Uint32Array();
      const range = this.#last === undefined ? found : this.#behindRow(found, this.#last);
      const numbers = this.#statements.numbers(numbersSql(range), [...valuesOf(range), count]);
      const last = numbers.at(-1);
      const isMore = last !== undefined && numbers.length === count;
      this.#last = isMore ? last : undefined;
      this.#ranges = isMore ? [range, ...rest] : rest;
      if (last !== undefined) return numbers;
    }
  }

  /** The resource's own row has the place, without a scan of the index. */
  #behindRow(range: Range, last: number): Range {
    const by = sortOf(this.#statements.tables, range.values[0] ?? -1);
    const { id, key = '' } = this.#statements.placeOf(last, { by });
    return { ...range, after: range.columns.length === 1 ? [id] : [key, id] };
  }

  /** The range behind `count` entries; the range itself if it has fewer. */
  #behind(range: Range, count: number): Range {
    const place = this.#statements.get<string>(placeSql(range), [...valuesOf(range), count - 1]);
    return place === undefined ? range : { ...range, after: JSON.parse(place) };
  }

  /** As `next`, of all ranges. */
  take(count: number): number[] {
    const numbers: number[] = [];
    while (numbers.length < count) {
      const some = this.next(count - numbers.length);
      if (some.length === 0) break;
      numbers.push(...some);
    }
    return numbers;
  }

  /** Skips this many entries. To be called before any read. */
  skip(count: number): void {
    let left = count;
    while (left > 0) {
      const [range, ...rest] = this.#ranges;
      if (range === undefined) return;
      const start = this.#behind(range, left);
      if (start !== range) this.#ranges = [start, ...rest];
      if (start !== range) return;
      left -= this.#statements.get<number>(countSql(range), valuesOf(range)) ?? 0;
      this.#ranges = rest;
    }
  }

  /** The documents of the next resources, `limit` at most, instead of their numbers. */
  documents(limit: number): string[] {
    const documents: string[] = [];
    for (const range of this.#ranges) {
      const values = [...valuesOf(range), limit - documents.length];
      documents.push(...this.#statements.all<string>(documentsSql(this.#statements.tables, range), values));
      if (documents.length >= limit) break;
    }
    return documents;
  }
}
