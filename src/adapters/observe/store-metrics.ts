/** Metrics of the store: its operations and its readings. */
import { Gauge, Histogram, type Registry } from 'prom-client';
import type { StoreReadings } from '../stores/port/store-module.ts';
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

/** As large as a commit may become, by factors of two. */
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
