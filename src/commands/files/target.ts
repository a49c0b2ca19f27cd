/**
 * Writes a user file under a temporary name, packed if its name ends with `.gz`, and renames it when it is complete; or writes to standard
 * output.
 */

import { createWriteStream, existsSync, fstatSync, openSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { PassThrough, Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { withFileName } from '../../adapters/system/errors.ts';
import { partOf, publish, publishOver, removeFile } from '../../adapters/system/files.ts';

/** The file name for standard input or output. */
export const standardStream = '-';

/** True if the file is compressed with gzip. */
export const isPackedName = (path: string): boolean => /\.gz$/i.test(path);

/** The destination. */
interface Place {
  readonly name: string;
  readonly isPacked: boolean;
  readonly sink: Writable;
  /** Call when everything is written. */
  publish(): void;
  remove(): void;
}

export class Target {
  readonly #place: Place;
  readonly #head: PassThrough;
  readonly #done: Promise<void>;
  /** Cleans up on any exit that runs exit handlers. */
  readonly #onExit = (): void => this.discard();

  constructor(place: Place, signal: AbortSignal | undefined) {
    [this.#place, this.#head, this.#done] = [place, ...flowTo(place, signal)];
    process.once('exit', this.#onExit);
  }

  /** The name for messages. */
  get name(): string {
    return this.#place.name;
  }

  /** Resolves when more may be written. @throws Error naming the file; the incomplete file is deleted */
  async write(text: string): Promise<void> {
    await new Promise<void>((resolve) => {
      // If the stream fails meanwhile, a pending write is never called back.
      const go = () => {
        this.#head.off('close', go);
        resolve();
      };
      this.#head.once('close', go).write(text, go);
    });
    if (this.#head.destroyed) await this.#orDiscard(() => this.#done);
  }

  /** Resolves when the file is complete and synced to disk. @throws as `write` */
  async finish(): Promise<void> {
    await this.#orDiscard(async () => {
      this.#head.end();
      await this.#done;
      this.#place.publish();
    });
    process.off('exit', this.#onExit);
  }

  /** Deletes everything except what standard output has taken. */
  discard(): void {
    process.off('exit', this.#onExit);
    this.#head.destroy();
    this.#place.remove();
  }

  async #orDiscard(act: () => Promise<void>): Promise<void> {
    try {
      await act();
    } catch (error) {
      this.discard();
      throw withFileName(this.#place.name, error);
    }
  }
}

/** Data written to the stream goes to the sink. The promise settles when that ends. */
function flowTo({ isPacked, sink }: Place, signal: AbortSignal | undefined): [PassThrough, Promise<void>] {
  const head = isPacked ? createGzip() : new PassThrough();
  const done = pipeline(head, sink, { signal });
  // Reported by the next `write` or `finish`.
  done.catch(() => undefined);
  return [head, done];
}

/** `process.stdout` itself can't be ended; its callback reports the result of each write. */
function toStandardOutput(): Writable {
  const { stdout } = process;
  return new Writable({ write: (chunk, _encoding, done) => void stdout.write(chunk, done) });
}

/** A file stream retries a partial write on a nearly full disk; `process.stdout` doesn't. */
function openStandardOutput(): Writable {
  const stat = fstatSync(1);
  const isFile = stat.isFile() || (stat.isCharacterDevice() && !process.stdout.isTTY);
  return isFile
    ? createWriteStream('', { fd: 1, autoClose: false, flush: stat.isFile() })
    : toStandardOutput();
}

const prepareStandardOutput = (): Place => ({
  name: 'standard output',
  isPacked: false,
  sink: openStandardOutput(),
  publish: () => undefined,
  remove: () => undefined,
});

/** @param isForced replaces an existing file; undefined where no option does */
function prepareFile(path: string, isForced: boolean | undefined): Place {
  // A link is replaced, too, and not followed: someone else may have put it there.
  const target = resolve(path);
  const isThere = existsSync(target);
  if (isThere && !statSync(target).isFile()) throw new Error('it exists and is not a file');
  if (isThere && !isForced)
    throw new Error(`it exists already${isForced === false ? '; --force overwrites it' : ''}`);
  const part = partOf(target);
  // Only its owner may read it: it has personal data.
  const sink = createWriteStream('', { fd: openSync(part, 'wx', 0o600) });
  return {
    name: path,
    isPacked: isPackedName(path),
    sink,
    publish: () => (isForced ? publishOver(part, target) : publish(part, target)),
    remove: () => removeFile(part),
  };
}

interface TargetOptions {
  /** Aborts writing, even while it waits for a reader. */
  readonly signal?: AbortSignal | undefined;
  /** Replaces an existing file or link. Undefined for files that no option replaces. */
  readonly force?: boolean | undefined;
}

/** @param path `-` for standard output @throws Error naming the file when it exists already or can't be created */
export function openTarget(path: string, { signal, force }: TargetOptions = {}): Target {
  if (path === standardStream) return new Target(prepareStandardOutput(), signal);
  try {
    return new Target(prepareFile(path, force), signal);
  } catch (error) {
    throw withFileName(path, error);
  }
}
