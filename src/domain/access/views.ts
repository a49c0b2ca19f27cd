/** What a profile leaves of a kind. */

import type { Access } from '../find/access.ts';
import { type Condition, matchesAll } from '../find/conditions.ts';
import type { Kind } from '../kinds/kind.ts';
import type { KindName } from '../validation/errors.ts';
import { type IsInside, insideTest } from './inside.ts';
import { type VisibleSearch, visibleSearch } from './visible-search.ts';

export interface View {
  readonly name: KindName;
  readonly where: Condition;
  /** Whether some resources may be outside. */
  readonly isFiltered: boolean;
  readonly isInside: IsInside;
  /** Undefined if all searched members are visible. */
  readonly search: VisibleSearch | undefined;
}

export function viewOf(kind: Kind, access: Access): View {
  const { where, ...members } = access.of(kind.name);
  const search = visibleSearch(kind, members);
  return {
    name: kind.name,
    where,
    isFiltered: !matchesAll(where),
    isInside: insideTest(kind, where),
    search,
  };
}
