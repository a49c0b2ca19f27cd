import type { ListAddress } from '../address/address.ts';
import { changeList } from '../address/address.ts';
import { Link } from '../address/navigation.tsx';
import { type Group, type KindName, kinds } from '../schema/kinds.ts';
import { scopeOf } from '../session/scopes.ts';
import { useScope } from '../session/use-scope.ts';

const isNarrowed = ({ search, filters }: ListAddress): boolean =>
  search !== '' || Object.keys(filters).length > 0;

interface EmptyListProps {
  readonly kind: KindName;
  readonly list: ListAddress;
  /** Of whose members the list is. */
  readonly group: Group | undefined;
}

/** In the place of rows, where there are none. */
export function EmptyList({ kind, list, group }: EmptyListProps) {
  const mayCreate = useScope(scopeOf(kind, 'write'));
  if (isNarrowed(list))
    return (
      <div class="empty">
        <h2>No {kind} matches</h2>
        <p>Each word of a search has to begin a word of the {kind}. Try fewer or shorter ones.</p>
        <Link class="button" list={changeList(list, { search: '', filters: {} })}>
          Show all
        </Link>
      </div>
    );
  if (Object.keys(list.cursor).length > 0)
    return (
      <div class="empty">
        <h2>This page is empty now</h2>
        <Link class="button" list={changeList(list, {})}>
          To the first page
        </Link>
      </div>
    );
  return (
    <div class="empty">
      <h2>{group === undefined ? `There are no ${kinds[kind].plural} yet` : 'This group has no members'}</h2>
      {group === undefined && mayCreate && (
        <Link class="button primary" view={{ name: 'new', kind }}>
          Create a {kind}
        </Link>
      )}
    </div>
  );
}
