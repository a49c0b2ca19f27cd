/** Finds the condition that the fewest resources match, by bounded counts in the index of each. */

import type { Documents } from '../documents/document.ts';
import { idIndex } from '../documents/indexes.ts';
import { hintOf, type Part } from './conditions.ts';
import type { Snapshot } from './memberships.ts';

/** A server sorts 100 MB without its disk: this many documents of five times the usual size. */
const mostSorted = 20_000;

export interface Fewest {
  /** The position of the part. */
  readonly at: number;
  /** Sorting them takes no longer than scanning the order for a page. */
  readonly isFew: boolean;
}

export interface FewestOptions {
  /** The largest number that counts as few. */
  readonly most?: number | undefined;
  readonly maxTimeMS: number;
}

export class FewestFinder {
  readonly #documents: Documents;
  readonly #limits: { readonly maxTimeMS: number };
  readonly #most: number;
  /** The number of resources at the last look. */
  #all: number | undefined;
  /** All pages of a list use the counts of its first page. */
  readonly #ofLists = new WeakMap<object, Promise<Fewest>>();

  constructor(documents: Documents, { most = mostSorted, maxTimeMS }: FewestOptions) {
    this.#documents = documents;
    this.#limits = { maxTimeMS };
    this.#most = most;
  }

  /** @param wanted the number of resources that are read or skipped @param list its handle */
  find(parts: readonly Part[], wanted: number, { options }: Snapshot, list: object = {}): Promise<Fewest> {
    const found = this.#ofLists.get(list) ?? this.#find(parts, wanted, options);
    this.#ofLists.set(list, found);
    return found;
  }

  /**
   * For each resource that it finds, a scan of the order passes as many as `all / matches`. So scanning for `wanted` takes as long as
   * sorting all matches when their number is the square root of `wanted * all`.
   */
  async #find(parts: readonly Part[], wanted: number, snapshot: Snapshot['options']): Promise<Fewest> {
    if (parts[0]?.rank === 0) return { at: 0, isFew: true };
    const all = await this.#estimateAll();
    const few = Math.min(this.#most, Math.ceil(Math.sqrt(wanted * all)));
    const options = { limit: few + 1, ...snapshot, ...this.#limits };
    const count = (part: Part) =>
      part.size ?? this.#documents.countDocuments(part.byIndex, { ...hintOf(part, idIndex), ...options });
    const counts = await Promise.all(parts.map(count));
    const least = Math.min(...counts);
    return { at: counts.indexOf(least), isFew: least <= few };
  }

  /** An estimate. The first query waits for the server; later ones take the previous number and refresh it. */
  async #estimateAll(): Promise<number> {
    const known = this.#all;
    const looking = this.#documents.estimatedDocumentCount(this.#limits).then((all) => (this.#all = all));
    if (known === undefined) return await looking;
    looking.catch(() => {});
    return known;
  }
}
