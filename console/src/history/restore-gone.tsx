import { useState } from 'preact/hooks';
import { goTo, useDialog } from '../address/navigation.tsx';
import { FailureNotice } from '../answers/failure-notice.tsx';
import { MemberNames } from '../answers/member-names.tsx';
import { type Change, kindOfChange } from '../api/changes.ts';
import { restoreResource } from '../api/directory.ts';
import type { Failure } from '../api/failure.ts';
import { announce } from '../parts/announcement.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { AskingForm, FormButtons } from '../parts/form.tsx';
import { titleOf } from '../schema/kinds.ts';
import { scopeOf } from '../session/scopes.ts';
import { useScope } from '../session/session.ts';
import { untilShown } from '../session/unfinished.ts';
import { texts } from '../texts/texts.ts';

/** Brings a deleted user or group back with its memberships, which the dialog names. @param change a deletion */
export function RestoreGone({ change }: { readonly change: Change }) {
  const { id, label, memberships, cursor } = change;
  const kind = kindOfChange(change);
  const { isOpen, open, close } = useDialog(`restore-${cursor}`);
  const mayRestore = useScope(scopeOf(kind, 'delete'));
  const [failure, setFailure] = useState<Failure>();
  const [isBusy, setBusy] = useState(false);
  if (!mayRestore || label === undefined) return null;
  const restore = async () => {
    setBusy(true);
    const restored = await untilShown(restoreResource({ kind, id }, memberships !== undefined));
    setBusy(false);
    setFailure(restored.ok ? undefined : restored.failure);
    // Another person may have brought it back since: its page shows it.
    const isThere = !restored.ok && restored.failure.violations[0]?.pointer === '/id';
    if (!restored.ok && !isThere) return;
    if (restored.ok) announce(texts.history.wasRestored(titleOf(restored.value.resource)));
    goTo({ view: { name: 'one', kind, id } });
  };
  const other = kind === 'user' ? 'group' : 'user';
  return (
    <>
      <button type="button" onClick={open}>
        {texts.history.restore}
      </button>
      {isOpen && (
        <Dialog title={texts.history.restoreTitle(label)} onClose={close}>
          <p>{memberships ? texts.history.restoreText[kind] : texts.history.restoreAlone}</p>
          {memberships !== undefined && memberships.length > 0 && (
            <MemberNames kind={other} label={texts.kinds[other].plural} ids={memberships} />
          )}
          {failure !== undefined && <FailureNotice failure={failure} retry={restore} isNews />}
          <AskingForm onSubmit={restore}>
            <FormButtons submit={texts.history.restoreNow} isReady={!isBusy} onCancel={close} />
          </AskingForm>
        </Dialog>
      )}
    </>
  );
}
