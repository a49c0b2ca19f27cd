/** What request bodies hold in memory, counted over all of them: a connection costs its client little, and its body 256 KiB here. */

/** What one body holds. */
export interface Holding {
  /** Counts more of it, in bytes; may have others refused. False when there is no room for it: it is released then. */
  add(bytes: number): boolean;
  /** It has arrived: from now on it is not refused for others. */
  settle(): void;
  /** It is no longer held. Doing so again does nothing. */
  release(): void;
}

export interface BodyMemory {
  /** @param refuse called once, when this body has to go; it is released then */
  hold(refuse: () => void): Holding;
  /** Of all of them, in bytes. */
  total(): number;
}

class Held implements Holding {
  bytes = 0;
  refuse: (() => void) | undefined;
  readonly #all: Shared;

  constructor(all: Shared, refuse: () => void) {
    this.#all = all;
    this.refuse = refuse;
  }

  add(bytes: number): boolean {
    if (!this.#all.has(this)) return false;
    this.bytes += bytes;
    if (!this.#all.makeRoom(bytes)) this.release();
    return this.#all.has(this);
  }

  settle(): void {
    this.refuse = undefined;
  }

  release(): void {
    if (this.#all.delete(this)) this.#all.total -= this.bytes;
  }
}

/** Those that are held. */
class Shared extends Set<Held> {
  total = 0;
  readonly #limit: number;

  constructor(limit: number) {
    super();
    this.#limit = limit;
  }

  /** Counts so many more; false when they are still too many with nobody left to refuse. */
  makeRoom(bytes: number): boolean {
    this.total += bytes;
    while (this.#limit > 0 && this.total > this.#limit) {
      const largest = this.#largestArriving();
      if (largest === undefined) return false;
      largest.release();
      largest.refuse?.();
    }
    return true;
  }

  /** Whoever keeps back the end of a large body gives way first, so that small ones get through meanwhile. */
  #largestArriving(): Held | undefined {
    let found: Held | undefined;
    for (const held of this) if (held.refuse !== undefined && held.bytes > (found?.bytes ?? 0)) found = held;
    return found;
  }
}

/** @param limit in bytes; 0: none */
export function bodyMemory(limit: number): BodyMemory {
  const all = new Shared(limit);
  return {
    hold(refuse) {
      const held = new Held(all, refuse);
      all.add(held);
      return held;
    },
    total: () => all.total,
  };
}
