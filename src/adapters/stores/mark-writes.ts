/**
 * Records with each write of a document, for the filter of each access profile, whether the resource was inside and is inside (`Write.inside`).
 * Entries of the change log hold only what changed, so their readers (domain/access/limited-entries.ts) could not tell it later.
 *
 * All writers of a process write through it. Entries of a process that doesn't know a filter lack its mark.
 */

import { insideTest } from '../../domain/access/views.ts';
import type { Inside } from '../../domain/changes/change.ts';
import type { Access, Profiles } from '../../domain/find/access.ts';
import { matchesNone } from '../../domain/find/conditions.ts';
import type { Kinds } from '../../domain/kinds.ts';
import { type Store, type StoredResource, type Write, withMethods } from '../../domain/store.ts';

/** @returns undefined if no profile has a filter for the kind */
function insideOf(write: Write, kinds: Kinds, all: readonly Access[]): Inside | undefined {
  if (write.op === 'members') return undefined;
  const kind = kinds.of(write.kind);
  const before = write.op === 'create' ? undefined : write.before;
  const next = write.op === 'remove' ? undefined : write.next;
  const marks = all.flatMap((access) => {
    const { filterMark, where } = access.of(kind.name);
    if (filterMark === undefined || matchesNone(where)) return [];
    const isInside = insideTest(kind, where);
    const bit = (image: StoredResource | undefined, value: number): number =>
      image !== undefined && isInside(write.id, image) ? value : 0;
    return [[filterMark, bit(before, 1) + bit(next, 2)] as const];
  });
  return marks.length === 0 ? undefined : Object.fromEntries(marks);
}

export function markWrites(store: Store, kinds: Kinds, profiles: Profiles): Store {
  return withMethods(store, {
    commit(writes, by) {
      const { all } = profiles;
      if (all.length === 0) return store.commit(writes, by);
      const marked = writes.map((write) => ({ ...write, inside: insideOf(write, kinds, all) }));
      return store.commit(marked, by);
    },
  });
}
