import { useState } from 'preact/hooks';
import { goTo, useDialog } from '../address/navigation.tsx';
import { FailureNotice } from '../answers/failure-notice.tsx';
import { type Change, kindOfChange } from '../api/changes.ts';
import { removeResource } from '../api/directory.ts';
import type { Failure } from '../api/failure.ts';
import { announce } from '../parts/announcement.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { AskingForm, FormButtons } from '../parts/form.tsx';
import { scopeOf } from '../session/scopes.ts';
import { useScope } from '../session/session.ts';
import { untilShown } from '../session/unfinished.ts';
import { texts } from '../texts/texts.ts';

/** A version that nothing has, so that a resource that was created again is not deleted. */
const tagOfNone = '"none"';

interface EraseGoneProps {
  /** A deletion. */
  readonly change: Change;
  readonly onErased: () => void;
}

/** Erases the values in the history of a user or a group that was deleted without erasure. */
export function EraseGone({ change, onErased }: EraseGoneProps) {
  const { id, label, cursor } = change;
  const kind = kindOfChange(change);
  const { isOpen, open, close } = useDialog(`erase-${cursor}`);
  const mayErase = useScope(scopeOf(kind, 'delete'));
  const [failure, setFailure] = useState<Failure>();
  const [isBusy, setBusy] = useState(false);
  if (!mayErase || label === undefined) return null;
  const erase = async () => {
    setBusy(true);
    const erased = await untilShown(removeResource({ kind, id }, tagOfNone, true));
    setBusy(false);
    const status = erased.ok ? undefined : erased.failure.status;
    setFailure(erased.ok ? undefined : erased.failure);
    // It was created again: its page has the possible actions.
    if (status === 412) goTo({ view: { name: 'one', kind, id } });
    // After 404 nothing was left to erase.
    if (status !== undefined && status !== 404) return;
    announce(texts.history.wasErased(label));
    close();
    onErased();
  };
  return (
    <>
      <button type="button" class="danger" onClick={open}>
        {texts.history.erase}
      </button>
      {isOpen && (
        <Dialog title={texts.history.eraseTitle(label)} onClose={close}>
          <p>{texts.history.eraseText[kind]}</p>
          {failure !== undefined && <FailureNotice failure={failure} retry={erase} isNews />}
          <AskingForm onSubmit={erase}>
            <FormButtons submit={texts.history.eraseForGood} isReady={!isBusy} isDanger onCancel={close} />
          </AskingForm>
        </Dialog>
      )}
    </>
  );
}
