/**
 * Limits the memory of all request bodies together: a connection costs its client little, and its body up to 256 KiB here. The largest single
 * body is the API's `maxBodyBytes` (`pipeline/api.ts`), which `pipeline/read-body.ts` checks.
 */

/** The memory reserved for one body. */
export interface BodyReservation {
  /**
   * @param bytes to add; other bodies may be refused to make room
   * @returns false if there is no room; the body is then released
   */
  grow(bytes: number): boolean;
  /** The body has arrived: from now on it is not refused for others. */
  settle(): void;
  /** Calling it again does nothing. */
  release(): void;
}

export interface BodyMemory {
  /** @param refuse called once, if this body has to make room; its memory is then released */
  reserve(refuse: () => void): BodyReservation;
}

class Reservation implements BodyReservation {
  bytes = 0;
  /** Undefined once the body has arrived. */
  refuse: (() => void) | undefined;
  readonly #all: Reservations;

  constructor(all: Reservations, refuse: () => void) {
    this.#all = all;
    this.refuse = refuse;
  }

  grow(bytes: number): boolean {
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

class Reservations extends Set<Reservation> {
  total = 0;
  readonly #limit: number;

  constructor(limit: number) {
    super();
    this.#limit = limit;
  }

  /** Adds bytes. False if they are too many and no other body can be refused. */
  makeRoom(bytes: number): boolean {
    this.total += bytes;
    while (this.#limit > 0 && this.total > this.#limit) {
      const largest = this.#findLargestArriving();
      if (largest === undefined) return false;
      largest.release();
      largest.refuse?.();
    }
    return true;
  }

  /** Large incomplete bodies give way first, so that small ones get through. */
  #findLargestArriving(): Reservation | undefined {
    let largest: Reservation | undefined;
    for (const one of this) if (one.refuse !== undefined && one.bytes > (largest?.bytes ?? 0)) largest = one;
    return largest;
  }
}

/** @param limit in bytes; 0: none */
export function bodyMemory(limit: number): BodyMemory {
  const all = new Reservations(limit);
  return {
    reserve(refuse) {
      const reservation = new Reservation(all, refuse);
      all.add(reservation);
      return reservation;
    },
  };
}
