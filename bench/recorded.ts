/** Records the lowest ratios measured on a quiet machine, and finds those that have fallen far below them. */
import { readFileSync, writeFileSync } from 'node:fs';
import { median, type Outcome } from './result.ts';

const file = new URL('./recorded.json', import.meta.url);

/** Of the recorded ratio. Below it, more than a busy machine is to blame. */
export const tolerance = 2 / 3;

const readRecorded = (): Record<string, number> => JSON.parse(readFileSync(file, 'utf8'));

/**
 * A line for each ratio below this share of the recorded one, by its key. What is slower is so beside everything that it was measured
 * with: if only one ratio has fallen, it is the other program that the machine favours today.
 */
export function findFallen(
  { ratios = [] }: Outcome,
  share: number,
  recorded = readRecorded(),
): Map<string, string> {
  const fallen: { readonly key: string; readonly what: string; readonly line: string }[] = [];
  const kept = new Set<string>();
  for (const { key = '', what, against, rounds } of ratios) {
    const was = recorded[key];
    if (was === undefined) continue;
    const now = median(rounds);
    if (now >= was * share) kept.add(what);
    else {
      const line = `${what} against ${against} (${key}): ${now.toFixed(2)}, recorded ${was.toFixed(2)}`;
      fallen.push({ key, what, line });
    }
  }
  return new Map(fallen.filter(({ what }) => !kept.has(what)).map(({ key, line }) => [key, line]));
}

/** Lowers recorded ratios where these are lower. To start again, empty the object in the file. */
export function recordRatios(outcomes: Iterable<Outcome>): void {
  const now = [...outcomes].flatMap(({ ratios = [] }) =>
    ratios.flatMap(({ key, rounds }): [string, number][] =>
      key === undefined ? [] : [[key, Number(median(rounds).toFixed(3))]],
    ),
  );
  const before = readRecorded();
  const lowest = now.map(([key, ratio]) => [key, Math.min(ratio, before[key] ?? ratio)]);
  const all = { ...before, ...Object.fromEntries(lowest) };
  const sorted = Object.fromEntries(Object.entries(all).sort(([a], [b]) => (a < b ? -1 : 1)));
  writeFileSync(file, `${JSON.stringify(sorted, null, 2)}\n`);
}
