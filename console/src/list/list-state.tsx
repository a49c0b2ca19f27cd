import { changeList } from '../address/address.ts';
import { Link, useAddress } from '../address/navigation.tsx';
import type { Group, KindName } from '../schema/kinds.ts';
import { scopeOf } from '../session/scopes.ts';
import { mayCreate, useScope } from '../session/session.ts';
import { texts } from '../texts/texts.ts';

const words = texts.list;

interface EmptyListProps {
  readonly kind: KindName;
  /** The group whose members are listed. */
  readonly group: Group | undefined;
}

/** Shown in place of rows when there are none. */
export function EmptyList({ kind, group }: EmptyListProps) {
  const { list } = useAddress();
  const isOffered = useScope(scopeOf(kind, 'write')) && mayCreate(kind);
  const isFiltered = Object.keys(list.filters).length > 0;
  if (isFiltered || list.search !== '')
    return (
      <div class="empty">
        <h2>{words.noMatch[kind].title}</h2>
        {list.search !== '' && <p>{words.noMatch[kind].text}</p>}
        {isFiltered && <p>{words.noMatch.filters}</p>}
        <p class="actions">
          {isFiltered && list.search !== '' && (
            <Link class="button" list={changeList(list, { filters: {} })}>
              {words.searchAll}
            </Link>
          )}
          <Link class="button" list={changeList(list, { search: '', filters: {} })}>
            {words.showAll}
          </Link>
        </p>
      </div>
    );
  if (Object.keys(list.cursor).length > 0)
    return (
      <div class="empty">
        <h2>{words.emptyPage}</h2>
        <Link class="button" list={changeList(list, {})}>
          {words.toFirstPage}
        </Link>
      </div>
    );
  return (
    <div class="empty">
      <h2>{words.none[group === undefined ? kind : 'member']}</h2>
      {group === undefined && isOffered && (
        <p class="actions">
          <Link class="button primary" view={{ name: 'new', kind }}>
            {words.create[kind]}
          </Link>
          <Link class="button" view={{ name: 'import', kind }}>
            {texts.page.files.import}
          </Link>
        </p>
      )}
    </div>
  );
}
