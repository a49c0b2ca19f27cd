import { useState } from 'preact/hooks';
import {
  changeList,
  type FilterName,
  filterLabels,
  filterNames,
  type ListAddress,
} from '../address/address.ts';
import { goTo } from '../address/navigation.tsx';
import { Icon } from '../parts/icons.tsx';
import { Menu } from '../parts/menu.tsx';

const flags: Readonly<Record<string, string>> = { true: 'yes', false: 'no' };
const isFlag = (name: FilterName): boolean => name === 'active';

function setFilter(list: ListAddress, name: FilterName, value: string | undefined): void {
  const { [name]: _before, ...others } = list.filters;
  goTo({ list: changeList(list, { filters: value === undefined ? others : { ...others, [name]: value } }) });
}

const FlagChoice = ({ onChoose }: { readonly onChoose: (value: string) => void }) => (
  <div class="actions">
    {Object.entries(flags).map(([value, word]) => (
      <button key={value} type="button" onClick={() => onChoose(value)}>
        {word === 'yes' ? 'Active' : 'Inactive'}
      </button>
    ))}
  </div>
);

interface TextFilterProps {
  readonly name: FilterName;
  readonly onChoose: (value: string) => void;
}

const TextFilter = ({ name, onChoose }: TextFilterProps) => (
  <form
    onSubmit={(event) => {
      event.preventDefault();
      const value = String(new FormData(event.currentTarget as HTMLFormElement).get('value') ?? '');
      if (value !== '') onChoose(value);
    }}
  >
    <label class="field">
      <span>{filterLabels[name]} is exactly</span>
      <input name="value" required autocomplete="off" autocapitalize="none" spellcheck={false} />
    </label>
    <div class="actions">
      <button type="submit" class="primary">
        Filter
      </button>
    </div>
  </form>
);

/** Offers the filters; one that is set already is set anew. */
function AddFilter({ list }: { readonly list: ListAddress }) {
  const [name, setName] = useState<FilterName>('active');
  const choose = (value: string) => {
    setFilter(list, name, value);
    const { activeElement } = document;
    activeElement?.closest('details')?.removeAttribute('open');
  };
  return (
    <Menu
      summary={
        <>
          <Icon name="filter" /> Filter
        </>
      }
    >
      <label class="field">
        <span>Field</span>
        <select value={name} onChange={(event) => setName(event.currentTarget.value as FilterName)}>
          {filterNames.map((one) => (
            <option key={one} value={one}>
              {filterLabels[one]}
            </option>
          ))}
        </select>
      </label>
      {isFlag(name) ? (
        <FlagChoice onChoose={choose} />
      ) : (
        <TextFilter key={name} name={name} onChoose={choose} />
      )}
    </Menu>
  );
}

const describe = (name: FilterName, value: string): string =>
  isFlag(name) ? (flags[value] ?? value) : value;

/** A chip for each filter that is set, and what sets another one. */
export const Filters = ({ list }: { readonly list: ListAddress }) => (
  <div class="filters">
    <AddFilter list={list} />
    {filterNames.flatMap((name) => {
      const value = list.filters[name];
      if (value === undefined) return [];
      return [
        <span key={name} class="chip">
          <span class="chip-text">
            {filterLabels[name]}: <bdi>{describe(name, value)}</bdi>
          </span>
          <button
            type="button"
            class="bare"
            aria-label={`Remove the filter ${filterLabels[name]}`}
            onClick={() => setFilter(list, name, undefined)}
          >
            <Icon name="close" />
          </button>
        </span>,
      ];
    })}
  </div>
);
