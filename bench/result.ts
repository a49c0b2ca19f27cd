/** The results of scenarios. */

/** Of one contestant, by round. */
export interface Figures {
  readonly name: string;
  /** Of the server, in microseconds for one request. */
  readonly cpu?: readonly number[];
  readonly perSecond: readonly number[];
  /** In ms. */
  readonly p99?: readonly number[];
}

/** Ours compared with something: more is better. */
export interface Ratio {
  /** Its name in recorded.json. A ratio without a key is only printed. */
  readonly key?: string;
  readonly what: string;
  readonly against: string;
  readonly by: 'CPU' | 'throughput' | 'time';
  /** By round. */
  readonly rounds: readonly number[];
  /** The target. */
  readonly atLeast?: number | undefined;
  readonly note?: string | undefined;
}

/** A target that isn't a ratio. */
export interface Finding {
  readonly what: string;
  readonly found: string;
  readonly target: string;
  readonly met: boolean;
}

export interface Outcome {
  readonly figures?: readonly Figures[];
  readonly ratios?: readonly Ratio[];
  readonly findings?: readonly Finding[];
  /** Why nothing was measured. */
  readonly skipped?: string;
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}

/** Element by element. */
export const divideEach = (over: readonly number[], under: readonly number[]): number[] =>
  over.map((value, at) => value / (under[at] ?? Number.NaN));
