/** Lines to standard output or standard error that never wait for a reader or a disk: what isn't taken is kept, and in the end dropped. */
import { writeSync } from 'node:fs';
import { unblocked } from './descriptor.ts';

/** What a pipe takes in one piece (PIPE_BUF, on Linux), in bytes: longer lines of two processes could end up in each other. */
export const wholeLine = 4096;

/** How much is kept for a reader that is slow, in bytes: some 4,000 requests. */
const mostWaiting = 1024 * 1024;

/** In ms: how soon it is tried again when the reader was not ready, the longer the less it takes, and after an error. */
const soonest = 1;
const latest = 100;
const afterError = 1000;

/** How long the end of the process waits for a reader, in ms. */
const lastWait = 500;

const nap = new Int32Array(new SharedArrayBuffer(4));

const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error ? String(error.code) : String(error);

export interface Listener {
  /** Called when the first line is dropped of those that follow on each other. @param code the system's: EAGAIN when nobody reads */
  onDrop?(code: string): void;
  /** Called when there is room again. */
  onRoom?(dropped: number): void;
}

export class Output {
  readonly #fd: number;
  readonly #listener: Listener;
  /** In their order; the first may be the rest of one that was written in part. */
  readonly #waiting: Buffer[] = [];
  #bytes = 0;
  #dropped = 0;
  #pause = soonest;
  #timer: NodeJS.Timeout | undefined;
  #lastCode = '';

  constructor(fd: number, listener: Listener = {}) {
    this.#fd = unblocked(fd);
    this.#listener = listener;
    process.on('exit', () => this.#end());
  }

  /** Never waits, never throws. @param line with its line feed */
  write(line: string): void {
    const bytes = Buffer.from(line);
    if (this.#bytes + bytes.length > mostWaiting) this.#drop();
    else {
      this.#waiting.push(bytes);
      this.#bytes += bytes.length;
      if (this.#timer === undefined) this.#go();
    }
  }

  #drop(): void {
    this.#dropped += 1;
    if (this.#dropped === 1) this.#listener.onDrop?.(this.#lastCode);
  }

  #go(): void {
    const before = this.#bytes;
    const code = this.#writeWaiting();
    if (code !== undefined) this.#tryLater(code, this.#bytes < before);
    if (this.#dropped > 0 && this.#bytes <= mostWaiting / 2) {
      const dropped = this.#dropped;
      this.#dropped = 0;
      this.#listener.onRoom?.(dropped);
    }
  }

  #tryLater(code: string, progressed: boolean): void {
    this.#lastCode = code;
    this.#pause = progressed ? soonest : Math.min(this.#pause * 2, latest);
    const again = () => {
      this.#timer = undefined;
      this.#go();
    };
    this.#timer = setTimeout(again, code === 'EAGAIN' ? this.#pause : afterError).unref();
  }

  /** @returns the system's error code when something is left */
  #writeWaiting(): string | undefined {
    try {
      while (this.#waiting.length > 0) this.#take(writeSync(this.#fd, this.#join()));
      return undefined;
    } catch (error) {
      return codeOf(error);
    }
  }

  /** Makes one of the first that wait, as many as are still written whole, and returns it. */
  #join(): Buffer {
    let lines = 0;
    let bytes = 0;
    for (const { length } of this.#waiting) {
      if (lines > 0 && bytes + length > wholeLine) break;
      lines += 1;
      bytes += length;
    }
    const first = this.#waiting.splice(0, lines);
    const [only] = first;
    const piece = only !== undefined && lines === 1 ? only : Buffer.concat(first);
    this.#waiting.unshift(piece);
    return piece;
  }

  /** Takes off the first that waits what was written of it. */
  #take(written: number): void {
    this.#bytes -= written;
    const rest = this.#waiting[0]?.subarray(written);
    if (rest === undefined || rest.length === 0) this.#waiting.shift();
    else this.#waiting[0] = rest;
  }

  /** Gives a reader that is merely slow the time to take what is left. */
  #end(): void {
    const until = performance.now() + lastWait;
    while (this.#writeWaiting() === 'EAGAIN' && performance.now() < until) Atomics.wait(nap, 0, 0, 5);
  }
}
