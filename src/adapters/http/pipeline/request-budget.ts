/**
 * Limits the memory of all request bodies together: a connection costs its client little, and its body up to 2 MiB here. `api.ts` has
 * the largest single body, which `read-body.ts` checks.
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

interface Body {
  bytes: number;
  /** Undefined once the body has arrived. */
  refuse: (() => void) | undefined;
}

/** Large incomplete bodies give way first, so that small ones get through. */
function findLargestArriving(bodies: Iterable<Body>): Body | undefined {
  let largest: Body | undefined;
  for (const one of bodies) if (one.refuse !== undefined && one.bytes > (largest?.bytes ?? 0)) largest = one;
  return largest;
}

/** @param limit in bytes; 0: none */
export function bodyMemory(limit: number): BodyMemory {
  const bodies = new Set<Body>();
  let total = 0;
  const release = (body: Body): void => {
    if (bodies.delete(body)) total -= body.bytes;
  };
  const grow = (body: Body, bytes: number): boolean => {
    if (!bodies.has(body)) return false;
    body.bytes += bytes;
    total += bytes;
    while (limit > 0 && total > limit && bodies.has(body)) {
      const largest = findLargestArriving(bodies);
      release(largest ?? body);
      largest?.refuse?.();
    }
    return bodies.has(body);
  };
  return {
    reserve(refuse) {
      const body: Body = { bytes: 0, refuse };
      bodies.add(body);
      return {
        grow: (bytes) => grow(body, bytes),
        settle() {
          body.refuse = undefined;
        },
        release: () => release(body),
      };
    },
  };
}
