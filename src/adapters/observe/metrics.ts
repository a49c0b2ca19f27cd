/** All metrics of a process that serves. Only imported where they are asked for: prom-client takes 45 ms to load. */
import { collectDefaultMetrics, type MetricObjectWithValues, type MetricValue, Registry } from 'prom-client';
import { keyMetrics } from './key-metrics.ts';
import { followerMetrics, logMetrics } from './log-metrics.ts';
import type { Observer } from './observer.ts';
import { requestMetrics } from './request-metrics.ts';
import { commitMetrics, operationMetrics, readingMetrics } from './store-metrics.ts';

/** Fit for a message between processes. */
export type MetricValues = readonly MetricObjectWithValues<MetricValue<string>>[];

export interface Metrics {
  readonly observer: Observer;
  /** In Prometheus' text format. */
  print(): Promise<string>;
  /** For adding up. */
  values(): Promise<MetricValues>;
}

/**
 * Of the defaults: promtool objects to their names, and to make them every open connection is looked at.
 */
const leftOut = ['handles', 'requests', 'resources'].flatMap((kind) => [
  `nodejs_active_${kind}`,
  `nodejs_active_${kind}_total`,
]);

/** @param store its kind, for the label */
export function openMetrics(store: string): Metrics {
  const register = new Registry();
  collectDefaultMetrics({ register });
  for (const name of leftOut) register.removeSingleMetric(name);
  return {
    observer: {
      requests: requestMetrics(register),
      operations: { ...operationMetrics(store, register), follow: followerMetrics(register) },
      onKeys: keyMetrics(register),
      onStore: (read) => readingMetrics(read, register),
      onLog: (log, settings) => logMetrics(log, settings, register),
      ...(store === 'sqlite' ? { onCommit: commitMetrics(register) } : {}),
    },
    print: () => register.metrics(),
    values: () => register.getMetricsAsJSON(),
  };
}
