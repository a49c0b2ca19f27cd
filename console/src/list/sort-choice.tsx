import { changeList, usualSort } from '../address/address.ts';
import { goTo, useAddress } from '../address/navigation.tsx';
import { Select } from '../parts/fields.tsx';
import { texts } from '../texts/texts.ts';
import type { Column } from './columns.ts';

const optionsOf = ({ sort, label }: Column) =>
  sort === undefined || sort === 'id'
    ? []
    : ([
        [sort, texts.list.upwards(label)],
        [`-${sort}`, texts.list.downwards(label)],
      ] as const);

/** For screens too narrow to have a table's head. */
export function SortChoice({ columns }: { readonly columns: readonly Column[] }) {
  const { list } = useAddress();
  return (
    <Select
      class="sort-choice"
      label={texts.list.order}
      value={list.sort || usualSort}
      options={[...columns.flatMap(optionsOf), ['id', texts.list.asCreated]]}
      onChoose={(sort) => goTo({ list: changeList(list, { sort }) })}
    />
  );
}
