/** Whether a resource is inside of a filter, as it is stored or would be after a write. */
import { type Condition, matchesAll } from '../find/conditions.ts';
import { type Keyed, testOf } from '../find/matches.ts';
import type { Kind } from '../kinds/kind.ts';
import type { Resource } from '../resource/resource.ts';
import type { StoredResource } from '../store.ts';

/** Made on demand, since most conditions ask for few keys. @param searchOf its search text */
const keyed = (kind: Kind, id: string, value: Resource, searchOf: (value: Resource) => string): Keyed => ({
  id,
  keysOf: (filter) => kind.filters[filter]?.keys?.(value as never) ?? [],
  sorts: { get: (sort) => kind.keyOf(value, sort) },
  get search() {
    return searchOf(value);
  },
});

/** As stores index a resource that can't be read. */
const unreadable = (id: string): Keyed => ({ id, keysOf: () => [], sorts: new Map(), search: '' });

export type IsInside = (id: string, stored: StoredResource) => boolean;

/** @param where without memberships @param searchOf left out: of all searched members */
export function insideTest(
  kind: Kind,
  where: Condition,
  searchOf = (value: Resource) => kind.makeKeys(value).search,
): IsInside {
  if (matchesAll(where)) return () => true;
  const test = testOf(where);
  return (id, stored) => {
    try {
      return test(keyed(kind, id, stored.value, searchOf));
    } catch {
      return test(unreadable(id));
    }
  };
}
