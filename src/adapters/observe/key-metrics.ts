/** Metrics of the keys that credentials are checked by. */
import { Counter, Gauge, type Registry } from 'prom-client';
import type { KeyEvent, KeyPlace } from '../credentials/key-events.ts';

export function keyMetrics(register: Registry): (keys: KeyPlace, event: KeyEvent) => void {
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
