/** The column `sorts`: the sort keys of a row, in the order of the kind's sorts, as a JSON list. An empty key stands for none. */
import type { Keys } from '../../../../domain/find/keys.ts';

export const printSorts = (names: readonly string[], sorts: Keys['sorts']): string =>
  JSON.stringify(names.map((name) => sorts.get(name) ?? ''));

/** @param sorts null in a row that another program has inserted */
export const parseSorts = (sorts: string | null): readonly string[] => JSON.parse(sorts ?? '[]');
