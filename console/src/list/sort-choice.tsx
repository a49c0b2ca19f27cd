import { changeList, type ListAddress } from '../address/address.ts';
import { goTo } from '../address/navigation.tsx';
import type { Column } from './columns.ts';

interface SortChoiceProps {
  readonly list: ListAddress;
  readonly columns: readonly Column[];
}

/** For screens too narrow to have a table's head. */
export const SortChoice = ({ list, columns }: SortChoiceProps) => (
  <label class="sort-choice">
    <span>Order</span>
    <select
      value={list.sort}
      onChange={(event) => goTo({ list: changeList(list, { sort: event.currentTarget.value }) })}
    >
      <option value="">As created</option>
      {columns.flatMap(({ sort, label }) =>
        sort === undefined || sort === 'id'
          ? []
          : [
              <option key={sort} value={sort}>
                {label}, upwards
              </option>,
              <option key={`-${sort}`} value={`-${sort}`}>
                {label}, downwards
              </option>,
            ],
      )}
    </select>
  </label>
);
