/** A file of settings that is followed while the service runs: keys are changed without a restart. */
import { type BigIntStats, readFileSync, statSync } from 'node:fs';

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

/**
 * Reads `file` and returns what `parse` makes of it, as it stands at each call: the file is looked at every
 * time, synchronously, and read when it may have changed, so that a withdrawn key is gone at the next call.
 *
 * A later version that can't be read or parsed, a missing file included, leaves the last good value in use and
 * is told to `onProblem` once, the file named.
 * @param parse throws an Error that says what is wrong and where; the file's name is put before it
 * @throws Error naming the file when its first version can't be read or parsed
 */
export function watchedFile<T>(
  file: string,
  parse: (text: string) => T,
  onProblem: (message: string) => void,
): () => T {
  // Looked at before it is read: a change in between is then seen at the next call.
  let stamp = settled(look(file));
  let text: string | undefined;
  let value: T;
  try {
    text = readFileSync(file, 'utf8');
    value = parse(text);
  } catch (error) {
    throw new Error(`${file}: ${reasonOf(error)}`, { cause: error });
  }

  function follow(): void {
    const latest = look(file);
    if (latest !== undefined && stamp !== undefined && isUnchanged(latest, stamp)) return;
    const next = settled(latest);
    const known = text;
    // Forgotten first, so that a failure to read is no reason to take the file for known.
    stamp = undefined;
    text = undefined;
    text = readFileSync(file, 'utf8');
    stamp = next;
    if (text === known) return;
    value = parse(text);
    told = undefined;
  }

  let told: string | undefined;
  return () => {
    try {
      follow();
    } catch (error) {
      const problem = `${file}: ${reasonOf(error)} (the last good version stays in use)`;
      if (problem !== told) onProblem(problem);
      told = problem;
    }
    return value;
  };
}
