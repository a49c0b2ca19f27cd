/** Metrics of the change log, which all processes on a store share: none is added up over workers. */
import { Counter, Gauge, Histogram, type Registry } from 'prom-client';
import type { ChangeLog, LogSize } from '../../domain/changes/log.ts';
import type { LogSettings } from '../stores/pruning.ts';

/** In seconds: from a follower that waits to one that is away for as long as entries are kept. */
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
  let measuring: Promise<LogSize | undefined> | undefined;
  /** Once for all metrics of a collection. Undefined when the log is out of reach, or switched off. */
  async function measure(): Promise<LogSize | undefined> {
    measuring ??= log.measure().catch(() => undefined);
    const size = await measuring;
    measuring = undefined;
    return size;
  }
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
  const gauge = (name: string, help: string, read: (size: LogSize) => number | undefined) =>
    new Gauge({
      ...{ ...options, name, help },
      async collect() {
        const size = await measure();
        const value = size && read(size);
        this.remove();
        if (value !== undefined) this.set(value);
      },
    });
  const ageOf = ({ oldest = Date.now() }: LogSize): number => (Date.now() - oldest) / 1000;
  gauge('users_changes_oldest_age_seconds', 'Age of the oldest entry of the change log.', ageOf);
  gauge('users_changes_bytes', 'Size of all entries of the change log.', ({ bytes }) => bytes);
  const limit = (name: string, help: string, value: number) =>
    new Gauge({ ...options, name, help }).set(value);
  const days = Math.max(retention, historyRetention);
  limit('users_changes_retention_seconds', 'For how long entries are to be kept.', days * secondsPerDay);
  limit('users_changes_max_bytes', 'The setting changes.maxBytes.', maxBytes);
}
