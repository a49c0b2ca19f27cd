/** Remembers which rows wrote which keys, to name them when a later row has the same. */

/** In each of two generations, in a megabyte: those of some 5,000 rows, more than people write by hand. */
const maxTokens = 10_000;

export class RowWriters {
  #recent = new Map<string, string>();
  #older: ReadonlyMap<string, string> = new Map();

  add(tokens: readonly string[], row: string): void {
    for (const token of tokens) this.#recent.set(token, row);
    if (this.#recent.size < maxTokens) return;
    this.#older = this.#recent;
    this.#recent = new Map();
  }

  /** @returns undefined also for a row long ago */
  readonly find = (token: string): string | undefined => this.#recent.get(token) ?? this.#older.get(token);
}
