import { useMemo } from 'preact/hooks';
import type { ListAddress } from '../address/address.ts';
import { Link } from '../address/navigation.tsx';
import { FailureNotice } from '../answers/failure-notice.tsx';
import type { Asked } from '../answers/use-answer.ts';
import { useSelection } from '../bulk/selection.ts';
import { SelectionBar } from '../bulk/selection-bar.tsx';
import { Announcement } from '../parts/announcement.tsx';
import { Icon } from '../parts/icons.tsx';
import { countUsersIn } from '../parts/numbers.ts';
import { Skeleton } from '../parts/skeleton.tsx';
import { useTitle } from '../parts/use-title.ts';
import type { Field } from '../schema/fields.ts';
import { NotAllowed } from '../session/not-allowed.tsx';
import { useScope } from '../session/use-scope.ts';
import { ColumnChooser } from './column-chooser.tsx';
import { findColumns, usualColumns } from './columns.ts';
import { Filters } from './filters.tsx';
import { EmptyList } from './list-state.tsx';
import { Pager } from './pager.tsx';
import { SearchBox } from './search-box.tsx';
import { SortChoice } from './sort-choice.tsx';
import { usePage, useTotal } from './use-page.ts';
import { UserTable } from './user-table.tsx';

/** How many match; nothing where the service finds it too costly to count. */
function Total({ total: { value, failure, isBusy } }: { readonly total: Asked<number> }) {
  return (
    <p class="total" role="status" aria-busy={isBusy}>
      {failure === undefined && value !== undefined ? countUsersIn(value) : ''}
    </p>
  );
}

function NewUser() {
  const mayCreate = useScope('users:write');
  if (!mayCreate) return <NotAllowed what="Creating users" scope="users:write" />;
  return (
    <Link class="button primary" view={{ name: 'new' }}>
      <Icon name="plus" /> New user
    </Link>
  );
}

interface UserListProps {
  readonly list: ListAddress;
  readonly fields: readonly Field[];
}

function ReadableList({ list, fields }: UserListProps) {
  useTitle('');
  const columns = useMemo(() => findColumns(fields), [fields]);
  const wanted = list.columns ?? usualColumns;
  const shown = columns.filter(({ path }) => wanted.includes(path));
  const selection = useSelection();
  const { value: page, failure, isBusy, again } = usePage(list);
  const total = useTotal(list);
  // What was refused is another list than the one that is there.
  const isRefused = failure?.kind === 'refused' && failure.status < 500;
  const users = isRefused ? [] : (page?.users ?? []);
  return (
    <main class="list">
      <h1 class="unseen">Users</h1>
      <Announcement />
      <div class="toolbar">
        <SearchBox list={list} />
        <NewUser />
      </div>
      <div class="toolbar second">
        <Filters list={list} />
        <SortChoice list={list} columns={columns} />
        <ColumnChooser list={list} columns={columns} shown={shown} />
      </div>
      <SelectionBar
        selection={selection}
        onDone={() => {
          again();
          total.again();
        }}
      />
      {failure !== undefined && <FailureNotice failure={failure} retry={again} isAutomatic />}
      <div class="table-frame">
        <UserTable list={list} columns={shown} users={users} isBusy={isBusy} selection={selection} />
        {page === undefined && isBusy && <Skeleton rows={12} />}
        {page?.users.length === 0 && failure === undefined && <EmptyList list={list} />}
      </div>
      <div class="list-end">
        <Total total={total} />
        {page !== undefined && <Pager list={list} links={page.links} />}
      </div>
    </main>
  );
}

export function UserList(props: UserListProps) {
  return useScope('users:read') ? (
    <ReadableList {...props} />
  ) : (
    <main class="list">
      <h1>Users</h1>
      <NotAllowed what="Looking people up" scope="users:read" />
    </main>
  );
}
