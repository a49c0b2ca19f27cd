import { changeList, type ListAddress } from '../address/address.ts';
import { goTo } from '../address/navigation.tsx';
import { texts } from '../texts/texts.ts';
import type { Column } from './columns.ts';

interface SortChoiceProps {
  readonly list: ListAddress;
  readonly columns: readonly Column[];
}

/** For screens too narrow to have a table's head. */
export const SortChoice = ({ list, columns }: SortChoiceProps) => (
  <label class="sort-choice">
    <span>{texts.list.order}</span>
    <select
      value={list.sort}
      onChange={(event) => goTo({ list: changeList(list, { sort: event.currentTarget.value }) })}
    >
      <option value="">{texts.list.asCreated}</option>
      {columns.flatMap(({ sort, label }) =>
        sort === undefined || sort === 'id'
          ? []
          : [
              <option key={sort} value={sort}>
                {texts.list.upwards(label)}
              </option>,
              <option key={`-${sort}`} value={`-${sort}`}>
                {texts.list.downwards(label)}
              </option>,
            ],
      )}
    </select>
  </label>
);
