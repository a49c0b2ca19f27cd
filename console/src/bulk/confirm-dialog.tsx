import { useState } from 'preact/hooks';
import { countOf } from '../parts/numbers.ts';
import { type KindName, kinds, type Resource } from '../schema/kinds.ts';
import { BulkDialog } from './bulk-dialog.tsx';
import { Names, verbs } from './bulk-steps.tsx';
import type { BulkAction } from './run-bulk.ts';

function aboutOf({ name }: BulkAction, kind: KindName): string {
  if (name === 'delete') return `They are deleted for good. ${kinds[kind].beforeDeletion}`;
  if (name === 'leave') return 'They stay in the directory.';
  return name === 'activate' ? 'They may be let in again.' : 'They are kept, and not to be let in any more.';
}

interface ConfirmDialogProps {
  readonly kind: KindName;
  readonly action: BulkAction;
  readonly resources: readonly Resource[];
  readonly onClose: (done: readonly Resource[]) => void;
}

/** Has a change of all that are selected confirmed, and makes it. */
export function ConfirmDialog({ kind, action, resources, onClose }: ConfirmDialogProps) {
  const [typed, setTyped] = useState('');
  const verb = verbs[action.name];
  const isDelete = action.name === 'delete';
  const isReady = !isDelete || typed.trim() === String(resources.length);
  const from = 'group' in action ? ` from ${action.group.displayName}` : '';
  return (
    <BulkDialog
      title={`${verb} ${countOf(resources.length, kind)}${from}`}
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
              <span>Type how many they are ({resources.length}) to confirm</span>
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
              {isDelete ? 'Delete for good' : verb}
            </button>
            <button type="button" onClick={close}>
              Cancel
            </button>
          </div>
        </form>
      )}
      onClose={onClose}
    />
  );
}
