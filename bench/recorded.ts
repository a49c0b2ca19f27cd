/** The ratios as they were measured while the machine was quiet, the lowest of all runs, and which of today's have fallen far below them. */
import { readFileSync, writeFileSync } from 'node:fs';
import { median, type Outcome } from './result.ts';

const file = new URL('../../bench/recorded.json', import.meta.url);

/** Of what was recorded. A ratio below has more than the machine's mood against it. */
const tolerated = 2 / 3;

const recorded = (): Record<string, number> => JSON.parse(readFileSync(file, 'utf8'));

/** A line for each that fell, by its key; empty when all is well. */
export function fallen({ ratios = [] }: Outcome): Map<string, string> {
  const before = recorded();
  const lines = new Map<string, string>();
  for (const { key = '', what, against, rounds } of ratios) {
    const was = before[key];
    const now = median(rounds);
    if (was !== undefined && now < was * tolerated)
      lines.set(key, `${what} against ${against} (${key}): ${now.toFixed(2)}, recorded ${was.toFixed(2)}`);
  }
  return lines;
}

/** Lowers what was recorded where it was less this time. To begin anew, begin with an empty object. */
export function record(outcomes: Iterable<Outcome>): void {
  const now = [...outcomes].flatMap(({ ratios = [] }) =>
    ratios.flatMap(({ key, rounds }): [string, number][] =>
      key === undefined ? [] : [[key, Number(median(rounds).toFixed(3))]],
    ),
  );
  const before = recorded();
  const lowest = now.map(([key, ratio]) => [key, Math.min(ratio, before[key] ?? ratio)]);
  const all = { ...before, ...Object.fromEntries(lowest) };
  const sorted = Object.fromEntries(Object.entries(all).sort(([a], [b]) => (a < b ? -1 : 1)));
  writeFileSync(file, `${JSON.stringify(sorted, null, 2)}\n`);
}
