import type { Bitmap } from './bitmap.ts';

/** A set at a data version. */
export interface FoundSet {
  readonly users: Bitmap;
  readonly state: number;
  /** All of them in the order of a list, once they were sorted; see pages.ts. */
  order?: { readonly name: string; readonly numbers: Uint32Array };
}

/** In bytes, measured with small sets: two typed arrays, the objects around them, and the place in the maps. */
const sizeOfEntry = 700;

/** What is counted of a set that is kept under one or more names. */
interface Counted {
  names: number;
  bytes: number;
}

const bytesOf = ({ users, order }: FoundSet): number => users.bytes + (order?.numbers.byteLength ?? 0);

/** Sets by name, up to a number of bytes: the one that was used longest ago is dropped first. */
export class RememberedSets {
  readonly #most: number;
  /** The one that was used longest ago comes first. */
  readonly #sets = new Map<string, FoundSet>();
  readonly #counted = new Map<FoundSet, Counted>();
  /** Names of sets that are of no use after a write. */
  readonly #ofState = new Set<string>();
  #state = 0;
  #bytes = 0;

  /** @param most in bytes */
  constructor(most: number) {
    this.#most = most;
  }

  get size(): number {
    return this.#sets.size;
  }

  /** Drops the sets of another state, but for those that are kept for lists. To be called before a search. */
  enter(state: number): void {
    if (state === this.#state) return;
    this.#state = state;
    for (const name of this.#ofState) this.#drop(name);
  }

  find(name: string): FoundSet | undefined {
    const found = this.#sets.get(name);
    if (found === undefined) return undefined;
    this.#sets.delete(name);
    this.#sets.set(name, found);
    return found;
  }

  /** @param isForList whether it is kept when the state changes */
  keep(name: string, set: FoundSet, isForList = false): void {
    this.#drop(name);
    this.#sets.set(name, set);
    if (!isForList) this.#ofState.add(name);
    const counted = this.#counted.get(set) ?? { names: 0, bytes: 0 };
    counted.names += 1;
    this.#counted.set(set, counted);
    this.#bytes += sizeOf(name);
    this.measure(set);
  }

  /** To be called when a set was sorted. */
  measure(set: FoundSet): void {
    const counted = this.#counted.get(set);
    if (counted === undefined) return;
    const bytes = bytesOf(set);
    this.#bytes += bytes - counted.bytes;
    counted.bytes = bytes;
    for (const name of this.#sets.keys()) {
      if (this.#bytes <= this.#most) return;
      this.#drop(name);
    }
  }

  #drop(name: string): void {
    const set = this.#sets.get(name);
    if (set === undefined) return;
    this.#sets.delete(name);
    this.#ofState.delete(name);
    this.#bytes -= sizeOf(name);
    const counted = this.#counted.get(set);
    if (counted === undefined) return;
    counted.names -= 1;
    if (counted.names > 0) return;
    this.#bytes -= counted.bytes;
    this.#counted.delete(set);
  }
}

const sizeOf = (name: string): number => sizeOfEntry + 2 * name.length;
