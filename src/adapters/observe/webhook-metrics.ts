/** Metrics of webhooks. Only the process that sends them has values, so none is added up over workers but the number of attempts. */
import { Counter, Gauge, type Registry } from 'prom-client';
import { shareRuns } from '../scheduler/share-runs.ts';
import type { Attempt, DeliveryReading } from '../webhooks/progress.ts';

/** A status by its class, so that a receiver can't make up labels. */
const classOf = (outcome: string): string => {
  if (/^[1-5]\d\d$/.test(outcome)) return `${outcome[0]}xx`;
  return outcome === 'timeout' ? outcome : 'error';
};

/** @returns called after each attempt */
export function attemptMetrics(register: Registry): (attempt: Attempt) => void {
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
export function deliveryMetrics(
  readAll: () => Promise<readonly DeliveryReading[]>,
  register: Registry,
): void {
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
