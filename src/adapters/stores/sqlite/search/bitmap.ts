/** A set of users: a bit for each user number. */
export class Bitmap {
  readonly #words: Uint32Array;
  readonly size: number;

  private constructor(words: Uint32Array, size: number) {
    this.#words = words;
    this.size = size;
  }

  /**
   * @param last the largest number that there may be
   * @param lists of numbers; larger ones are left out
   * @param most no further list is taken once there are more
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

  /** In memory. */
  get bytes(): number {
    return this.#words.byteLength;
  }

  has(n: number): boolean {
    return ((this.#words[n >>> 5] ?? 0) & (1 << (n & 31))) !== 0;
  }

  and(other: Bitmap): Bitmap {
    const words = this.#words.map((word, at) => word & (other.#words[at] ?? 0));
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

/** Of 32. */
function countBits(word: number): number {
  const pairs = word - ((word >>> 1) & 0x55555555);
  const nibbles = (pairs & 0x33333333) + ((pairs >>> 2) & 0x33333333);
  return Math.imul((nibbles + (nibbles >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}
