import { useState } from 'preact/hooks';
import { goTo, useAddress } from '../address/navigation.tsx';
import { fold } from '../language.ts';
import { TextField } from '../parts/fields.tsx';
import { Menu } from '../parts/menu.tsx';
import type { KindName } from '../schema/kinds.ts';
import { texts } from '../texts/texts.ts';
import { remember } from '../views/remembered.ts';
import type { Column } from './columns.ts';

interface ColumnChooserProps {
  readonly kind: KindName;
  readonly usual: readonly string[];
  /** All available columns. */
  readonly columns: readonly Column[];
  readonly shown: readonly Column[];
}

/** At least one column remains. */
export function ColumnChooser({ kind, usual, columns, shown }: ColumnChooserProps) {
  const { columns: _before, ...others } = useAddress().list;
  /** In the order of the schema; the default columns are omitted from the address. */
  const show = (chosen: ReadonlySet<string>) => {
    const inOrder = columns.map(({ path }) => path).filter((path) => chosen.has(path));
    const isUsual = inOrder.length === usual.length && usual.every((path) => chosen.has(path));
    remember(kind, { columns: isUsual ? undefined : inOrder });
    goTo({ list: isUsual ? others : { ...others, columns: inOrder } }, true);
  };
  const paths = new Set(shown.map(({ path }) => path));
  // The rows do not move while columns are chosen.
  const [first, setFirst] = useState(paths);
  const [typed, setTyped] = useState('');
  const found = columns
    .filter((column) => fold(column.label).includes(fold(typed.trim())))
    .toSorted((one, other) => Number(first.has(other.path)) - Number(first.has(one.path)));
  const begin = () => {
    setFirst(paths);
    setTyped('');
  };
  const isLast = (path: string) => paths.size === 1 && paths.has(path);
  const toggle = (path: string) => {
    const next = new Set(paths);
    if (!next.delete(path)) next.add(path);
    show(next);
  };
  const takeFirst = () => {
    const path = found[0]?.path ?? '';
    if (typed.trim() !== '' && path !== '' && !isLast(path)) toggle(path);
  };
  return (
    <Menu icon="columns" summary={<span class="unseen">{texts.list.columns}</span>} onOpen={begin}>
      <TextField
        label={texts.list.findColumn}
        value={typed}
        onInput={setTyped}
        attributes={{ onKeyDown: ({ key }) => key === 'Enter' && takeFirst() }}
      />
      <fieldset class="checks">
        <legend>{texts.list.columns}</legend>
        {found.map((column) => (
          <label key={column.path}>
            <input
              type="checkbox"
              checked={paths.has(column.path)}
              disabled={isLast(column.path)}
              onChange={() => toggle(column.path)}
            />
            {column.label}
          </label>
        ))}
      </fieldset>
      <button type="button" onClick={() => show(new Set(usual))}>
        {texts.list.usualColumns}
      </button>
    </Menu>
  );
}
