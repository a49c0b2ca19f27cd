import { useState } from 'preact/hooks';
import { printAddress } from '../address/address.ts';
import { Link, useAddress } from '../address/navigation.tsx';
import { announce } from '../parts/announcement.tsx';
import { TextField } from '../parts/fields.tsx';
import { AskingForm } from '../parts/form.tsx';
import { Icon } from '../parts/icons.tsx';
import { closeMenu, Menu } from '../parts/menu.tsx';
import { useObservable } from '../parts/observable.ts';
import type { KindName } from '../schema/kinds.ts';
import { texts } from '../texts/texts.ts';
import { removeView, type SavedView, savable, savedViews, saveView } from './saved-views.ts';

const words = texts.list.views;

interface ViewsProps {
  readonly kind: KindName;
}

function close(): void {
  if (document.activeElement !== null) closeMenu(document.activeElement);
}

const ViewRow = ({ view }: { readonly view: SavedView }) => (
  <li class="menu-row">
    <Link view={{ name: 'list', kind: view.kind }} list={view.list} onFollow={close}>
      <bdi>{view.name}</bdi>
    </Link>
    <button
      type="button"
      class="bare"
      aria-label={words.remove(view.name)}
      onClick={({ currentTarget }) => {
        currentTarget.closest('details')?.querySelector('summary')?.focus();
        removeView(view);
      }}
    >
      <Icon name="close" />
    </button>
  </li>
);

/** Saves the list, as it is searched and filtered now, under a name. */
function SaveForm({ kind }: ViewsProps) {
  const { list } = useAddress();
  const [name, setName] = useState('');
  const kept = savable(kind, list);
  const print = (one: typeof list) =>
    printAddress({ view: { name: 'list', kind }, list: { ...one, cursor: {} } });
  return (
    <AskingForm
      onSubmit={() => {
        saveView({ kind, name: name.trim(), list: kept });
        announce(words.saved(name.trim()));
        setName('');
        close();
      }}
    >
      <TextField
        label={words.name}
        value={name}
        onInput={setName}
        attributes={{ required: true, maxLength: 60, pattern: '.*\\S.*' }}
      />
      {print(kept) !== print(list) && <p class="hint">{words.withoutNames}</p>}
      <div class="actions">
        <button type="submit" class="primary">
          {words.save}
        </button>
      </div>
    </AskingForm>
  );
}

/** Lists that a person has given a name. */
export function ViewsMenu({ kind }: ViewsProps) {
  const own = useObservable(savedViews).filter((view) => view.kind === kind);
  return (
    <Menu icon="bookmark" class="views-menu" summary={<span class="unseen">{words.title}</span>}>
      {own.length > 0 && (
        <ul class="menu-rows" aria-label={words.title}>
          {own.map((view) => (
            <ViewRow key={view.name} view={view} />
          ))}
        </ul>
      )}
      <SaveForm kind={kind} />
    </Menu>
  );
}
