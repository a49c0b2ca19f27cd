/** What has been counted in the index of words, by blocks of users: it holds of those in which no words have changed since. */

/** Queries that are remembered. */
const maxQueries = 100;

/** Blocks that are remembered, of all queries together. */
const maxBlocks = 100_000;

interface Counted {
  readonly changes: number;
  readonly users: number;
}

export class KnownCounts {
  /** The one that was asked for longest ago comes first. */
  readonly #queries = new Map<string, Map<number, Counted>>();

  /** @param changes of each block, as they stood before anything is counted */
  of(query: string, changes: ReadonlyMap<number, number>) {
    const counted = this.#queries.get(query) ?? new Map<number, Counted>();
    this.#queries.delete(query);
    this.#queries.set(query, counted);
    const most = Math.max(1, Math.min(maxQueries, Math.floor(maxBlocks / Math.max(1, changes.size))));
    for (const oldest of this.#queries.keys()) {
      if (this.#queries.size <= most) break;
      this.#queries.delete(oldest);
    }
    return {
      find: (block: number): number | undefined => {
        const known = counted.get(block);
        return known?.changes === (changes.get(block) ?? 0) ? known.users : undefined;
      },
      /** @returns `users` */
      keep: (block: number, users: number): number => {
        counted.set(block, { changes: changes.get(block) ?? 0, users });
        return users;
      },
    };
  }
}
