/** The bytes of a file that a person has chosen, unpacked if it is gzip. */
import { UnreadableError } from '../formats/text/positions.ts';
import type { FileFailure } from './engine.ts';

/** The first bytes of gzip (RFC 1952 §2.3.1). */
const [first, second] = [0x1f, 0x8b];

async function isPacked(file: Blob): Promise<boolean> {
  const start = new Uint8Array(await file.slice(0, 2).arrayBuffer());
  return start[0] === first && start[1] === second;
}

/** @throws UnreadableError for a damaged or truncated gzip */
async function* unpack(packed: ReadableStream<Uint8Array<ArrayBuffer>>): AsyncGenerator<Uint8Array> {
  const unpacked = packed.pipeThrough(new DecompressionStream('gzip'));
  try {
    for await (const chunk of chunksOf(unpacked)) yield chunk;
  } catch (error) {
    if (error instanceof TypeError) throw new UnreadableError('the gzip is damaged or cut off');
    throw error;
  }
}

/** Not every browser can iterate over a stream. */
async function* chunksOf<T>(stream: ReadableStream<T>): AsyncGenerator<T> {
  const reader = stream.getReader();
  try {
    for (let next = await reader.read(); !next.done; next = await reader.read()) yield next.value;
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}

export class PageSource {
  readonly #file: File;
  /** The number of bytes that were read, out of the file's size. */
  bytesRead = 0;

  constructor(file: File) {
    this.#file = file;
  }

  /** @throws UnreadableError as `unpack` */
  async *chunks(): AsyncGenerator<Uint8Array> {
    const counted = new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>({
      transform: (chunk, controller) => {
        this.bytesRead += chunk.length;
        controller.enqueue(chunk);
      },
    });
    const bytes = this.#file.stream().pipeThrough(counted);
    yield* (await isPacked(this.#file)) ? unpack(bytes) : chunksOf(bytes);
  }
}

/** The message of an error that ends the reading of a file. */
export const failureOf = (error: unknown): FileFailure => ({
  place: error instanceof UnreadableError ? error.position : undefined,
  detail: error instanceof Error ? error.message : String(error),
});
