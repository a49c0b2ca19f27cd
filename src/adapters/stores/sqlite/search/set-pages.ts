/** Finds a page among the resources of a set. */
import { type Condition, matchAll } from '../../../../domain/find/conditions.ts';
import { comparePositions, type Position, type Sort } from '../../../../domain/find/sorts.ts';
import type { FoundSet } from './found-sets.ts';
import { IndexScan, type Order, rangesOf } from './index-scan.ts';
import { fetchCost } from './sets.ts';
import type { Statements } from './statements.ts';

/** Entries of an index that are scanned between two looks at the clock, in 4 to 7 ms. A scan begins with a fraction of them. */
const scannedAtOnce = 20_000;

export interface SetQuery extends Order {
  readonly skip: number;
  readonly limit: number;
}

/** The numbers of the resources of the page, in the direction of reading. */
export function findPage(
  statements: Statements,
  query: SetQuery,
  set: FoundSet,
  condition: Condition,
): readonly number[] {
  const name = nameOf(query.sort, statements.state);
  if (set.order?.name !== name) {
    const page = scanFor(statements, query, set, condition);
    if (page !== undefined) return page;
    const resources = stillMatching(statements, set, set.resources.numbers(), condition);
    set.order = { name, numbers: statements.sort(resources, query.sort ?? {}) };
  }
  return pageOf(statements, query, set.order.numbers);
}

/** The name of an order, in one state of the data. */
const nameOf = ({ by = '', descending = false }: Sort = {}, state: number): string =>
  `${state} ${descending ? '-' : ''}${by}`;

/** Only resources that still match, if there were writes since the set was made. */
function* stillMatching(
  statements: Statements,
  set: FoundSet,
  numbers: Iterable<number>,
  condition: Condition,
): Generator<number> {
  if (set.state === statements.state) return yield* numbers;
  for (const some of statements.keepMatching(numbers, condition)) yield* some;
}

/** @returns undefined if the set should be sorted */
function scanFor(
  statements: Statements,
  query: SetQuery,
  set: FoundSet,
  condition: Condition,
): number[] | undefined {
  const { skip, limit } = query;
  const total = statements.countOf(matchAll) ?? 0;
  const sortingCost = fetchCost * set.resources.size;
  // The number of entries up to the page's end, if the set is spread evenly.
  const evenly = ((skip + limit) * total) / Math.max(1, set.resources.size);
  const scan = new IndexScan(statements, rangesOf(query, statements.tables));
  const page: number[] = [];
  let left = skip;
  let step = Math.max(limit, Math.min(scannedAtOnce, Math.ceil(2 * evenly)));
  for (let scanned = 0; ; scanned += step, step = Math.min(scannedAtOnce, 2 * step)) {
    const isTooFar = scanned >= sortingCost || evenly > sortingCost;
    if (isTooFar && sortingCost < total - scanned) return undefined;
    statements.assertInTime();
    const numbers = scan.next(step);
    if (numbers.length === 0) return page;
    const found = numbers.filter((n) => set.resources.has(n));
    for (const n of stillMatching(statements, set, found, condition)) {
      if (left > 0) left -= 1;
      else page.push(n);
      if (page.length === limit) return page;
    }
  }
}

function pageOf(statements: Statements, query: SetQuery, order: Uint32Array): number[] {
  const { after, backward = false, skip, limit } = query;
  if (!backward) {
    const start = skip + (after === undefined ? 0 : indexOf(statements, query, order, after));
    return [...order.subarray(start, start + limit)];
  }
  const end = (after === undefined ? order.length : indexOf(statements, query, order, after)) - skip;
  return [...order.subarray(Math.max(0, end - limit), Math.max(0, end))].reverse();
}

/** The number of resources in front of the place; forwards, with the resource at the place. */
function indexOf(
  statements: Statements,
  { sort = {}, backward = false }: SetQuery,
  order: Uint32Array,
  place: Position,
): number {
  let [low, high] = [0, order.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    const compared = comparePositions(statements.placeOf(order[middle] as number, sort), place, sort);
    if (compared < 0 || (compared === 0 && !backward)) low = middle + 1;
    else high = middle;
  }
  return low;
}
