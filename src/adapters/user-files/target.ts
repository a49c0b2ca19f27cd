/** Writes a file of users beside its place, packed where its name says so, and puts it there when it is whole; or standard output. */
import { createWriteStream, existsSync, fstatSync, openSync, realpathSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { PassThrough, Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { partOf, publish, publishOver, removeFile } from '../part-files.ts';
import { withFileName } from '../system-errors.ts';
import { isPackedName, standardStream } from './file-name.ts';

/** Where it is written. */
interface Place {
  readonly name: string;
  readonly isPacked: boolean;
  readonly sink: Writable;
  /** When all of it is written. */
  publish(): void;
  remove(): void;
}

export class Target {
  readonly #place: Place;
  readonly #head: PassThrough;
  readonly #done: Promise<void>;
  /** However the process ends, as long as it ends by itself. */
  readonly #onExit = (): void => this.discard();

  constructor(place: Place, signal: AbortSignal | undefined) {
    [this.#place, this.#head, this.#done] = [place, ...flowTo(place, signal)];
    process.once('exit', this.#onExit);
  }

  /** For people. */
  get name(): string {
    return this.#place.name;
  }

  /** Resolves when more may be written. @throws Error naming the file, of which nothing is left then */
  async write(text: string): Promise<void> {
    await new Promise<void>((resolve) => {
      // Of a stream that fails meanwhile a write in work isn't called back.
      const go = () => {
        this.#head.off('close', go);
        resolve();
      };
      this.#head.once('close', go).write(text, go);
    });
    if (this.#head.destroyed) await this.#orDiscard(() => this.#done);
  }

  /** Returns when it is whole, and on disk where it is a file. @throws as `write` */
  async finish(): Promise<void> {
    await this.#orDiscard(async () => {
      this.#head.end();
      await this.#done;
      this.#place.publish();
    });
    process.off('exit', this.#onExit);
  }

  /** Leaves nothing, but what standard output has taken. */
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

/** What is written to the first goes there. The second tells how it ended. */
function flowTo({ isPacked, sink }: Place, signal: AbortSignal | undefined): [PassThrough, Promise<void>] {
  const head = isPacked ? createGzip() : new PassThrough();
  const done = pipeline(head, sink, { signal });
  // Told by whichever comes next, `write` or `finish`.
  done.catch(() => undefined);
  return [head, done];
}

/** `process.stdout` itself can't be ended; it tells by the callback how each write went. */
function toStandardOutput(): Writable {
  const { stdout } = process;
  return new Writable({ write: (chunk, _encoding, done) => void stdout.write(chunk, done) });
}

/** A file's own stream repeats a write that a nearly full disk has taken in part; `process.stdout` doesn't. */
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

/** @param isForced in the place of a file that is there */
function prepareFile(path: string, isForced: boolean): Place {
  const isThere = existsSync(path);
  const target = isThere ? realpathSync(path) : resolve(path);
  if (isThere && !statSync(target).isFile()) throw new Error('it is there and is no file');
  if (isThere && !isForced) throw new Error('it is there already');
  const part = partOf(target);
  // For its owner alone: it holds people's data.
  const sink = createWriteStream('', { fd: openSync(part, 'wx', 0o600) });
  return {
    name: path,
    isPacked: isPackedName(path),
    sink,
    publish: () => (isForced ? publishOver(part, target) : publish(part, target)),
    remove: () => removeFile(part),
  };
}

export interface TargetOptions {
  /** Ends the writing, also one that nobody takes. */
  readonly signal?: AbortSignal | undefined;
  /** Also over a file that is there. */
  readonly force?: boolean | undefined;
}

/**
 * @param path `-` for standard output
 * @throws Error naming the file when it is there already, or can't be made
 */
export function openTarget(path: string, { signal, force = false }: TargetOptions = {}): Target {
  if (path === standardStream) return new Target(prepareStandardOutput(), signal);
  try {
    return new Target(prepareFile(path, force), signal);
  } catch (error) {
    throw withFileName(path, error);
  }
}
