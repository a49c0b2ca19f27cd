import { changeList, type ListAddress, usualSize } from '../address/address.ts';
import { goTo } from '../address/navigation.tsx';
import { printNumber } from '../language.ts';
import { texts } from '../texts/texts.ts';

const usualSizes = [25, usualSize, 100, 250];

/** How many rows a page has. One that an address alone asks for is offered too. */
export function PageSize({ list }: { readonly list: ListAddress }) {
  const { size: own, ...others } = list;
  const size = own ?? usualSize;
  const sizes = [...new Set([...usualSizes, size])].sort((one, other) => one - other);
  const choose = (next: number) =>
    goTo({ list: changeList(others, next === usualSize ? {} : { size: next }) });
  return (
    <label class="page-size">
      <span>{texts.list.perPage}</span>
      <select value={String(size)} onChange={(event) => choose(Number(event.currentTarget.value))}>
        {sizes.map((one) => (
          <option key={one} value={String(one)}>
            {printNumber(one)}
          </option>
        ))}
      </select>
    </label>
  );
}
