/**
 * Output that never blocks: lines are queued while the reader is slow, and dropped when the queue is full.
 *
 * `log.ts` writes the log for machines through it, and `startup-messages.ts` messages for people. Commands report through `progress.ts`,
 * which a first reading may skip.
 */
import { constants, fstatSync, openSync, writeSync } from 'node:fs';
import { Socket } from 'node:net';
import { codeOf } from '../../adapters/system/errors.ts';

/** PIPE_BUF on Linux: the most that a pipe takes in one piece. Longer lines of two processes could get mixed. */
export const atomicWriteBytes = 4096;

/** Enough for the log lines of about 4,000 requests. */
const maxQueuedBytes = 1024 * 1024;

/** The most bytes that wait for the end of the turn. They save system calls, each of which takes as long as printing a line. */
const maxJoinedBytes = 64 * 1024;

/** The delay of a retry, in ms: short after progress, then doubled up to the maximum. */
const minRetryMs = 1;
const maxRetryMs = 100;
const errorRetryMs = 1000;

/** How long the end of the process waits for a slow reader, in ms. */
const drainMs = 500;

const sleepCell = new Int32Array(new SharedArrayBuffer(4));

/**
 * A descriptor for the same output, on which writes fail with EAGAIN instead of blocking. (Writes to files don't block.)
 * Linux opens it again, so that only the new descriptor is non-blocking and not, for example, the shell's on the same
 * terminal. Where that isn't possible, as for a socket or another user's pipe, the shared descriptor becomes non-blocking.
 */
function toNonBlocking(fd: number): number {
  const stat = fstatSync(fd);
  const isStream = stat.isFIFO() || stat.isSocket();
  if (!isStream && !stat.isCharacterDevice()) return fd;
  try {
    const { O_WRONLY, O_NONBLOCK, O_NOCTTY } = constants;
    if (process.platform === 'linux')
      return openSync(`/proc/self/fd/${fd}`, O_WRONLY | O_NONBLOCK | O_NOCTTY);
  } catch {
    // A socket, another user's pipe, or a pipe without a reader.
  }
  if (isStream) setNonBlocking(fd);
  return fd;
}

/** A new Socket sets O_NONBLOCK. It is never closed, since that would close the descriptor. */
const setNonBlocking = (fd: number) =>
  new Socket({ fd, readable: false, writable: true }).on('error', () => {}).unref();

interface Listener {
  /** Called once when lines begin to be dropped. @param code the system's: EAGAIN when the reader has stopped */
  onDrop?(code: string): void;
  /** Called when half of the queue is free again. */
  onRoom?(dropped: number): void;
}

export class Output {
  readonly #fd: number;
  readonly #listener: Listener;
  /** The first entry may be the rest of a line that was written in part. */
  readonly #queue: Buffer[] = [];
  #queuedBytes = 0;
  #dropped = 0;
  #retryMs = minRetryMs;
  #timer: NodeJS.Timeout | undefined;
  #isPlanned = false;
  #lastCode = '';

  constructor(fd: number, listener: Listener = {}) {
    this.#fd = toNonBlocking(fd);
    this.#listener = listener;
    process.on('exit', () => this.#drain());
  }

  /** Never blocks, never throws. @param line with its line feed @param mayWait until the end of the turn of the event loop */
  write(line: string, mayWait = false): void {
    const bytes = Buffer.from(line);
    if (this.#queuedBytes + bytes.length > maxQueuedBytes) this.#drop();
    else {
      this.#queue.push(bytes);
      this.#queuedBytes += bytes.length;
      if (mayWait && this.#queuedBytes <= maxJoinedBytes) this.#planFlush();
      else this.#flush();
    }
  }

  #planFlush(): void {
    if (this.#isPlanned) return;
    this.#isPlanned = true;
    setImmediate(() => {
      this.#isPlanned = false;
      this.#flush();
    });
  }

  #drop(): void {
    this.#dropped += 1;
    if (this.#dropped === 1) this.#listener.onDrop?.(this.#lastCode);
  }

  #flush(): void {
    if (this.#timer !== undefined) return;
    const before = this.#queuedBytes;
    const code = this.#writeQueue();
    if (code !== undefined) this.#retryLater(code, this.#queuedBytes < before);
    if (this.#dropped > 0 && this.#queuedBytes <= maxQueuedBytes / 2) {
      const dropped = this.#dropped;
      this.#dropped = 0;
      this.#listener.onRoom?.(dropped);
    }
  }

  #retryLater(code: string, progressed: boolean): void {
    this.#lastCode = code;
    this.#retryMs = progressed ? minRetryMs : Math.min(this.#retryMs * 2, maxRetryMs);
    const again = () => {
      this.#timer = undefined;
      this.#flush();
    };
    this.#timer = setTimeout(again, code === 'EAGAIN' ? this.#retryMs : errorRetryMs).unref();
  }

  /** @returns the system's error code when lines are left */
  #writeQueue(): string | undefined {
    try {
      while (this.#queue.length > 0) this.#removeWritten(writeSync(this.#fd, this.#joinLines()));
      return undefined;
    } catch (error) {
      return String(codeOf(error) ?? error);
    }
  }

  /** Joins the first lines of the queue, as many as a pipe takes in one piece, into one entry and returns it. */
  #joinLines(): Buffer {
    let lines = 0;
    let bytes = 0;
    for (const { length } of this.#queue) {
      if (lines > 0 && bytes + length > atomicWriteBytes) break;
      lines += 1;
      bytes += length;
    }
    const first = this.#queue.splice(0, lines);
    const [only] = first;
    const piece = only !== undefined && lines === 1 ? only : Buffer.concat(first);
    this.#queue.unshift(piece);
    return piece;
  }

  #removeWritten(written: number): void {
    this.#queuedBytes -= written;
    const rest = this.#queue[0]?.subarray(written);
    if (rest === undefined || rest.length === 0) this.#queue.shift();
    else this.#queue[0] = rest;
  }

  /** At the end of the process, gives a slow reader some time to take the rest. */
  #drain(): void {
    const until = performance.now() + drainMs;
    while (this.#writeQueue() === 'EAGAIN' && performance.now() < until) Atomics.wait(sleepCell, 0, 0, 5);
  }
}
