/**
 * Decodes a body from its content coding. koa-bodyparser would do so while it arrives: each of many connections would hold a decoder and
 * decoded bytes for as long as its client withholds the last byte. Here a body is decoded when it has arrived, few at a time.
 */
import { promisify } from 'node:util';
import { brotliDecompress, unzip } from 'node:zlib';
import { Slots } from '../../scheduler/slots.ts';

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
