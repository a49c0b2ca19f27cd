/**
 * Records with each write of a document, for the filter of each access profile, whether the resource was inside and is inside (`Write.inside`).
 * Entries of the change log hold only what changed, so their readers (domain/access/limited-entries.ts) could not tell it later.
 *
 * All writers of a process write through it. Entries of a process that doesn't know a filter lack its mark.
 */

import { insideTests } from '../../domain/access/views.ts';
import type { Inside } from '../../domain/changes/change.ts';
import type { Access, Profiles } from '../../domain/find/access.ts';
import { matchesNone } from '../../domain/find/conditions.ts';
import type { Kind } from '../../domain/kinds/kind.ts';
import type { Kinds } from '../../domain/kinds.ts';
import { type Store, type StoredResource, type Write, withMethods } from '../../domain/store.ts';
import type { KindName } from '../../domain/validation/errors.ts';

/** The filters by the name of the kind; undefined if no profile has a filter for it. */
type Filters = ReadonlyMap<KindName, FiltersOfKind | undefined>;

interface FiltersOfKind {
  readonly marks: readonly string[];
  readonly insideOf: ReturnType<typeof insideTests>;
}

/** Profiles with equal filters share a mark. */
function filtersOf(kinds: Kinds, all: readonly Access[]): Filters {
  const filtersOfKind = (kind: Kind): FiltersOfKind | undefined => {
    const filters = all.flatMap((access) => {
      const { filterMark, where } = access.of(kind.name);
      return filterMark === undefined || matchesNone(where) ? [] : [[filterMark, where] as const];
    });
    const byMark = new Map(filters);
    return byMark.size === 0 ? undefined : { marks: [...byMark.keys()], insideOf: insideTests(kind, byMark) };
  };
  return new Map(kinds.all.map((kind) => [kind.name, filtersOfKind(kind)]));
}

function insideOf(write: Write, filters: Filters): Inside | undefined {
  const known = filters.get(write.kind);
  if (write.op === 'members' || known === undefined) return undefined;
  const marksOf = (image: StoredResource | undefined): ReadonlySet<string> =>
    image === undefined ? new Set() : known.insideOf(write.id, image);
  const before = marksOf(write.op === 'create' ? undefined : write.before);
  const after = marksOf(write.op === 'remove' ? undefined : write.next);
  return Object.fromEntries(
    known.marks.map((mark) => [mark, Number(before.has(mark)) + 2 * Number(after.has(mark))]),
  );
}

export function markWrites(store: Store, kinds: Kinds, profiles: Profiles): Store {
  // Made once for each version of the file: a write would take microseconds more for each profile.
  let [known, filters] = [profiles.all, filtersOf(kinds, profiles.all)];
  return withMethods(store, {
    commit(writes, by) {
      const { all } = profiles;
      if (all.length === 0) return store.commit(writes, by);
      if (all !== known) [known, filters] = [all, filtersOf(kinds, all)];
      const marked = writes.map((write) => ({ ...write, inside: insideOf(write, filters) }));
      return store.commit(marked, by);
    },
  });
}
