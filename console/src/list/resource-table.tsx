import { useRef } from 'preact/hooks';
import { changeList, type ListAddress } from '../address/address.ts';
import { goTo, useAddress } from '../address/navigation.tsx';
import type { Selection } from '../bulk/selection.ts';
import { DaysOf } from '../form/day-control.tsx';
import { Select } from '../parts/fields.tsx';
import { Icon } from '../parts/icons.tsx';
import { Avatar } from '../person/avatar.tsx';
import { type KindName, nameOf, type Resource, titleOf } from '../schema/kinds.ts';
import { usualSortOf } from '../schema/load-fields.ts';
import { useShortcut } from '../shortcuts/shortcuts.ts';
import { texts } from '../texts/texts.ts';
import { Cell } from './cell.tsx';
import { type Column, valueIn } from './columns.ts';
import { moveByArrow, moveToRow, RowLink, toggleRow, useFocusOnReturn } from './row-link.tsx';

interface ResourceTableProps {
  readonly kind: KindName;
  /** The name of the table: `Users`. */
  readonly title: string;
  readonly columns: readonly Column[];
  readonly resources: readonly Resource[];
  readonly isBusy: boolean;
  readonly selection: Selection;
}

type Direction = 'ascending' | 'descending' | 'none';

function directionOf(kind: KindName, { sort }: ListAddress, column: Column): Direction {
  if (column.sort === undefined) return 'none';
  if ((sort || usualSortOf(kind)) === column.sort) return 'ascending';
  return sort === `-${column.sort}` ? 'descending' : 'none';
}

function ColumnHead({ kind, column }: { readonly kind: KindName; readonly column: Column }) {
  const { label, sort } = column;
  const { list } = useAddress();
  if (sort === undefined) return <th scope="col">{label}</th>;
  const direction = directionOf(kind, list, column);
  const turn = () =>
    goTo({ list: changeList(list, { sort: direction === 'ascending' ? `-${sort}` : sort }) });
  return (
    <th scope="col" aria-sort={direction}>
      <button
        type="button"
        class="bare sort"
        title={label === texts.list.name ? texts.list.nameOrder : undefined}
        onClick={turn}
      >
        {label}
        {direction !== 'none' && <Icon name={direction === 'ascending' ? 'up' : 'down'} />}
      </button>
    </th>
  );
}

const optionsOf = ({ sort, label }: Column) =>
  sort === undefined || sort === 'id'
    ? []
    : ([
        [sort, texts.list.upwards(label)],
        [`-${sort}`, texts.list.downwards(label)],
      ] as const);

/** For screens too narrow to have a table's head. */
export function SortChoice({ kind, columns }: Pick<ResourceTableProps, 'kind' | 'columns'>) {
  const { list } = useAddress();
  return (
    <Select
      class="sort-choice"
      label={texts.list.order}
      value={list.sort || usualSortOf(kind)}
      options={[...columns.flatMap(optionsOf), ['id', texts.list.asCreated]]}
      onChoose={(sort) => goTo({ list: changeList(list, { sort }) })}
    />
  );
}

/** A user by name, over the user name where no column has it. */
function Who({ resource, columns }: Pick<RowProps, 'resource' | 'columns'>) {
  const [title, name] = [titleOf(resource), nameOf(resource)];
  const isNamed = title === name || columns.some(({ path }) => path === 'userName');
  return (
    <span class="who">
      {'userName' in resource && <Avatar user={resource} />}
      <span>
        <RowLink resource={resource}>
          <bdi>{title}</bdi>
        </RowLink>
        {!isNamed && <bdi class="quiet small">{name}</bdi>}
      </span>
    </span>
  );
}

interface RowProps {
  readonly columns: readonly Column[];
  readonly resource: Resource;
  readonly isSelected: boolean;
  /** @param isRange with Shift: also all rows between this one and the last selected one */
  readonly onSelect: (isSelected: boolean, isRange: boolean) => void;
}

function Row({ columns, resource, isSelected, onSelect }: RowProps) {
  return (
    <tr class={isSelected ? 'selected' : ''}>
      <td class="check">
        <input
          type="checkbox"
          aria-label={texts.list.select(nameOf(resource))}
          checked={isSelected}
          onClick={(event) => onSelect(!isSelected, event.shiftKey)}
        />
      </td>
      {columns.map((column, index) => {
        const { path, label, field } = column;
        const isLead = index === 0;
        const value = valueIn(resource, column);
        const cell = (
          <DaysOf.Provider value={{ user: resource }}>
            <Cell field={field} value={value} />
          </DaysOf.Provider>
        );
        return (
          <td
            key={path}
            data-label={label}
            data-path={path}
            class={isLead ? 'lead' : value === undefined ? 'none' : ''}
          >
            {isLead && path === 'displayName' && <Who resource={resource} columns={columns} />}
            {isLead && path !== 'displayName' && <RowLink resource={resource}>{cell}</RowLink>}
            {!isLead && cell}
          </td>
        );
      })}
    </tr>
  );
}

/** Selects single rows, and ranges from the last selected row. */
function useRowSelection(resources: readonly Resource[], selection: Selection) {
  const before = useRef('');
  return (index: number, isSelected: boolean, isRange: boolean) => {
    const start = isRange ? resources.findIndex(({ id }) => id === before.current) : -1;
    const [from, to] = start === -1 ? [index, index] : [Math.min(start, index), Math.max(start, index)];
    selection.toggle(resources.slice(from, to + 1), isSelected);
    before.current = resources[index]?.id ?? '';
  };
}

/** Keeps its columns and rows while others are loaded. */
export function ResourceTable({ kind, title, columns, resources, isBusy, selection }: ResourceTableProps) {
  useFocusOnReturn(resources);
  useShortcut('next', () => moveToRow(1));
  useShortcut('previous', () => moveToRow(-1));
  useShortcut('select', () => toggleRow(false));
  useShortcut('selectRange', () => toggleRow(true));
  const select = useRowSelection(resources, selection);
  const isAllSelected = resources.length > 0 && resources.every(({ id }) => selection.has(id));
  return (
    <table class="rows" aria-label={title} aria-busy={isBusy}>
      <thead>
        <tr>
          <th scope="col" class="check">
            <label class="select-all">
              <input
                type="checkbox"
                checked={isAllSelected}
                indeterminate={!isAllSelected && resources.some(({ id }) => selection.has(id))}
                disabled={resources.length === 0}
                onChange={() => selection.toggle(resources, !isAllSelected)}
              />
              <span class="unseen">{texts.list.selectPage}</span>
            </label>
          </th>
          {columns.map((column) => (
            <ColumnHead key={column.path} kind={kind} column={column} />
          ))}
        </tr>
      </thead>
      <tbody onKeyDown={moveByArrow}>
        {resources.map((resource, index) => (
          <Row
            key={resource.id}
            columns={columns}
            resource={resource}
            isSelected={selection.has(resource.id)}
            onSelect={(isSelected, isRange) => select(index, isSelected, isRange)}
          />
        ))}
      </tbody>
    </table>
  );
}
