/** Messages between a worker and the primary. All but `alive` and `metrics` are sent once. */
import type { MetricValues } from '../../adapters/observe/metrics.ts';
import { isObject } from '../../domain/validation/plain-values.ts';

export type WorkerReport =
  /** The primary answers with the settings that it has read, since files may have changed since then. It answers no other report. */
  | { readonly kind: 'asking' }
  | { readonly kind: 'listening'; readonly url: string }
  /** It failed to start, and ends. */
  | { readonly kind: 'refused'; readonly reason: string }
  /** Sent at intervals while it listens (`reportInterval`). */
  | { readonly kind: 'alive' }
  /** Answers a `MetricsRequest`. */
  | { readonly kind: 'metrics'; readonly values: MetricValues }
  /** It finishes its requests in flight and ends. `stale`: the store's file was moved or replaced. */
  | { readonly kind: 'storeFailed'; readonly reason: string; readonly stale: boolean };

/** Sent by the primary to a listening worker for each scrape of the metrics. */
export interface MetricsRequest {
  readonly kind: 'metrics?';
}

const kinds = ['asking', 'listening', 'refused', 'alive', 'metrics', 'storeFailed'];

/** Preloaded modules may use the channel too. */
export const isWorkerReport = (message: unknown): message is WorkerReport =>
  isObject(message) && kinds.includes(String(message.kind));

export const isMetricsRequest = (message: unknown): message is MetricsRequest =>
  isObject(message) && message.kind === 'metrics?';

/** A worker that misses more reports counts as hung. One is not enough: after a pause of its own, the primary counts one by mistake. */
export const mostMissed = 6;

/** In ms. @param patience how long a worker may make no progress */
export const reportInterval = (patience: number): number => patience / mostMissed;

/** A worker's descriptor for the log: the primary's standard output. */
export const logDescriptor = 4;
