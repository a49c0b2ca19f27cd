/**
 * Reads a user file or standard input as a stream, and unpacks gzip. `target.ts` is the other direction, and says what a file name means.
 * Neither knows a format: bytes come in and go out.
 */

import { once } from 'node:events';
import { createReadStream, fstatSync, open } from 'node:fs';
import { Socket } from 'node:net';
import { addAbortSignal, type Readable } from 'node:stream';
import { isatty, ReadStream } from 'node:tty';
import { promisify } from 'node:util';
import { createGunzip } from 'node:zlib';
import { peek } from '../../adapters/formats/text/file-text.ts';
import { UnreadableError } from '../../adapters/formats/text/positions.ts';
import { codeOf, withFileName } from '../../adapters/system/errors.ts';
import { isPackedName, standardStream } from './target.ts';

type Chunks = AsyncGenerator<Buffer, void, undefined>;

/**
 * A pipe or terminal is opened as a socket, which can be closed while nothing is written to it. Reading it as a file would keep the process
 * from exiting.
 */
function openStream(fd: number): Readable {
  const stat = fstatSync(fd);
  if (stat.isDirectory()) throw new Error('it is a folder');
  if (isatty(fd)) return new ReadStream(fd);
  if (stat.isFIFO() || stat.isSocket()) return new Socket({ fd, readable: true, writable: false });
  return createReadStream('', { fd });
}

/** The first bytes of gzip (RFC 1952 §2.3.1). */
const magic = Buffer.from([0x1f, 0x8b]);

const cutOff = 'the gzip is cut off';

/** zlib's own messages describe its buffers. */
function describeUnpacking(error: unknown): unknown {
  const code = String(codeOf(error));
  if (code === 'Z_BUF_ERROR') return new UnreadableError(cutOff);
  return code.startsWith('Z_') ? new UnreadableError('the gzip is damaged') : error;
}

/** Unpacks gzip piece by piece. After an error, gunzip discards output that hasn't been read yet, so each piece is drained at once. */
class Unpacker {
  readonly #gunzip = createGunzip();
  #isIdle = true;
  #failure: unknown;
  #wake = (): void => undefined;

  constructor() {
    const settle = (): void => {
      this.#isIdle = true;
      this.#wake();
    };
    this.#gunzip.on('readable', () => this.#wake());
    this.#gunzip.once('end', settle);
    this.#gunzip.once('error', (error) => {
      this.#failure = error;
      settle();
    });
  }

  /** True after the end of the gzip: further input is ignored. */
  get hasEnded(): boolean {
    return this.#gunzip.readableEnded;
  }

  /** The number of input bytes consumed. */
  get length(): number {
    return this.#gunzip.bytesWritten;
  }

  /** Ends when the output of all this input has been read. */
  write(packed: Uint8Array): Chunks {
    this.#isIdle = false;
    this.#gunzip.write(packed, (error) => {
      // The error event has more detail.
      if (error) return;
      this.#isIdle = true;
      this.#wake();
    });
    return this.#drain();
  }

  /** Ends the input. */
  end(): Chunks {
    this.#isIdle = false;
    this.#gunzip.end();
    return this.#drain();
  }

  close(): void {
    this.#gunzip.destroy();
  }

  async *#drain(): Chunks {
    for (;;) {
      const chunk: Buffer | null = this.#gunzip.read();
      if (chunk !== null) yield chunk;
      else if (this.#failure !== undefined) throw describeUnpacking(this.#failure);
      else if (this.#isIdle) return;
      else
        await new Promise<void>((resolve) => {
          this.#wake = resolve;
        });
    }
  }
}

async function* unpack(packed: AsyncIterable<Uint8Array>): Chunks {
  const unpacker = new Unpacker();
  let given = 0;
  try {
    for await (const chunk of packed) {
      given += chunk.length;
      yield* unpacker.write(chunk);
      if (unpacker.hasEnded) break;
    }
    if (!unpacker.hasEnded) yield* unpacker.end();
  } finally {
    unpacker.close();
  }
  // zlib ignores unknown data after the end.
  if (unpacker.length < given) throw new UnreadableError('data follows the end of the gzip');
}

async function* unpackIfPacked(chunks: Chunks, mustBePacked: boolean): AsyncGenerator<Uint8Array> {
  const { first, chunks: all } = await peek(chunks, magic.length);
  const start = first.subarray(0, magic.length);
  const isBegun = (mustBePacked || start.length > 0) && magic.subarray(0, start.length).equals(start);
  if (isBegun && start.length < magic.length) throw new UnreadableError(cutOff);
  if (mustBePacked && !isBegun) throw new Error('it is not gzip');
  yield* isBegun ? unpack(all) : all;
}

export class Source {
  /** The name for messages. */
  readonly name: string;
  /** The file's size before unpacking, in bytes; undefined if unknown, for example for a pipe. */
  readonly size: number | undefined;
  readonly #stream: Readable;
  readonly #mustBePacked: boolean;
  #bytesRead = 0;

  constructor(path: string, fd: number, signal: AbortSignal) {
    this.name = path === standardStream ? 'standard input' : path;
    const stat = fstatSync(fd);
    this.size = stat.isFile() ? stat.size : undefined;
    this.#stream = addAbortSignal(signal, openStream(fd));
    this.#mustBePacked = isPackedName(path);
  }

  /** The number of bytes read, out of `size`. */
  get bytesRead(): number {
    return this.#bytesRead;
  }

  /** Call it even if nothing was read: an open pipe would keep the process running. */
  close(): void {
    this.#stream.destroy();
  }

  /**
   * The unpacked content. Call it once; leaving the loop early closes the stream.
   * @throws Error naming the file; UnreadableError for a truncated or damaged gzip
   */
  async *chunks(): AsyncGenerator<Uint8Array, void, undefined> {
    const read = this.#read();
    try {
      yield* unpackIfPacked(read, this.#mustBePacked);
    } catch (error) {
      throw error instanceof UnreadableError ? error : withFileName(this.name, error);
    } finally {
      await read.return();
    }
  }

  async *#read(): Chunks {
    for await (const chunk of this.#stream) {
      this.#bytesRead += chunk.length;
      yield chunk;
    }
  }
}

/** Rejects with the signal's reason. */
async function throwWhenAborted(signal: AbortSignal): Promise<never> {
  signal.throwIfAborted();
  await once(signal, 'abort');
  throw signal.reason;
}

const openFile = promisify(open);

/**
 * Opens a file, or a pipe after its writer has opened it.
 * @param path `-` for standard input
 * @param signal aborts opening and reading
 * @throws Error naming the file when it can't be read
 */
export async function openSource(path: string, signal: AbortSignal): Promise<Source> {
  try {
    const fd =
      path === standardStream ? 0 : await Promise.race([openFile(path, 'r'), throwWhenAborted(signal)]);
    return new Source(path, fd, signal);
  } catch (error) {
    throw withFileName(path, error);
  }
}
