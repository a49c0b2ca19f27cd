/**
 * Takes a body out of its content coding. koa-bodyparser would do so while it arrives: each of many connections would hold what
 * inflates it, and what is inflated, for as long as its client keeps back the last byte. So here it is done when all has arrived,
 * for few at a time.
 */
import { promisify } from 'node:util';
import { brotliDecompress, unzip } from 'node:zlib';

/** How many are inflated at once: half of the threads that Node has for such work, as tokens are verified there too. */
const atOnce = 2;

const how: Readonly<
  Record<string, (bytes: Buffer, options: { maxOutputLength: number }) => Promise<Buffer>>
> = {
  gzip: promisify(unzip),
  // Some say deflate and mean gzip.
  deflate: promisify(unzip),
  br: promisify(brotliDecompress),
};

export interface Inflater {
  /**
   * @param coding one of gzip, deflate and br; with any other the bytes come back as they are
   * @param most in bytes
   * @throws Error of zlib: `ERR_BUFFER_TOO_LARGE` when it is more
   */
  inflate(bytes: Buffer, coding: string, most: number): Promise<Buffer>;
}

export function inflater(): Inflater {
  const waiting: (() => void)[] = [];
  let free = atOnce;
  return {
    async inflate(bytes, coding, most) {
      const inflate = how[coding];
      if (inflate === undefined) return bytes;
      if (free === 0) await new Promise<void>((go) => waiting.push(go));
      else free -= 1;
      try {
        return await inflate(bytes, { maxOutputLength: most });
      } finally {
        const next = waiting.shift();
        if (next === undefined) free += 1;
        else next();
      }
    },
  };
}
