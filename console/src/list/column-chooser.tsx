import type { ListAddress } from '../address/address.ts';
import { goTo } from '../address/navigation.tsx';
import { Menu } from '../parts/menu.tsx';
import { texts } from '../texts/texts.ts';
import type { Column } from './columns.ts';

interface ColumnChooserProps {
  readonly list: ListAddress;
  readonly usual: readonly string[];
  /** All that there are. */
  readonly columns: readonly Column[];
  readonly shown: readonly Column[];
}

/** At least one stays. */
export function ColumnChooser({ list, usual, columns, shown }: ColumnChooserProps) {
  /** In the order of the schema; the usual ones are left out of the address. */
  const show = (chosen: ReadonlySet<string>) => {
    const inOrder = columns.map(({ path }) => path).filter((path) => chosen.has(path));
    const { columns: _before, ...others } = list;
    const isUsual = inOrder.length === usual.length && usual.every((path) => chosen.has(path));
    goTo({ list: isUsual ? others : { ...others, columns: inOrder } }, true);
  };
  const paths = new Set(shown.map(({ path }) => path));
  const toggle = (path: string) => {
    const next = new Set(paths);
    if (!next.delete(path)) next.add(path);
    show(next);
  };
  return (
    <Menu icon="columns" summary={texts.list.columns}>
      <fieldset class="checks">
        <legend>{texts.list.columns}</legend>
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
      <button type="button" onClick={() => show(new Set(usual))}>
        {texts.list.usualColumns}
      </button>
    </Menu>
  );
}
