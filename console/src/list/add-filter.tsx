import { useState } from 'preact/hooks';
import { changeList, type ListAddress } from '../address/address.ts';
import { conditionsOf } from '../address/list-query.ts';
import { goTo, useAddress } from '../address/navigation.tsx';
import { anyDay, Select, TextField } from '../parts/fields.tsx';
import { AskingForm } from '../parts/form.tsx';
import { closeMenu, Menu } from '../parts/menu.tsx';
import { Picker } from '../picker/picker.tsx';
import { ValueInput } from '../picker/value-input.tsx';
import { type Comparison, comparisonsOf, fixedValues, parameterOf } from '../schema/comparisons.ts';
import { endOf, isCalendar, takes } from '../schema/filters.ts';
import {
  type FilterName,
  type FilterParameter,
  isDay,
  isFlag,
  type KindName,
  kinds,
  type ListQuery,
} from '../schema/kinds.ts';
import { Allowed } from '../session/not-allowed.tsx';
import { scopeOf } from '../session/scopes.ts';
import { texts } from '../texts/texts.ts';
import { labelOfComparison, labelOfFilter, suggestedBy } from './filter-fields.ts';

export interface FiltersProps {
  readonly kind: KindName;
  /** The available filters. */
  readonly filters: readonly FilterName[];
}

const words = texts.list;

const FlagChoice = ({ name, onChoose }: Pick<TextFilterProps, 'name' | 'onChoose'>) => (
  <div class="actions">
    {(['true', 'false'] as const).map((value) => (
      <button key={value} type="button" onClick={() => onChoose(value)}>
        {(isFlag(name) ? words.status : texts.change.flags)[value]}
      </button>
    ))}
  </div>
);

interface TextFilterProps {
  readonly kind: KindName;
  readonly name: FilterName;
  readonly label: string;
  /** The list without the filter. */
  readonly query: ListQuery;
  readonly onChoose: (value: string) => void;
}

function TextFilter({ kind, name, label, query, onChoose }: TextFilterProps) {
  const [value, setValue] = useState('');
  const path = suggestedBy(name);
  const choose = (chosen: string) => {
    // The menu stays open for the next filter.
    setValue('');
    onChoose(chosen);
  };
  return (
    <AskingForm onSubmit={() => value !== '' && choose(value)}>
      {path === undefined ? (
        <TextField
          label={label}
          value={value}
          onInput={setValue}
          attributes={{ required: true, ...(isCalendar(name) && anyDay) }}
        />
      ) : (
        <ValueInput
          kind={kind}
          label={label}
          path={path}
          query={query}
          value={value}
          onInput={setValue}
          onPick={choose}
        />
      )}
      <div class="actions">
        <button type="submit" class="primary">
          {words.apply}
        </button>
      </div>
    </AskingForm>
  );
}

export function withoutFilter(list: ListAddress, parameter: FilterParameter): ListAddress {
  const { [parameter]: _own, ...filters } = list.filters;
  return { ...list, filters };
}

/** The label of the input. */
function labelOfValue(kind: KindName, name: FilterName, comparison: Comparison): string {
  if (comparison !== 'is') return labelOfComparison(kind, name, comparison);
  const label = labelOfFilter(kind, name);
  if (isDay(name) || endOf(name) !== undefined) return label;
  return takes(name) in kinds ? words.compared(label, words.comparisons.is) : words.isExactly(label);
}

interface ValueProps {
  readonly kind: KindName;
  readonly name: FilterName;
  readonly comparison: Comparison;
}

/** The input of a value, which takes effect at once or by a button. */
function FilterInput({ kind, name, comparison }: ValueProps) {
  const { list } = useAddress();
  const parameter = parameterOf(name, comparison);
  const isOfSeveral = comparison === 'in';
  const chosen = isOfSeveral ? [list.filters[parameter] ?? []].flat() : [];
  const choose = (value: string) => {
    const values = isOfSeveral ? [...new Set([...chosen, value])] : value;
    goTo({ list: changeList(list, { filters: { ...list.filters, [parameter]: values } }) });
    // The menu stays open for further values.
    if (isOfSeveral) return;
    const { activeElement } = document;
    if (activeElement !== null) closeMenu(activeElement);
  };
  const fixed = fixedValues[comparison];
  const label = labelOfValue(kind, name, comparison);
  const taken = takes(name);
  if (fixed !== undefined)
    return (
      <button type="button" class="primary" onClick={() => choose(fixed)}>
        {words.apply}
      </button>
    );
  if (taken === 'flag') return <FlagChoice name={name} onChoose={choose} />;
  if (taken === 'user' || taken === 'group')
    return <Picker kind={taken} label={label} without={chosen} onPick={({ id }) => choose(id)} />;
  const query = conditionsOf(withoutFilter(list, parameter));
  return <TextFilter kind={kind} name={name} label={label} query={query} onChoose={choose} />;
}

/** Offers the comparisons of a field. */
function FieldFilter({ kind, name }: Omit<ValueProps, 'comparison'>) {
  const comparisons = comparisonsOf(kind, name);
  const [comparison, setComparison] = useState<Comparison>(comparisons[0] ?? 'is');
  return (
    <>
      {comparisons.length > 1 && (
        <Select
          label={words.comparison}
          value={comparison}
          options={comparisons.map((one) => [one, words.comparisons[one]])}
          onChoose={setComparison}
        />
      )}
      <FilterInput kind={kind} name={name} comparison={comparison} />
    </>
  );
}

/** Offers the filters; choosing an active filter changes its value. */
export function AddFilter({ kind, filters }: FiltersProps) {
  const [name, setName] = useState<FilterName>(filters.find(isFlag) ?? 'displayName');
  const taken = takes(name);
  const field = <FieldFilter key={name} kind={kind} name={name} />;
  return (
    <Menu icon="filter" summary={words.filter} onOpen={(menu) => menu.querySelector('select')?.focus()}>
      <Select
        label={words.field}
        value={name}
        options={filters.map((one) => [one, labelOfFilter(kind, one)])}
        onChoose={setName}
      />
      {taken === 'user' || taken === 'group' ? (
        <Allowed scope={scopeOf(taken, 'read')}>{field}</Allowed>
      ) : (
        field
      )}
    </Menu>
  );
}
