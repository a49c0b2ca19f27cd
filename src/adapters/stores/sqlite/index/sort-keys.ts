/** The column `sorts` of a user: its sort keys, in the order of `sortNames`, as a JSON list. An empty key stands for none. */
import type { UserKeys } from '../../../../domain/find/keys.ts';
import { sortNames } from '../../../../domain/find/sorts.ts';

export const printSorts = (sorts: UserKeys['sorts']): string =>
  JSON.stringify(sortNames.map((name) => sorts.get(name) ?? ''));

/** No keys when another program has left something else there. */
export function parseSorts(sorts: string | null): readonly string[] {
  try {
    const keys: unknown = JSON.parse(sorts ?? '[]');
    return Array.isArray(keys) ? keys : [];
  } catch {
    return [];
  }
}

/** The number by which `sort_keys` and the column know a sort; -1 for the order of the ids. */
export const sortNumber = (by: string | undefined): number => sortNames.indexOf(by ?? '');
