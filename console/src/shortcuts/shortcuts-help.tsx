import { useDialog } from '../address/navigation.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { Check } from '../parts/fields.tsx';
import { CloseButton } from '../parts/form.tsx';
import { useObservable } from '../parts/observable.ts';
import { texts } from '../texts/texts.ts';
import { areShortcutsOn, helpDialog, keys, turnShortcuts, useShortcut } from './shortcuts.ts';

const words = texts.shortcuts;

/** Keys of the console, and keys that always work. */
const rows: readonly (readonly [key: string, meaning: string])[] = [
  [keys.search, words.search],
  [keys.create, words.create],
  [keys.edit, words.edit],
  [words.saveKey, texts.resource.save],
  ['↓', words.toRows],
  [keys.next, words.next],
  [keys.previous, words.previous],
  [keys.nextPage, texts.list.page.next],
  [keys.previousPage, texts.list.page.prev],
  [words.enter, words.open],
  [keys.select, words.select],
  [`${words.shift} + ${keys.select}`, words.range],
  [keys.actions, words.actions],
  [keys.undo, words.undo],
  [words.escape, words.close],
  [keys.help, words.help],
];

/** The dialog that lists all shortcuts, where they can be turned off; its key opens it. */
export function ShortcutsHelp() {
  const { isOpen, open, close } = useDialog(helpDialog);
  const isOn = useObservable(areShortcutsOn);
  useShortcut('help', open);
  if (!isOpen) return null;
  return (
    <Dialog title={words.title} onClose={close}>
      <dl class="shortcuts">
        {rows.map(([key, meaning]) => (
          <div key={key}>
            <dt>
              <kbd>{key}</kbd>
            </dt>
            <dd>{meaning}</dd>
          </div>
        ))}
      </dl>
      <p class="quiet">{words.whereOff}</p>
      <Check label={words.singleKeys} isChecked={isOn} onChange={turnShortcuts} />
      <div class="actions">
        <CloseButton onClose={close} />
      </div>
    </Dialog>
  );
}
