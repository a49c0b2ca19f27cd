import type { ListAddress } from '../address/address.ts';
import { goTo } from '../address/navigation.tsx';
import { Icon } from '../parts/icons.tsx';
import { Menu } from '../parts/menu.tsx';
import { type Column, usualColumns } from './columns.ts';

interface ColumnChooserProps {
  readonly list: ListAddress;
  /** All that there are. */
  readonly columns: readonly Column[];
  readonly shown: readonly Column[];
}

/** In the order of the schema; the usual ones are left out of the address. */
function show(list: ListAddress, columns: readonly Column[], paths: ReadonlySet<string>): void {
  const chosen = columns.map(({ path }) => path).filter((path) => paths.has(path));
  const { columns: _before, ...others } = list;
  const isUsual = chosen.length === usualColumns.length && usualColumns.every((path) => paths.has(path));
  goTo({ list: isUsual ? others : { ...others, columns: chosen } }, true);
}

/** At least one stays. */
export function ColumnChooser({ list, columns, shown }: ColumnChooserProps) {
  const paths = new Set(shown.map(({ path }) => path));
  const toggle = (path: string) => {
    const next = new Set(paths);
    if (!next.delete(path)) next.add(path);
    show(list, columns, next);
  };
  return (
    <Menu
      class="columns-menu"
      summary={
        <>
          <Icon name="columns" /> Columns
        </>
      }
    >
      <fieldset class="checks">
        <legend>Columns</legend>
        {columns.map(({ path, label, group, field }) => (
          <label key={path}>
            <input
              type="checkbox"
              checked={paths.has(path)}
              disabled={paths.size === 1 && paths.has(path)}
              onChange={() => toggle(path)}
            />
            {group === '' ? label : `${group} › ${field.label}`}
          </label>
        ))}
      </fieldset>
      <button type="button" onClick={() => show(list, columns, new Set(usualColumns))}>
        The usual ones
      </button>
    </Menu>
  );
}
