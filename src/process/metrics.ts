/** Metrics, where the settings ask for them. */
import type { Metrics } from '../adapters/observe/metrics.ts';
import type { Settings } from '../config/settings.ts';

export const areMetricsWanted = ({ metrics }: Settings): boolean => metrics.port !== 0;

/** Those of a process that serves; undefined without. */
export async function openMetrics(settings: Settings): Promise<Metrics | undefined> {
  if (!areMetricsWanted(settings)) return undefined;
  const metrics = await import('../adapters/observe/metrics.ts');
  return metrics.openMetrics(settings.store);
}
