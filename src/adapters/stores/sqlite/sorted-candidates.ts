/** What a list of few candidates has found, sorted: its next pages are there already while nobody writes. */
import type { UserQuery } from '../../../domain/ports.ts';
import { comparePositions, type Position } from '../../../domain/sorts.ts';

/** Lists that are remembered; each has up to some ten thousand places. */
const maxLists = 4;

/** In the direction of the query's walk. */
export interface Sorted {
  readonly places: readonly Position[];
  /** Behind which they begin; undefined for all. */
  readonly after?: Position | undefined;
  /** Nobody is left out who comes behind them. */
  readonly isComplete: boolean;
}

export class SortedCandidates {
  readonly #lists = new Map<string, Sorted & { readonly state: number }>();

  /** @param state changes with every write @returns undefined when they aren't known as far as the query goes */
  find(query: UserQuery, state: number): readonly Position[] | undefined {
    const found = this.#lists.get(nameOf(query));
    if (found?.state !== state || !beginsBefore(found, query)) return undefined;
    const behind = found.places.length - indexBehind(found.places, query);
    return found.isComplete || behind >= (query.skip ?? 0) + query.limit ? found.places : undefined;
  }

  keep(query: UserQuery, state: number, sorted: Sorted): void {
    const name = nameOf(query);
    for (const [other, list] of this.#lists)
      if (other === name || list.state !== state) this.#lists.delete(other);
    this.#lists.set(name, { ...sorted, state });
    const [oldest] = this.#lists.keys();
    if (this.#lists.size > maxLists && oldest !== undefined) this.#lists.delete(oldest);
  }
}

const beginsBefore = ({ after }: Sorted, query: UserQuery): boolean =>
  after === undefined || (query.after !== undefined && comparisonFor(query)(query.after, after) >= 0);

const nameOf = ({ filters, terms, sort, backward }: UserQuery): string =>
  JSON.stringify([filters, terms, sort, backward]);

/** Of places, in the direction of the query's walk. */
export const comparisonFor = ({ sort, backward }: UserQuery) => {
  const direction = backward ? -1 : 1;
  return (one: Position, other: Position) => direction * comparePositions(one, other, sort);
};

/** Of the first place that comes after that of the query. */
export function indexBehind(places: readonly Position[], query: UserQuery): number {
  const { after } = query;
  if (after === undefined) return 0;
  const compare = comparisonFor(query);
  let [low, high] = [0, places.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (compare(places[middle] as Position, after) > 0) high = middle;
    else low = middle + 1;
  }
  return low;
}
