/** The first of many places, which come in any order. */
import type { UserQuery } from '../../../domain/ports.ts';
import type { Position } from '../../../domain/sorts.ts';
import { comparisonFor, indexBehind } from './sorted-candidates.ts';

/** Whenever so many more have come they are sorted into those before them: a few milliseconds' work. */
const sortedAtOnce = 2_000;

export class BestPlaces {
  readonly #query: UserQuery;
  readonly #compare: (one: Position, other: Position) => number;
  readonly #most: number;
  #places: Position[] = [];
  #sorted = 0;
  #isAll = true;
  #isComplete = true;

  /** @param most so many are kept: the first in the direction of the query's walk; of more than these, the first behind `after` */
  constructor(query: UserQuery, most: number) {
    this.#query = query;
    this.#compare = comparisonFor(query);
    this.#most = most;
  }

  /** True while none was dropped. */
  get isAll(): boolean {
    return this.#isAll;
  }

  /** True while none was dropped that comes behind `after`. */
  get isComplete(): boolean {
    return this.#isComplete;
  }

  add(places: readonly Position[]): void {
    for (const place of places) if (!this.#isOut(place)) this.#places.push(place);
    if (this.#places.length - this.#sorted >= sortedAtOnce) this.#sort();
  }

  /** In their order. */
  finish(): readonly Position[] {
    this.#sort();
    return this.#places;
  }

  #isOut(place: Position): boolean {
    const { after } = this.#query;
    if (!this.#isAll && after !== undefined && this.#compare(place, after) <= 0) return true;
    const last = this.#isComplete ? undefined : this.#places[this.#most - 1];
    return last !== undefined && this.#compare(place, last) > 0;
  }

  #sort(): void {
    this.#places.sort(this.#compare);
    if (this.#places.length > this.#most) {
      if (this.#isAll) this.#places.splice(0, indexBehind(this.#places, this.#query));
      this.#isAll = false;
    }
    if (this.#places.length > this.#most) {
      this.#places.length = this.#most;
      this.#isComplete = false;
    }
    this.#sorted = this.#places.length;
  }
}
