import { useState } from 'preact/hooks';
import { goTo } from '../address/navigation.tsx';
import { FailureNotice } from '../answers/failure-notice.tsx';
import type { Tagged } from '../api/directory.ts';
import { type Change, remove } from '../change/change-user.ts';
import { dropEdit } from '../change/kept-edits.ts';
import { announce } from '../parts/announcement.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { Notice } from '../parts/notice.tsx';
import { untilShown } from '../session/unfinished.ts';
import { useScope } from '../session/use-scope.ts';

interface DeleteUserProps {
  readonly base: Tagged;
  /** Somebody has changed the user meanwhile: it is shown as it is now. */
  readonly onOvertaken: (theirs: Tagged) => void;
}

interface ResultProps {
  readonly change: Change | undefined;
  readonly onRetry: () => void;
  readonly onLookAgain: (look: () => Promise<Change>) => void;
}

function Result({ change, onRetry, onLookAgain }: ResultProps) {
  if (change?.kind === 'overtaken')
    return (
      <Notice tone="warning" title="Somebody has changed this user meanwhile">
        <p>
          Nothing was deleted. The page behind this shows the user as it is now; delete it if you still mean
          to.
        </p>
      </Notice>
    );
  if (change?.kind === 'not-done')
    return (
      <Notice tone="warning" title="Nothing was deleted">
        <p>The service did not answer in time. The user was read again, and is still there.</p>
      </Notice>
    );
  if (change?.kind === 'unknown')
    return (
      <Notice tone="bad" title="It is not known whether the user was deleted">
        <p class="actions">
          <button type="button" onClick={() => onLookAgain(change.lookAgain)}>
            Look again
          </button>
        </p>
      </Notice>
    );
  return change?.kind === 'refused' ? <FailureNotice failure={change.failure} retry={onRetry} /> : null;
}

interface DeleteDialogProps extends DeleteUserProps {
  readonly onClose: () => void;
}

function DeleteDialog({ base, onOvertaken, onClose }: DeleteDialogProps) {
  const { id, userName } = base.user;
  const [typed, setTyped] = useState('');
  const [isBusy, setBusy] = useState(false);
  const [change, setChange] = useState<Change>();
  const settle = async (coming: Promise<Change>) => {
    setBusy(true);
    const came = await untilShown(coming);
    setBusy(false);
    if (came.kind === 'gone') {
      dropEdit(id);
      announce(`${userName} was deleted.`);
      goTo({ view: { name: 'list' } });
      return;
    }
    setChange(came);
    if (came.kind === 'overtaken') onOvertaken(came.theirs);
  };
  const removeIt = () => {
    if (typed === userName && !isBusy) settle(remove(base));
  };
  return (
    <Dialog title="Delete this user" onClose={onClose}>
      <p>
        <bdi class="strong">{userName}</bdi> is deleted for good. To take access away and keep the user,
        deactivate instead.
      </p>
      <Result change={change} onRetry={removeIt} onLookAgain={(look) => settle(look())} />
      <form
        class="stack"
        onSubmit={(event) => {
          event.preventDefault();
          removeIt();
        }}
      >
        <label class="field">
          <span>Type the user name to confirm</span>
          <input
            value={typed}
            dir="auto"
            autocomplete="off"
            autocapitalize="none"
            spellcheck={false}
            onInput={(event) => setTyped(event.currentTarget.value)}
          />
        </label>
        <div class="actions">
          <button type="submit" class="danger primary" disabled={typed !== userName || isBusy}>
            {isBusy ? 'Deleting…' : 'Delete for good'}
          </button>
          <button type="button" onClick={onClose}>
            Cancel
          </button>
        </div>
      </form>
    </Dialog>
  );
}

export function DeleteUser(props: DeleteUserProps) {
  const mayDelete = useScope('users:delete');
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <button
        type="button"
        class="danger"
        disabled={!mayDelete}
        title={mayDelete ? '' : 'This takes the scope users:delete.'}
        onClick={() => setOpen(true)}
      >
        Delete…
      </button>
      {isOpen && <DeleteDialog {...props} onClose={() => setOpen(false)} />}
    </>
  );
}
