import type { ListAddress } from '../address/address.ts';
import { changeList } from '../address/address.ts';
import { goTo, Link } from '../address/navigation.tsx';
import type { User } from '../api/directory.ts';
import type { Selection } from '../bulk/selection.ts';
import { Icon } from '../parts/icons.tsx';
import { Cell } from './cell.tsx';
import { type Column, valueAt } from './columns.ts';

export interface UserTableProps {
  readonly list: ListAddress;
  readonly columns: readonly Column[];
  readonly users: readonly User[];
  readonly isBusy: boolean;
  readonly selection: Selection;
}

type Direction = 'ascending' | 'descending' | 'none';

function directionOf({ sort }: ListAddress, column: Column): Direction {
  if (column.sort === undefined) return 'none';
  if (sort === column.sort || (sort === '' && column.sort === 'id')) return 'ascending';
  return sort === `-${column.sort}` ? 'descending' : 'none';
}

function ColumnHead({ list, column }: { readonly list: ListAddress; readonly column: Column }) {
  const { label, sort } = column;
  if (sort === undefined) return <th scope="col">{label}</th>;
  const direction = directionOf(list, column);
  const turn = () =>
    goTo({ list: changeList(list, { sort: direction === 'ascending' ? `-${sort}` : sort }) });
  return (
    <th scope="col" aria-sort={direction}>
      <button type="button" class="bare sort" onClick={turn}>
        {label}
        {direction !== 'none' && <Icon name={direction === 'ascending' ? 'up' : 'down'} />}
      </button>
    </th>
  );
}

interface UserRowProps {
  readonly columns: readonly Column[];
  readonly user: User;
  readonly selection: Selection;
}

function UserRow({ columns, user, selection }: UserRowProps) {
  const isSelected = selection.has(user.id);
  return (
    <tr class={isSelected ? 'selected' : ''}>
      <td class="check">
        <input
          type="checkbox"
          aria-label={`Select ${user.userName}`}
          checked={isSelected}
          onChange={() => selection.toggle([user], !isSelected)}
        />
      </td>
      {columns.map(({ path, label, field }, index) => (
        <td key={path} data-label={label} class={index === 0 ? 'lead' : ''}>
          {index === 0 ? (
            <Link view={{ name: 'user', id: user.id }}>
              <Cell field={field} value={valueAt(user, path)} />
            </Link>
          ) : (
            <Cell field={field} value={valueAt(user, path)} />
          )}
        </td>
      ))}
    </tr>
  );
}

/** Keeps its columns, and what stood in them, while others are awaited. */
export function UserTable({ list, columns, users, isBusy, selection }: UserTableProps) {
  const isAllSelected = users.length > 0 && users.every(({ id }) => selection.has(id));
  return (
    <table class="users" aria-label="Users" aria-busy={isBusy}>
      <thead>
        <tr>
          <th scope="col" class="check">
            <label class="select-all">
              <input
                type="checkbox"
                checked={isAllSelected}
                disabled={users.length === 0}
                onChange={() => selection.toggle(users, !isAllSelected)}
              />
              <span>Select all on this page</span>
            </label>
          </th>
          {columns.map((column) => (
            <ColumnHead key={column.path} list={list} column={column} />
          ))}
        </tr>
      </thead>
      <tbody>
        {users.map((user) => (
          <UserRow key={user.id} columns={columns} user={user} selection={selection} />
        ))}
      </tbody>
    </table>
  );
}
