/** A file of settings that is followed while the service runs: keys are changed without a restart. */
import { type BigIntStats, statSync } from 'node:fs';
import { readRegularFile } from './files.ts';

/** Two writes closer together than a file system's clock ticks (2 s on the coarsest) can leave the same stamp. */
const settledAfterMs = 2_000;

/** Undefined when no file is there. */
const look = (file: string) => statSync(file, { bigint: true, throwIfNoEntry: false });

/** Undefined when a later change might not show, as it could still come within the same tick; or no file is there. */
const settled = (stat: BigIntStats | undefined): BigIntStats | undefined =>
  stat !== undefined && Date.now() - Number(stat.ctimeMs) > settledAfterMs ? stat : undefined;

/** By the time of change, not only of modification: tools that copy a file's times can't turn it back. */
const isUnchanged = (one: BigIntStats, other: BigIntStats): boolean =>
  one.ctimeNs === other.ctimeNs &&
  one.mtimeNs === other.mtimeNs &&
  one.size === other.size &&
  one.ino === other.ino &&
  one.dev === other.dev;

const reasonOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** How often the file is looked at while nobody asks, in ms: when it went is known to this. */
const betweenLooks = 1_000;
/** How often what is wrong is told again while it stays so, in ms. */
const betweenReminders = 60_000;

export interface WatchOptions<T extends object> {
  readonly file: string;
  /** Throws an Error that says what is wrong and where; the file's name is put before it. */
  readonly parse: (text: string) => T;
  /** A file on which group or others have rights counts as damaged. */
  readonly isPrivate: boolean;
  /** How long the last good value is used when the file is gone or damaged, in seconds. */
  readonly maxStaleSeconds: number;
  /** Told what is wrong, the file named: at once, when it changes, when the last good value is given up, and once a minute. */
  readonly onProblem: (message: string) => void;
  /** In ms, from any beginning, never set back. */
  readonly elapsed?: () => number;
}

export interface WatchedFile<T extends object> {
  /** Undefined while the file is gone or damaged and the last good value too old. Never throws. */
  current(): T | undefined;
  /** Looks at it no more but when asked. */
  close(): void;
}

/**
 * Reads `file` and returns what `parse` makes of it, as it stands at each call: the file is looked at every time, synchronously, and
 * read when it may have changed, so that a withdrawn key is gone at the next call.
 *
 * The last good value outlives its file by `maxStaleSeconds`, counted from when it was last seen good: long enough for a slip to be
 * mended, and short enough for a file that was taken away to mean what it says.
 * @throws Error naming the file when its first version can't be read or parsed
 */
export function watchedFile<T extends object>(options: WatchOptions<T>): WatchedFile<T> {
  const file = new Follower(options);
  const timer = setInterval(() => file.current(), betweenLooks).unref();
  return { current: () => file.current(), close: () => clearInterval(timer) };
}

class Follower<T extends object> {
  readonly #options: WatchOptions<T>;
  readonly #elapsed: () => number;
  /** Of the version that was read last, where a later one would show. */
  #stamp: BigIntStats | undefined;
  #text: string | undefined;
  /** Why that version is of no use. */
  #damage: unknown;
  #value: T | undefined;
  #seenGood: number;
  #told: { readonly message: string; readonly at: number } | undefined;

  constructor(options: WatchOptions<T>) {
    this.#options = options;
    this.#elapsed = options.elapsed ?? (() => performance.now());
    try {
      this.#follow();
    } catch (error) {
      throw new Error(`${options.file}: ${reasonOf(error)}`, { cause: error });
    }
    this.#seenGood = this.#elapsed();
  }

  current(): T | undefined {
    try {
      this.#follow();
      this.#seenGood = this.#elapsed();
      this.#told = undefined;
    } catch (error) {
      this.#endure(reasonOf(error));
    }
    return this.#value;
  }

  /** Throws what is wrong with the file as it stands. */
  #follow(): void {
    // Looked at before it is read: a change in between is then seen at the next call.
    const latest = look(this.#options.file);
    const isKnown = latest !== undefined && this.#stamp !== undefined && isUnchanged(latest, this.#stamp);
    if (!isKnown) this.#read(settled(latest));
    if (this.#damage !== undefined) throw this.#damage;
  }

  #read(stamp: BigIntStats | undefined): void {
    const known = this.#text;
    this.#forget();
    const text = readRegularFile(this.#options.file, this.#options);
    if (text !== known || this.#value === undefined) {
      this.#damage = undefined;
      try {
        this.#value = this.#options.parse(text);
      } catch (error) {
        this.#damage = error;
      }
    }
    this.#text = text;
    this.#stamp = stamp;
  }

  /** So that a failure to read is no reason to take the file for known. */
  #forget(): void {
    this.#stamp = undefined;
    this.#text = undefined;
  }

  #endure(reason: string): void {
    const { file, maxStaleSeconds, onProblem } = this.#options;
    const now = this.#elapsed();
    if (this.#value !== undefined && now - this.#seenGood >= maxStaleSeconds * 1_000) {
      this.#value = undefined;
      this.#forget();
    }
    const use =
      this.#value === undefined
        ? 'no key of it is taken until it is good again'
        : `the last good version stays in use for ${maxStaleSeconds} s at most`;
    const message = `${file}: ${reason} (${use})`;
    if (message === this.#told?.message && now - this.#told.at < betweenReminders) return;
    this.#told = { message, at: now };
    onProblem(message);
  }
}
