/** Whether a resource is inside of the filter of a profile. */
import type { Condition } from '../find/conditions.ts';
import type { FilterName } from '../find/filters.ts';
import { testOf } from '../find/matches.ts';
import type { Kind } from '../kinds/kind.ts';
import type { Resource } from '../resource/resource.ts';
import type { Stored } from '../resource/stored.ts';

export function isInside(kind: Kind, stored: Stored<Resource>, where: Condition): boolean {
  const { filters, search, sorts } = kind.makeKeysOf(stored.id, stored);
  const keysOf = (filter: FilterName) => filters.flatMap(([name, key]) => (name === filter ? [key] : []));
  return testOf(where)({ id: stored.id, keysOf, search, sorts });
}
