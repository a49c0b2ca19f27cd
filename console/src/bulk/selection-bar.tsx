import { useState } from 'preact/hooks';
import { printNumber } from '../parts/numbers.ts';
import { NotAllowed } from '../session/not-allowed.tsx';
import { useScope } from '../session/use-scope.ts';
import { BulkDialog } from './bulk-dialog.tsx';
import type { BulkAction } from './run-bulk.ts';
import type { Selection } from './selection.ts';

interface SelectionBarProps {
  readonly selection: Selection;
  /** When something was done, so that the list is asked for again. */
  readonly onDone: () => void;
}

const actions: readonly (readonly [BulkAction, string])[] = [
  ['deactivate', 'Deactivate…'],
  ['activate', 'Activate…'],
  ['delete', 'Delete…'],
];

interface ActionButtonProps {
  readonly action: BulkAction;
  readonly label: string;
  readonly onClick: () => void;
}

function ActionButton({ action, label, onClick }: ActionButtonProps) {
  const scope = action === 'delete' ? 'users:delete' : 'users:write';
  const isAllowed = useScope(scope);
  return (
    <button
      type="button"
      class={action === 'delete' ? 'danger' : ''}
      disabled={!isAllowed}
      title={isAllowed ? '' : `This takes the scope ${scope}.`}
      onClick={onClick}
    >
      {label}
    </button>
  );
}

/** What can be done with all that are selected. */
export function SelectionBar({ selection, onDone }: SelectionBarProps) {
  const [action, setAction] = useState<BulkAction>();
  const mayWrite = useScope('users:write');
  const mayDelete = useScope('users:delete');
  const count = selection.users.length;
  if (count === 0) return null;
  return (
    <section class="selection-bar" aria-label="Selected users">
      <p role="status">{printNumber(count)} selected</p>
      {actions.map(([one, label]) => (
        <ActionButton key={one} action={one} label={label} onClick={() => setAction(one)} />
      ))}
      <button type="button" class="plain" onClick={selection.clear}>
        Clear
      </button>
      {!mayWrite && <NotAllowed what="Deactivating" scope="users:write" />}
      {!mayDelete && <NotAllowed what="Deleting" scope="users:delete" />}
      {action !== undefined && (
        <BulkDialog
          action={action}
          users={selection.users}
          onClose={(done) => {
            setAction(undefined);
            if (done.length === 0) return;
            selection.toggle(done, false);
            onDone();
          }}
        />
      )}
    </section>
  );
}
