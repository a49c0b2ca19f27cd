/** Sets of matches, as bits, and how the search thread remembers them. */

/** A set of numbers: a bit for each. */
export class Bitmap {
  readonly #words: Uint32Array;
  readonly size: number;

  private constructor(words: Uint32Array, size: number) {
    this.#words = words;
    this.size = size;
  }

  /**
   * @param last the largest possible number
   * @param lists of numbers; numbers above `last` are left out
   * @param most reading stops once the set has more numbers
   */
  static of(last: number, lists: Iterable<Iterable<number>>, most = Number.POSITIVE_INFINITY): Bitmap {
    const words = new Uint32Array((last >>> 5) + 1);
    let size = 0;
    for (const numbers of lists) {
      for (const n of numbers) {
        const [word, bit] = [words[n >>> 5] ?? 0, 1 << (n & 31)];
        if (n > last || (word & bit) !== 0) continue;
        words[n >>> 5] = word | bit;
        size += 1;
      }
      if (size > most) break;
    }
    return new Bitmap(words, size);
  }

  /** Its size in memory. */
  get bytes(): number {
    return this.#words.byteLength;
  }

  has(n: number): boolean {
    return ((this.#words[n >>> 5] ?? 0) & (1 << (n & 31))) !== 0;
  }

  and(other: Bitmap): Bitmap {
    return Bitmap.#from(this.#words.map((word, at) => word & (other.#words[at] ?? 0)));
  }

  /** The numbers that the other set lacks. */
  without(other: Bitmap): Bitmap {
    return Bitmap.#from(this.#words.map((word, at) => word & ~(other.#words[at] ?? 0)));
  }

  static #from(words: Uint32Array): Bitmap {
    return new Bitmap(
      words,
      words.reduce((sum, word) => sum + countBits(word), 0),
    );
  }

  /** In ascending order. */
  *numbers(): Generator<number> {
    for (let at = 0; at < this.#words.length; at += 1)
      for (let rest = this.#words[at] as number; rest !== 0; rest &= rest - 1)
        yield at * 32 + 31 - Math.clz32(rest & -rest);
  }
}

/** @param word of 32 bits */
function countBits(word: number): number {
  const pairs = word - ((word >>> 1) & 0x55555555);
  const nibbles = (pairs & 0x33333333) + ((pairs >>> 2) & 0x33333333);
  return Math.imul((nibbles + (nibbles >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}

/** A set, and the state of the data in which it was made. */
export interface FoundSet {
  readonly resources: Bitmap;
  readonly state: number;
  /** All numbers in the order of a list, if they were sorted (set-pages.ts). */
  order?: { readonly name: string; readonly numbers: Uint32Array };
}

/** In bytes, measured with small sets: two typed arrays, the objects around them, and an entry of the map. */
const sizeOfEntry = 700;

/** Sets by name, up to a number of bytes. The least recently used set is dropped first. A set with two names counts twice. */
export class RememberedSets {
  readonly #most: number;
  /** The least recently used one comes first. */
  readonly #entries = new Map<string, { readonly set: FoundSet; readonly bytes: number }>();
  /** Names of sets that a write makes useless. */
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

  /** Drops the sets of earlier states, except those that are kept for lists. To be called before a search. */
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

  /** To be called again when the set has been sorted. @param isForList whether it is kept when the state changes */
  keep(name: string, set: FoundSet, isForList = false): void {
    this.#drop(name);
    const bytes = sizeOfEntry + 2 * name.length + set.resources.bytes + (set.order?.numbers.byteLength ?? 0);
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
