/** The column `sorts`: the sort keys of a row, in the order of the kind's sorts, as a JSON list. An empty key stands for none. */
import type { Keys } from '../../../../domain/find/keys.ts';

export const printSorts = (names: readonly string[], sorts: Keys['sorts']): string =>
  JSON.stringify(names.map((name) => sorts.get(name) ?? ''));

/** No keys when another program has left something else there. */
export function parseSorts(sorts: string | null): readonly string[] {
  try {
    const keys: unknown = JSON.parse(sorts ?? '[]');
    return Array.isArray(keys) ? keys : [];
  } catch {
    return [];
  }
}
