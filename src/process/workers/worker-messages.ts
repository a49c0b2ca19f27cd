/** Messages between a worker and the primary. All but `alive` and `metrics` are sent once. */
import type { MetricValues } from '../../adapters/observe/metrics.ts';
import { isObject } from '../../domain/base/plain-values.ts';

export type Report =
  /** Answered by the settings, as the primary has read them: files may have changed since. No other report is answered. */
  | { readonly kind: 'asking' }
  | { readonly kind: 'listening'; readonly url: string }
  /** It failed to start, and ends. */
  | { readonly kind: 'refused'; readonly reason: string }
  /** Answers to a `Question`. */
  | { readonly kind: 'alive' }
  | { readonly kind: 'metrics'; readonly values: MetricValues }
  /** It finishes its requests in flight and ends. `stale`: the store's file was moved or replaced. */
  | { readonly kind: 'storeFailed'; readonly reason: string; readonly stale: boolean };

/** Sent by the primary to a listening worker: the first at intervals, the other for each scrape of the metrics. */
export interface Question {
  readonly kind: 'alive?' | 'metrics?';
}

const kinds = ['asking', 'listening', 'refused', 'alive', 'metrics', 'storeFailed'];

/** Preloaded modules may use the channel too. */
export const isReport = (message: unknown): message is Report =>
  isObject(message) && kinds.includes(String(message.kind));

export const isQuestion = (message: unknown): message is Question =>
  isObject(message) && (message.kind === 'alive?' || message.kind === 'metrics?');

/** A worker's descriptor for the log: the primary's standard output. */
export const logDescriptor = 4;
