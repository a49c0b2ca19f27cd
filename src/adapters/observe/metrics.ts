/**
 * All metrics of a process that serves. Only imported where they are asked for: prom-client takes 45 ms to load.
 *
 * Requests are recorded in `request-metrics.ts`, the store and its change log in `store-metrics.ts`, webhooks and the keys of credentials here.
 * Outside of this folder, `process/workers/worker-metrics.ts` records the workers and adds up their metrics, and `process/metrics-server.ts`
 * publishes all of them.
 */
import {
  Counter,
  collectDefaultMetrics,
  Gauge,
  type MetricObjectWithValues,
  type MetricValue,
  Registry,
} from 'prom-client';
import type { KeyEvent, KeyPlace } from '../credentials/bearer.ts';
import { shareRuns } from '../scheduler/slots.ts';
import type { Attempt, DeliveryReading } from '../webhooks/progress.ts';
import type { Observer } from './observer.ts';
import { requestMetrics } from './request-metrics.ts';
import {
  commitMetrics,
  dueMetrics,
  followerMetrics,
  logMetrics,
  operationMetrics,
  readingMetrics,
} from './store-metrics.ts';

function keyMetrics(register: Registry): (keys: KeyPlace, event: KeyEvent) => void {
  const registers = [register];
  const labelNames = ['keys'] as const;
  const lastGood = new Map<string, number>();
  const fetches = new Counter({
    name: 'users_key_set_fetches_total',
    help: 'How often keys were fetched or read anew.',
    labelNames,
    registers,
  });
  const failures = new Counter({
    name: 'users_key_set_failures_total',
    help: 'Failed key-set loads.',
    labelNames,
    registers,
  });
  new Gauge({
    name: 'users_key_set_age_seconds',
    help: 'Time since the keys in use were last known to be good.',
    labelNames,
    registers,
    aggregator: 'max',
    collect() {
      for (const [keys, at] of lastGood) this.set({ keys }, (performance.now() - at) / 1000);
    },
  });
  return (keys, event) => {
    if (event === 'failed') failures.inc({ keys });
    else lastGood.set(keys, performance.now());
    if (event === 'fetched') fetches.inc({ keys });
  };
}

/** Fit for a message between processes. */
export type MetricValues = readonly MetricObjectWithValues<MetricValue<string>>[];

export interface Metrics {
  readonly observer: Observer;
  /** In Prometheus' text format. */
  print(): Promise<string>;
  /** For adding up the metrics of several processes. */
  values(): Promise<MetricValues>;
}

/** Excluded from the defaults: promtool objects to their names, and making them requires a look at every open connection. */
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
      onWebhook: attemptMetrics(register),
      onWebhooks: (read) => deliveryMetrics(read, register),
      onDue: (measure) => dueMetrics(measure, register),
      onLog: (log, settings) => logMetrics(log, settings, register),
      ...(store === 'sqlite' ? { onCommit: commitMetrics(register) } : {}),
    },
    print: () => register.metrics(),
    values: () => register.getMetricsAsJSON(),
  };
}

/** A status by its class, so that a receiver can't make up labels. */
const classOf = (outcome: string): string => {
  if (/^[1-5]\d\d$/.test(outcome)) return `${outcome[0]}xx`;
  return outcome === 'timeout' ? outcome : 'error';
};

/** Only the process that sends webhooks has these values, so nothing but the number of attempts is added up over workers. @returns called after each attempt */
function attemptMetrics(register: Registry): (attempt: Attempt) => void {
  const attempts = new Counter({
    name: 'users_webhook_attempts_total',
    help: 'Attempts to deliver webhooks.',
    labelNames: ['receiver', 'outcome'] as const,
    registers: [register],
  });
  return ({ receiver, outcome }) => attempts.inc({ receiver, outcome: classOf(outcome) });
}

const gauges: Readonly<Record<string, readonly [help: string, read: (one: DeliveryReading) => number]>> = {
  users_webhook_lag_entries: [
    'Entries of the change log from the first that may not have arrived.',
    (one) => one.entries,
  ],
  users_webhook_lag_seconds: ['Age of the oldest entry that waits for its delivery.', (one) => one.seconds],
  users_webhook_set_aside: ['Entries that were set aside after the last attempt.', (one) => one.setAside],
  users_webhook_disabled: ['1 for a receiver that has answered 410.', (one) => Number(one.isDisabled)],
};

/** Read once for all metrics of a collection. */
function deliveryMetrics(readAll: () => Promise<readonly DeliveryReading[]>, register: Registry): void {
  const readOnce = shareRuns(() => readAll().catch(() => []));
  for (const [name, [help, read]] of Object.entries(gauges))
    new Gauge({
      ...{ name, help, labelNames: ['receiver'] as const },
      ...{ registers: [register], aggregator: 'max' as const },
      async collect() {
        const all = await readOnce();
        this.reset();
        for (const one of all) this.set({ receiver: one.receiver }, read(one));
      },
    });
}
