import type { Bitmap } from './bitmap.ts';

/** A set at a data version. */
export interface FoundSet {
  readonly users: Bitmap;
  readonly state: number;
  /** All of them in the order of a list, once they were sorted; see set-pages.ts. */
  order?: { readonly name: string; readonly numbers: Uint32Array };
}

interface Entry {
  readonly set: FoundSet;
  readonly bytes: number;
}

/** In bytes, measured with small sets: two typed arrays, the objects around them, and the place in the map. */
const sizeOfEntry = 700;

/** Sets by name, up to a number of bytes: the one that was used longest ago is dropped first. A set of two names counts twice. */
export class RememberedSets {
  readonly #most: number;
  /** The one that was used longest ago comes first. */
  readonly #entries = new Map<string, Entry>();
  /** Names of sets that are of no use after a write. */
  readonly #ofState = new Set<string>();
  #state = 0;
  #bytes = 0;

  /** @param most in bytes */
  constructor(most: number) {
    this.#most = most;
  }

  get size(): number {
    return this.#entries.size;
  }

  /** Drops the sets of another state, but for those that are kept for lists. To be called before a search. */
  enter(state: number): void {
    if (state === this.#state) return;
    this.#state = state;
    for (const name of this.#ofState) this.#drop(name);
  }

  find(name: string): FoundSet | undefined {
    const entry = this.#entries.get(name);
    if (entry === undefined) return undefined;
    this.#entries.delete(name);
    this.#entries.set(name, entry);
    return entry.set;
  }

  /** Again when the set was sorted. @param isForList whether it is kept when the state changes */
  keep(name: string, set: FoundSet, isForList = false): void {
    this.#drop(name);
    const bytes = sizeOfEntry + 2 * name.length + set.users.bytes + (set.order?.numbers.byteLength ?? 0);
    this.#entries.set(name, { set, bytes });
    if (!isForList) this.#ofState.add(name);
    this.#bytes += bytes;
    for (const oldest of this.#entries.keys()) {
      if (this.#bytes <= this.#most) return;
      this.#drop(oldest);
    }
  }

  #drop(name: string): void {
    this.#bytes -= this.#entries.get(name)?.bytes ?? 0;
    this.#entries.delete(name);
    this.#ofState.delete(name);
  }
}
