import { Fragment } from 'preact';
import { changeList } from '../address/address.ts';
import { goTo, Link, useAddress } from '../address/navigation.tsx';
import { ResourceName } from '../answers/resource-name.tsx';
import { printDay } from '../language.ts';
import { Icon } from '../parts/icons.tsx';
import { filtersAmong, fixedValues } from '../schema/comparisons.ts';
import { isCalendar, takes } from '../schema/filters.ts';
import { type FilterName, isFlag } from '../schema/kinds.ts';
import { texts } from '../texts/texts.ts';
import { AddFilter, type FiltersProps, withoutFilter } from './add-filter.tsx';
import { labelOfComparison } from './filter-fields.ts';

const words = texts.list;

function FilterValue({ name, value }: { readonly name: FilterName; readonly value: string }) {
  const taken = takes(name);
  if (taken === 'user' || taken === 'group') return <ResourceName kind={taken} id={value} />;
  if (isCalendar(name)) return printDay(value);
  const flags: Readonly<Record<string, string>> = isFlag(name) ? words.status : texts.change.flags;
  return <bdi>{taken === 'flag' ? (flags[value] ?? value) : value}</bdi>;
}

/** A chip for each active filter, and the menu for further ones. */
export function Filters({ kind, filters }: FiltersProps) {
  const { list } = useAddress();
  return (
    <div class="filters">
      <AddFilter kind={kind} filters={filters} />
      {filtersAmong(kind, filters, (parameter) => list.filters[parameter]).map((filter) => {
        const { name, comparison, parameter, values } = filter;
        const label = labelOfComparison(kind, name, comparison);
        return (
          <span key={parameter} class="chip">
            <span class="chip-text">
              {label}
              {fixedValues[comparison] === undefined &&
                values.map((value, at) => (
                  <Fragment key={value}>
                    {at === 0 ? ': ' : ', '}
                    <FilterValue name={name} value={value} />
                  </Fragment>
                ))}
            </span>
            <button
              type="button"
              class="bare"
              aria-label={words.removeFilter(label)}
              onClick={({ currentTarget }) => {
                currentTarget.closest('.filters')?.querySelector('summary')?.focus();
                goTo({ list: changeList(withoutFilter(list, parameter), {}) });
              }}
            >
              <Icon name="close" />
            </button>
          </span>
        );
      })}
      {Object.keys(list.filters).length > 1 && (
        <Link class="button plain" list={changeList(list, { filters: {} })}>
          {words.removeFilters}
        </Link>
      )}
    </div>
  );
}
