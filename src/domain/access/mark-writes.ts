/**
 * Records with each write of a document, for the filter of each profile, whether the resource was inside and is inside (`Write.inside`). Entries of
 * the change log hold only what changed, so their readers (limited-entries.ts) can't tell it later.
 *
 * All writers of a process write through it. Entries of a process that doesn't know a filter lack its mark.
 */
import type { Inside } from '../changes/change.ts';
import { matchesNone } from '../find/conditions.ts';
import { matches } from '../find/matches.ts';
import type { Kinds } from '../kinds.ts';
import { type Store, type StoredResource, type Write, withMethods } from '../store.ts';
import type { Access, Profiles } from './access.ts';

function insideOf(write: Write, kinds: Kinds, all: readonly Access[]): Inside | undefined {
  if (write.op === 'members') return undefined;
  const kind = kinds.of(write.kind);
  const [before, next] = [
    write.op === 'create' ? undefined : write.before,
    write.op === 'remove' ? undefined : write.next,
  ];
  const marks = all.flatMap(({ of }) => {
    const { filterMark, where } = of(kind.name);
    if (filterMark === undefined || matchesNone(where)) return [];
    const bit = (image: StoredResource | undefined, value: number): number =>
      image !== undefined && matches(kind, image, where) ? value : 0;
    return [[filterMark, bit(before, 1) + bit(next, 2)] as const];
  });
  return marks.length === 0 ? undefined : Object.fromEntries(marks);
}

/** The store itself while there are no profiles. */
export function markWrites(store: Store, kinds: Kinds, profiles: Profiles): Store {
  return withMethods(store, {
    commit(writes, by) {
      const { all } = profiles;
      if (all.length === 0) return store.commit(writes, by);
      return store.commit(
        writes.map((write) => ({ ...write, inside: insideOf(write, kinds, all) })),
        by,
      );
    },
  });
}
