import { useState } from 'preact/hooks';
import { changeList, type ListAddress } from '../address/address.ts';
import { conditionsOf } from '../address/list-query.ts';
import { goTo, Link, useAddress } from '../address/navigation.tsx';
import { ResourceName } from '../answers/resource-name.tsx';
import { printDay } from '../language.ts';
import { anyDay, Select, TextField } from '../parts/fields.tsx';
import { AskingForm } from '../parts/form.tsx';
import { Icon } from '../parts/icons.tsx';
import { closeMenu, Menu } from '../parts/menu.tsx';
import { Picker } from '../picker/picker.tsx';
import { ValueInput } from '../picker/value-input.tsx';
import { type FilterName, isDay, type KindName, type ListQuery, relations } from '../schema/kinds.ts';
import { Allowed } from '../session/not-allowed.tsx';
import { scopeOf } from '../session/scopes.ts';
import { texts } from '../texts/texts.ts';
import { labelOfFilter, suggestedBy } from './filter-fields.ts';

interface FiltersProps {
  readonly kind: KindName;
  /** The available filters. */
  readonly filters: readonly FilterName[];
}

const words = texts.list;
const flags: Readonly<Record<string, string>> = { true: words.yes, false: words.no };
const isFlag = (name: FilterName): boolean => name === 'active';

const FlagChoice = ({ onChoose }: { readonly onChoose: (value: string) => void }) => (
  <div class="actions">
    {['true', 'false'].map((value) => (
      <button key={value} type="button" onClick={() => onChoose(value)}>
        {value === 'true' ? words.active : words.inactive}
      </button>
    ))}
  </div>
);

interface TextFilterProps {
  readonly kind: KindName;
  readonly name: FilterName;
  /** The list without the filter. */
  readonly query: ListQuery;
  readonly onChoose: (value: string) => void;
}

function TextFilter({ kind, name, query, onChoose }: TextFilterProps) {
  const [value, setValue] = useState('');
  const plain = labelOfFilter(kind, name);
  const label = isDay(name) ? plain : words.isExactly(plain);
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
          attributes={{ required: true, ...(isDay(name) && anyDay) }}
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

function withoutFilter(list: ListAddress, name: FilterName): ListAddress {
  const { [name]: _own, ...filters } = list.filters;
  return { ...list, filters };
}

/** Offers the filters; choosing an active filter changes its value. */
function AddFilter({ kind, filters }: FiltersProps) {
  const { list } = useAddress();
  const [name, setName] = useState<FilterName>(filters.find(isFlag) ?? 'displayName');
  const label = labelOfFilter(kind, name);
  const related = relations[name];
  const choose = (value: string) => {
    goTo({ list: changeList(list, { filters: { ...list.filters, [name]: value } }) });
    const { activeElement } = document;
    if (activeElement !== null) closeMenu(activeElement);
  };
  return (
    <Menu icon="filter" summary={words.filter}>
      <Select
        label={words.field}
        value={name}
        options={filters.map((one) => [one, labelOfFilter(kind, one)])}
        onChoose={setName}
      />
      {isFlag(name) && <FlagChoice onChoose={choose} />}
      {related !== undefined && (
        <Allowed scope={scopeOf(related, 'read')}>
          <Picker kind={related} label={words.is(label)} onPick={({ id }) => choose(id)} />
        </Allowed>
      )}
      {!isFlag(name) && related === undefined && (
        <TextFilter
          key={name}
          kind={kind}
          name={name}
          query={conditionsOf(withoutFilter(list, name))}
          onChoose={choose}
        />
      )}
    </Menu>
  );
}

interface FilterValueProps {
  readonly name: FilterName;
  readonly value: string;
}

function FilterValue({ name, value }: FilterValueProps) {
  const kind = relations[name];
  if (kind !== undefined) return <ResourceName kind={kind} id={value} />;
  if (isDay(name)) return printDay(value);
  return <bdi>{isFlag(name) ? (flags[value] ?? value) : value}</bdi>;
}

/** A chip for each active filter, and the menu for further ones. */
export function Filters({ kind, filters }: FiltersProps) {
  const { list } = useAddress();
  return (
    <div class="filters">
      <AddFilter kind={kind} filters={filters} />
      {filters.flatMap((name) => {
        const value = list.filters[name];
        if (value === undefined) return [];
        return [
          <span key={name} class="chip">
            <span class="chip-text">
              {labelOfFilter(kind, name)}: <FilterValue name={name} value={value} />
            </span>
            <button
              type="button"
              class="bare"
              aria-label={words.removeFilter(labelOfFilter(kind, name))}
              onClick={({ currentTarget }) => {
                currentTarget.closest('.filters')?.querySelector('summary')?.focus();
                goTo({ list: changeList(withoutFilter(list, name), {}) });
              }}
            >
              <Icon name="close" />
            </button>
          </span>,
        ];
      })}
      {Object.keys(list.filters).length > 1 && (
        <Link class="button plain" list={changeList(list, { filters: {} })}>
          {words.removeFilters}
        </Link>
      )}
    </div>
  );
}
