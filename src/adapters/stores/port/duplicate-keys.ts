/** Finds resources that share a key of a unique filter, before a store promises that no two do. */
import { createHash } from 'node:crypto';
import type { FilterName } from '../../../domain/find/filters.ts';
import { filterOf, joinKey } from '../../../domain/find/keys.ts';
import type { Kind } from '../../../domain/kinds/kind.ts';
import type { StoredResource } from '../../../domain/store.ts';

/** Keys are personal data, so the error names resources instead. */
const maxNamed = 10;

/** 48 bits. */
const hashOf = (key: string): number => createHash('sha1').update(key).digest().readUIntBE(0, 6);

/**
 * Takes all resources in one pass, which keeps hashes: those of a million keys take some 50 MB. If a hash has come twice, a second pass
 * compares the keys that have it.
 */
export class DuplicateKeys {
  readonly #kind: Kind;
  readonly #seen = new Set<number>();
  readonly #repeated = new Set<number>();
  #isSecond = false;
  /** The resource that came first, by key. */
  readonly #first = new Map<string, string>();
  readonly #sharing = new Map<FilterName, Set<string>>();

  constructor(kind: Kind) {
    this.#kind = kind;
  }

  add(stored: StoredResource, id: string): void {
    for (const key of this.#kind.uniqueKeysOf(this.#kind.makeKeysOf(id, stored)).map(joinKey)) {
      const hash = hashOf(key);
      if (this.#isSecond) {
        if (this.#repeated.has(hash)) this.#compare(id, key);
      } else if (this.#seen.has(hash)) this.#repeated.add(hash);
      else this.#seen.add(hash);
    }
  }

  /** To be called after a pass. @returns whether a second one must follow */
  beginSecond(): boolean {
    const isNeeded = !this.#isSecond && this.#repeated.size > 0;
    this.#isSecond = true;
    return isNeeded;
  }

  /** Some of the resources that share a key. */
  get ids(): readonly string[] {
    return [...this.#sharing.values()].flatMap((ids) => [...ids]);
  }

  /** @throws Error that names the filter and some of the resources */
  assertNone(): void {
    for (const [filter, ids] of this.#sharing)
      throw new Error(
        `${filter} must be unique from now on, and ${this.#kind.plural} share a value of it; nothing was changed. Change or remove all but one of those with the same value. ${maxNamed} at most are named: ${[...ids].slice(0, maxNamed).join(', ')}`,
      );
  }

  #compare(id: string, key: string): void {
    const first = this.#first.get(key);
    if (first === undefined) this.#first.set(key, id);
    const ids = this.#sharing.get(filterOf(key)) ?? new Set();
    if (first === undefined || ids.size >= maxNamed) return;
    this.#sharing.set(filterOf(key), ids.add(first).add(id));
  }
}
