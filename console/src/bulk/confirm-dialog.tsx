import { useState } from 'preact/hooks';
import { type KindName, nameOf, type Resource } from '../schema/kinds.ts';
import { texts } from '../texts/texts.ts';
import { BulkDialog } from './bulk-dialog.tsx';
import { Names } from './bulk-steps.tsx';
import type { ReadyAction } from './run-bulk.ts';

const words = texts.bulk;

function aboutOf({ name }: ReadyAction, kind: KindName): string {
  return name === 'delete' ? words.beforeDeletion[kind] : words.about[name];
}

function titleOf(action: ReadyAction, what: string): string {
  return 'group' in action ? words.titles.leave(what, nameOf(action.group)) : words.titles[action.name](what);
}

interface ConfirmDialogProps {
  readonly kind: KindName;
  readonly action: ReadyAction;
  readonly resources: readonly Resource[];
  readonly onDone: (done: readonly Resource[]) => void;
  readonly onClose: () => void;
}

/** Has a change of all that are selected confirmed, and makes it. */
export function ConfirmDialog({ kind, action, resources, onDone, onClose }: ConfirmDialogProps) {
  const [typed, setTyped] = useState('');
  const isDelete = action.name === 'delete';
  const isReady = !isDelete || typed.trim() === String(resources.length);
  return (
    <BulkDialog
      title={titleOf(action, texts.kinds[kind].count(resources.length))}
      ask={(start, close) => (
        <form
          class="stack"
          onSubmit={(event) => {
            event.preventDefault();
            if (isReady) start(action, resources);
          }}
        >
          <p>{aboutOf(action, kind)}</p>
          <Names resources={resources} />
          {isDelete && (
            <label class="field">
              <span>{words.confirmNumber(resources.length)}</span>
              <input
                value={typed}
                inputMode="numeric"
                autocomplete="off"
                onInput={(event) => setTyped(event.currentTarget.value)}
              />
            </label>
          )}
          <div class="actions">
            <button type="submit" class={isDelete ? 'danger primary' : 'primary'} disabled={!isReady}>
              {words.buttons[action.name]}
            </button>
            <button type="button" onClick={close}>
              {words.cancel}
            </button>
          </div>
        </form>
      )}
      onDone={onDone}
      onClose={onClose}
    />
  );
}
