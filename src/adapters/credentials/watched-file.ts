/** Reads a file of keys, of access profiles, or of receivers of webhooks, again when it changes: its content changes without a restart. */
import { type BigIntStats, statSync } from 'node:fs';
import { readJson } from '../../domain/validation/plain-values.ts';
import { messageOf, withFileName } from '../system/errors.ts';
import { readRegularFile } from '../system/files.ts';
import type { OnKeyEvent } from './bearer.ts';

/** Two writes within one tick of the file system's clock (2 s on the coarsest) leave the same times. */
const settledAfterMs = 2_000;

const statFile = (file: string) => statSync(file, { bigint: true, throwIfNoEntry: false });

/** Undefined when the change is so recent that a second change could leave the same times. */
const keepIfSettled = (stat: BigIntStats | undefined): BigIntStats | undefined =>
  stat !== undefined && Date.now() - Number(stat.ctimeMs) > settledAfterMs ? stat : undefined;

/** Compares ctime too: tools that copy a file can set back its mtime, but not its ctime. */
const isUnchanged = (one: BigIntStats, other: BigIntStats): boolean =>
  one.ctimeNs === other.ctimeNs &&
  one.mtimeNs === other.mtimeNs &&
  one.size === other.size &&
  one.ino === other.ino &&
  one.dev === other.dev;

/** How often the file is checked between requests, and so the precision of the time when it was last good. */
const checkIntervalMs = 1_000;
/** How often an unchanged problem is reported again. */
const reminderIntervalMs = 60_000;

export interface WatchOptions<T extends object> {
  readonly file: string;
  /** @throws Error that says what is wrong and where. The file's name is put before its message. */
  readonly parse: (text: string) => T;
  /** Counts a file as damaged when group or others have rights on it. */
  readonly isPrivate: boolean;
  /** How long the last good value stays in use when the file is gone or damaged, in seconds. */
  readonly maxStaleSeconds: number;
  /** The text names other files: it is parsed again when its file was only touched, since they may have changed. */
  readonly namesFiles?: boolean;
  /** Called at once, when the problem changes, when the last good value expires, and every minute. The message names the file. */
  readonly onProblem: (message: string) => void;
  /** Called when another version is read, and after each regular check. */
  readonly onKeys?: OnKeyEvent | undefined;
  /** The consequence of an expired last good value, for the message. Left out: the one for keys. */
  readonly afterwards?: string | undefined;
  /** A monotonic clock in ms. */
  readonly elapsed?: () => number;
}

interface WatchedFile<T extends object> {
  /** Undefined while the file is gone or damaged and the last good value too old. Never throws. */
  current(): T | undefined;
  /** Ends the checks between calls of `current`. */
  close(): void;
}

/**
 * Each call of `current` checks the file, synchronously, and reads it when it may have changed: a withdrawn key is refused from
 * the next call on.
 *
 * The last good value stays in use for `maxStaleSeconds` after the file was last good: long enough to correct a mistake, short
 * enough for deleting the file to have its effect.
 * @throws Error naming the file when its first version can't be read or parsed
 */
export function watchFile<T extends object>(options: WatchOptions<T>): WatchedFile<T> {
  const file = new FileWatcher(options);
  const look = () => {
    file.current();
    options.onKeys?.(file.isGood ? 'confirmed' : 'failed');
  };
  const timer = setInterval(look, checkIntervalMs).unref();
  return { current: () => file.current(), close: () => clearInterval(timer) };
}

class FileWatcher<T extends object> {
  readonly #options: WatchOptions<T>;
  readonly #elapsed: () => number;
  /** The stamp of the version read last; undefined when a later change might go unnoticed. */
  #stamp: BigIntStats | undefined;
  #text: string | undefined;
  /** Why that version can't be parsed. */
  #damage: unknown;
  #value: T | undefined;
  #lastGood: number;
  #lastReport: { readonly message: string; readonly at: number } | undefined;

  constructor(options: WatchOptions<T>) {
    this.#options = options;
    this.#elapsed = options.elapsed ?? (() => performance.now());
    try {
      this.#refresh();
    } catch (error) {
      throw withFileName(options.file, error);
    }
    this.#lastGood = this.#elapsed();
  }

  /** At the last check. */
  get isGood(): boolean {
    return this.#lastReport === undefined;
  }

  current(): T | undefined {
    try {
      this.#refresh();
      this.#lastGood = this.#elapsed();
      this.#lastReport = undefined;
    } catch (error) {
      this.#reportProblem(messageOf(error));
    }
    return this.#value;
  }

  /** @throws the current fault of the file */
  #refresh(): void {
    // Before reading, so that the next call notices a change made in between.
    const latest = statFile(this.#options.file);
    const isKnown = latest !== undefined && this.#stamp !== undefined && isUnchanged(latest, this.#stamp);
    if (!isKnown) this.#read(keepIfSettled(latest));
    if (this.#damage !== undefined) throw this.#damage;
  }

  #read(stamp: BigIntStats | undefined): void {
    const known = this.#text;
    this.#forget();
    const text = readRegularFile(this.#options.file, this.#options);
    if (text !== known || this.#value === undefined || this.#options.namesFiles) {
      this.#damage = undefined;
      try {
        this.#value = this.#options.parse(text);
        this.#options.onKeys?.('fetched');
      } catch (error) {
        this.#damage = error;
      }
    }
    this.#text = text;
    this.#stamp = stamp;
  }

  /** Makes the next call read the file again. */
  #forget(): void {
    this.#stamp = undefined;
    this.#text = undefined;
  }

  #reportProblem(reason: string): void {
    const { file, maxStaleSeconds, onProblem, afterwards } = this.#options;
    const now = this.#elapsed();
    if (this.#value !== undefined && now - this.#lastGood >= maxStaleSeconds * 1_000) {
      this.#value = undefined;
      this.#forget();
    }
    const use =
      this.#value === undefined
        ? (afterwards ?? 'nothing in it counts until it is good again')
        : `the last good version stays in use for ${maxStaleSeconds} s at most`;
    const message = `${file}: ${reason} (${use})`;
    if (message === this.#lastReport?.message && now - this.#lastReport.at < reminderIntervalMs) return;
    this.#lastReport = { message, at: now };
    onProblem(message);
  }
}

/** @throws Error without the parser's own message, which would quote the text: it may hold a secret or a private key */
export function parseJson(text: string): unknown {
  const value = readJson(text);
  if (value === undefined) throw new Error('not JSON');
  return value;
}
