/** What a list of few candidates has found, sorted: its next pages are there already while nobody writes. */
import type { UserQuery } from '../../../domain/ports.ts';
import type { Position } from '../../../domain/sorts.ts';

/** Where a user stands, and the column `sorts` that says so. */
export interface Place extends Position {
  readonly sorts: string | null;
}

/** Lists that are remembered; each has up to some ten thousand places. */
const maxLists = 4;

export class SortedCandidates {
  readonly #lists = new Map<string, { readonly state: number; readonly places: readonly Place[] }>();

  /** @param state changes with every write @returns in the direction of the query's walk */
  find(query: UserQuery, state: number): readonly Place[] | undefined {
    const found = this.#lists.get(nameOf(query));
    return found?.state === state ? found.places : undefined;
  }

  keep(query: UserQuery, state: number, places: readonly Place[]): void {
    const name = nameOf(query);
    this.#lists.delete(name);
    this.#lists.set(name, { state, places });
    const [oldest] = this.#lists.keys();
    if (this.#lists.size > maxLists && oldest !== undefined) this.#lists.delete(oldest);
  }
}

const nameOf = ({ filters, terms, sort, backward }: UserQuery): string =>
  JSON.stringify([filters, terms, sort, backward]);
