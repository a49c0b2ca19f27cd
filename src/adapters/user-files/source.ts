/** Reads a file of users, or standard input, as a stream; gzip is unpacked on the way. */
import { once } from 'node:events';
import { createReadStream, fstatSync, open } from 'node:fs';
import { Socket } from 'node:net';
import { addAbortSignal, pipeline, Readable } from 'node:stream';
import { isatty, ReadStream } from 'node:tty';
import { promisify } from 'node:util';
import { createGunzip } from 'node:zlib';
import { codeOf, withFileName } from '../system-errors.ts';
import { isPackedName, standardStream } from './file-name.ts';

type Chunks = AsyncGenerator<Buffer, void, undefined>;

/** As a socket a pipe or a terminal can be given up while nobody writes into it; reading it as a file would keep the process from ending. */
function openStream(fd: number): Readable {
  const stat = fstatSync(fd);
  if (stat.isDirectory()) throw new Error('it is a folder');
  if (isatty(fd)) return new ReadStream(fd);
  if (stat.isFIFO() || stat.isSocket()) return new Socket({ fd, readable: true, writable: false });
  return createReadStream('', { fd });
}

/** How gzip begins (RFC 1952 §2.3.1). */
const magic = Buffer.from([0x1f, 0x8b]);

/** zlib's own words are about its buffers. */
function describeUnpacking(error: unknown): unknown {
  const code = String(codeOf(error));
  if (code === 'Z_BUF_ERROR') return new Error('the gzip is cut off', { cause: error });
  return code.startsWith('Z_') ? new Error('the gzip is damaged', { cause: error }) : error;
}

async function* unpack(packed: Chunks): Chunks {
  const gunzip = createGunzip();
  let given = 0;
  async function* count(): Chunks {
    for await (const chunk of packed) {
      given += chunk.length;
      yield chunk;
    }
  }
  // Its errors come out of gunzip.
  pipeline(Readable.from(count(), { objectMode: false }), gunzip, () => undefined);
  try {
    for await (const chunk of gunzip) yield chunk as Buffer;
  } catch (error) {
    throw describeUnpacking(error);
  }
  // zlib passes over what it doesn't know behind the end.
  if (gunzip.bytesWritten < given) throw new Error('something stands behind the end of the gzip');
}

async function* unpackIfPacked(chunks: Chunks, mustBePacked: boolean): Chunks {
  let first: Buffer = Buffer.alloc(0);
  while (first.length < magic.length) {
    const step = await chunks.next();
    if (step.done === true) break;
    first = Buffer.concat([first, step.value]);
  }
  async function* whole(): Chunks {
    yield first;
    yield* chunks;
  }
  const isPacked = first.subarray(0, magic.length).equals(magic);
  if (mustBePacked && !isPacked) throw new Error('it is no gzip');
  yield* isPacked ? unpack(whole()) : whole();
}

export class Source {
  /** For people. */
  readonly name: string;
  /** Of the file as it lies there, in bytes; undefined where it isn't known, as of a pipe. */
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

  /** Of `size`. */
  get bytesRead(): number {
    return this.#bytesRead;
  }

  /** Also where nothing of it is wanted: an open pipe would keep the process. */
  close(): void {
    this.#stream.destroy();
  }

  /** Unpacked. To be called once; ends the stream when it is left early. @throws Error naming the file */
  async *chunks(): Chunks {
    const read = this.#read();
    try {
      yield* unpackIfPacked(read, this.#mustBePacked);
    } catch (error) {
      throw withFileName(this.name, error);
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
 * Waits until somebody writes, if it is a pipe.
 * @param path `-` for standard input
 * @param signal ends opening and reading
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
