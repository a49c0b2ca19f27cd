/**
 * Limits the memory of all request bodies together: a connection costs its client little, and its body up to 2 MiB here. `api.ts` has
 * the largest single body, which `read-body.ts` checks. At the end: bodies are decoded few at a time.
 */
import { promisify } from 'node:util';
import { brotliDecompress, unzip } from 'node:zlib';
import { Slots } from '../../scheduler/slots.ts';

/** The memory reserved for one body. */
export interface BodyReservation {
  /** @param bytes to add; other bodies may be refused to make room @returns false if there is no room; the body is then released */
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

/** The number of bodies that are decoded at a time. One client gets half of Node's thread pool, which also verifies tokens. */
const concurrency = 3;

const decoders: Readonly<
  Record<string, (bytes: Buffer, options: { maxOutputLength: number }) => Promise<Buffer>>
> = {
  gzip: promisify(unzip),
  // Not inflate: some clients say deflate and send gzip.
  deflate: promisify(unzip),
  br: promisify(brotliDecompress),
};

export interface Inflater {
  /**
   * @param client that sent the body
   * @param coding gzip, deflate or br; with any other coding the bytes are returned unchanged
   * @param most the maximum number of bytes after decoding
   * @throws Error of zlib: `ERR_BUFFER_TOO_LARGE` for more bytes
   */
  inflate(client: string, bytes: Buffer, coding: string, most: number): Promise<Buffer>;
}

/**
 * Decodes bodies from their content coding. koa-bodyparser would do so while it arrives: each of many connections would hold a decoder and
 * decoded bytes for as long as its client withholds the last byte. Here a body is decoded when it has arrived, few at a time.
 */
export function inflater(): Inflater {
  const slots = new Slots(concurrency);
  return {
    async inflate(client, bytes, coding, most) {
      const decode = decoders[coding];
      if (decode === undefined) return bytes;
      return slots.run(client, () => decode(bytes, { maxOutputLength: most }));
    },
  };
}
