/** What a profile leaves of each kind. */

import type { Access } from '../find/access.ts';
import { type Condition, matchesAll } from '../find/conditions.ts';
import type { Kind } from '../kinds/kind.ts';
import { type Kinds, ofKind } from '../kinds.ts';
import type { KindName } from '../validation/errors.ts';
import { type IsInside, insideTest } from './inside.ts';
import { membersMember } from './profile.ts';
import { type VisibleSearch, visibleSearch } from './visible-search.ts';

export interface View {
  readonly name: KindName;
  readonly kind: Kind;
  readonly where: Condition;
  /** Whether some resources may be outside. */
  readonly isFiltered: boolean;
  readonly isInside: IsInside;
  /** Undefined if all searched members are visible. */
  readonly search: VisibleSearch | undefined;
  /** Of a kind that has members. */
  readonly showsMembers: boolean;
  readonly writesMembers: boolean;
}

export type ViewOf = (kind: KindName) => View;

export function viewsOf(kinds: Kinds, access: Access): ViewOf {
  const views = new Map(
    kinds.all.map((kind): [KindName, View] => {
      const { where, ...members } = access.of(kind.name);
      const view = {
        name: kind.name,
        kind,
        where,
        isFiltered: !matchesAll(where),
        isInside: insideTest(kind, where),
        search: visibleSearch(kind, members),
        showsMembers: members.shows([membersMember]) === 'whole',
        writesMembers: members.writes([membersMember]) === 'whole',
      };
      return [kind.name, view];
    }),
  );
  return (kind) => ofKind(views, kind);
}
