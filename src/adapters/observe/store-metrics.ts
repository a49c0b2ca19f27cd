/**
 * Metrics of the store: its operations, its readings, and its change log. All processes on a store share the log, so no metric of the log is
 * added up over workers.
 */
import { Counter, Gauge, Histogram, type Registry } from 'prom-client';
import type { ChangeLog, LogSize } from '../../domain/changes/log.ts';
import type { Due } from '../../domain/follow-time.ts';
import { shareRuns } from '../scheduler/slots.ts';
import type { StoreReadings } from '../stores/port/store-module.ts';
import type { LogSettings } from '../stores/pruning.ts';
import type { OperationObserver } from './observed-store.ts';

/** In seconds: a read of SQLite takes tens of microseconds, a write that waits for a majority some milliseconds. */
const durationBuckets = [
  0.0001, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10,
];

export function operationMetrics(store: string, register: Registry): OperationObserver {
  const duration = new Histogram({
    name: 'users_store_operation_duration_seconds',
    help: "Duration of the store's operations.",
    labelNames: ['store', 'collection', 'operation', 'outcome'] as const,
    buckets: durationBuckets,
    registers: [register],
  });
  return {
    begin: (operation, collection = '') => {
      const start = performance.now();
      return (outcomes) => {
        const seconds = (performance.now() - start) / 1000;
        for (const outcome of outcomes) duration.observe({ store, collection, operation, outcome }, seconds);
      };
    },
  };
}

/** Up to the largest commit, by factors of two. */
const commitBuckets = [1, 2, 4, 8, 16, 32, 64, 128, 256, 512];

/** @returns called after each commit */
export function commitMetrics(register: Registry): (writes: number) => void {
  const writes = new Histogram({
    name: 'users_sqlite_commit_writes',
    help: 'How many writes shared a commit.',
    buckets: commitBuckets,
    registers: [register],
  });
  return (count) => writes.observe(count);
}

/** Values that all workers share are not added up. */
const readings: Readonly<
  Record<
    keyof StoreReadings,
    { readonly name: string; readonly help: string; readonly aggregator: 'max' | 'sum' }
  >
> = {
  fileBytes: { name: 'users_sqlite_file_bytes', help: 'Size of the SQLite file.', aggregator: 'max' },
  logBytes: {
    name: 'users_sqlite_log_bytes',
    help: 'Size of the log beside the SQLite file.',
    aggregator: 'max',
  },
  connections: {
    name: 'users_mongodb_connections',
    help: "Connections to MongoDB's members.",
    aggregator: 'sum',
  },
  connectionsInUse: {
    name: 'users_mongodb_connections_in_use',
    help: 'Connections to MongoDB that an operation is using.',
    aggregator: 'sum',
  },
  waitingForConnection: {
    name: 'users_mongodb_connection_waiters',
    help: 'Operations that wait for a connection to MongoDB.',
    aggregator: 'sum',
  },
  elections: {
    name: 'users_mongodb_elections_seen',
    help: 'How often another primary was seen since the start.',
    aggregator: 'max',
  },
};

/** Gauges of the store's readings, read at each collection. */
export function readingMetrics(read: () => StoreReadings, register: Registry): void {
  for (const key of Object.keys(read()) as (keyof StoreReadings)[])
    new Gauge({
      ...readings[key],
      registers: [register],
      collect() {
        this.set(read()[key] ?? 0);
      },
    });
}

/**
 * Gauges of what all workers share. A collection measures once for all of them; they are missing while the measurement fails.
 * @param measure from `shareRuns`
 */
const gaugeMaker =
  <T>(measure: () => Promise<T | undefined>, register: Registry) =>
  (name: string, help: string, read: (measured: T) => number | undefined) =>
    new Gauge({
      ...{ name, help, registers: [register], aggregator: 'max' as const },
      async collect() {
        const measured = await measure();
        const value = measured && read(measured);
        this.remove();
        if (value !== undefined) this.set(value);
      },
    });

export function dueMetrics(measure: () => Promise<Due>, register: Registry): void {
  const gauge = gaugeMaker(
    shareRuns(() => measure().catch(() => undefined)),
    register,
  );
  gauge('users_validity_due', 'Users that validity is to activate or deactivate now.', ({ count }) => count);
  gauge(
    'users_validity_late_seconds',
    'For how long the first of the users in users_validity_due has been due.',
    ({ late }) => late / 1000,
  );
}

/** In seconds: from a waiting follower to one that was away for as long as entries are kept. */
const lagBuckets = [0.05, 0.1, 0.5, 1, 5, 15, 60, 300, 3600, 21_600, 86_400, 604_800, 2_592_000];

/** @returns called with the age of the newest change of each page, in ms */
export function followerMetrics(register: Registry): (age: number) => void {
  const lag = new Histogram({
    name: 'users_changes_follower_lag_seconds',
    help: 'Age of the newest change of each page that followers read.',
    buckets: lagBuckets,
    registers: [register],
  });
  // The writer may have been another process, whose clock is ahead.
  return (age) => lag.observe(Math.max(0, age) / 1000);
}

const secondsPerDay = 24 * 60 * 60;

export function logMetrics(
  log: Pick<ChangeLog, 'measure'>,
  { retention, historyRetention, maxBytes }: LogSettings,
  register: Registry,
): void {
  const options = { registers: [register], aggregator: 'max' as const };
  /** Undefined while the log is unreachable or switched off. */
  const measure = shareRuns(() => log.measure().catch(() => undefined));
  new Counter({
    ...options,
    name: 'users_changes_entries_total',
    help: 'Entries that any process has written to the change log since it began.',
    async collect() {
      const size = await measure();
      this.remove();
      if (size !== undefined) this.inc(size.last);
    },
  });
  const gauge = gaugeMaker(measure, register);
  const ageOf = ({ oldest = Date.now() }: LogSize): number => (Date.now() - oldest) / 1000;
  gauge('users_changes_oldest_age_seconds', 'Age of the oldest entry of the change log.', ageOf);
  gauge('users_changes_bytes', 'Size of all entries of the change log.', ({ bytes }) => bytes);
  const limit = (name: string, help: string, value: number) =>
    new Gauge({ ...options, name, help }).set(value);
  const days = Math.max(retention, historyRetention);
  limit('users_changes_retention_seconds', 'For how long entries are to be kept.', days * secondsPerDay);
  limit('users_changes_max_bytes', 'The setting changes.maxBytes.', maxBytes);
}
