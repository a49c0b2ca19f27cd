import { useState } from 'preact/hooks';
import { goTo, useDialog, useOrigin } from '../address/navigation.tsx';
import { summarizeFailure } from '../answers/failure-words.ts';
import { restoreResource, type Tagged } from '../api/directory.ts';
import { renewSelected } from '../bulk/selection.ts';
import { type Change, remove } from '../change/change-resource.ts';
import { dropEdit } from '../change/kept-edits.ts';
import { announce } from '../parts/announcement.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { Check, TextField } from '../parts/fields.tsx';
import { AskingForm, FormButtons } from '../parts/form.tsx';
import { Notice } from '../parts/notice.tsx';
import { kindOf, nameOf, refOf, titleOf } from '../schema/kinds.ts';
import { sayMissing } from '../session/not-allowed.tsx';
import { scopeOf } from '../session/scopes.ts';
import { useScope } from '../session/session.ts';
import { untilShown } from '../session/unfinished.ts';
import { texts } from '../texts/texts.ts';
import { ChangeNotice } from './change-notice.tsx';

interface DeleteResourceProps {
  readonly base: Tagged;
  /** Called when another person has changed it: shows the new version. */
  readonly onOvertaken: (theirs: Tagged) => void;
}

interface DeleteDialogProps extends DeleteResourceProps {
  readonly onClose: () => void;
}

function DeleteDialog({ base, onOvertaken, onClose }: DeleteDialogProps) {
  const kind = kindOf(base.resource);
  const name = nameOf(base.resource);
  const title = titleOf(base.resource);
  const [typed, setTyped] = useState('');
  const [isErased, setErased] = useState(false);
  const [isBusy, setBusy] = useState(false);
  const [change, setChange] = useState<Change>();
  const origin = useOrigin();
  const mayRestore = useScope('history:read');
  const settle = async (coming: Promise<Change>) => {
    setBusy(true);
    const came = await untilShown(coming);
    setBusy(false);
    if (came.kind === 'gone') {
      dropEdit(refOf(base.resource));
      renewSelected(refOf(base.resource), undefined);
      const told = [texts.resource.wasDeleted(title), ...(isErased ? [texts.history.wasErased(title)] : [])];
      const undo = async () => {
        const restored = await untilShown(restoreResource(refOf(base.resource), true));
        return restored.ok ? texts.history.wasRestored(title) : summarizeFailure(restored.failure);
      };
      announce(told.join(' '), 'good', mayRestore && !isErased ? undo : undefined);
      goTo({ view: origin ?? { name: 'list', kind } });
      return;
    }
    setChange(came);
    if (came.kind === 'overtaken') onOvertaken(came.theirs);
  };
  const removeIt = () => {
    if (typed === name && !isBusy) settle(remove(base, isErased));
  };
  return (
    <Dialog title={texts.resource.deleteTitle(title)} onClose={onClose}>
      {title !== name && (
        <p>
          <bdi class="strong">{name}</bdi>
        </p>
      )}
      <p>{texts.resource.beforeDeletion[kind]}</p>
      {change !== undefined && (
        <ChangeNotice
          kind={kind}
          change={change}
          done=""
          onRetry={removeIt}
          onLookAgain={(look) => settle(look())}
        />
      )}
      {change?.kind === 'overtaken' && (
        <Notice
          tone="warning"
          title={texts.resource.overtaken[kind]}
          text={texts.resource.overtakenText[kind]}
          news={change}
        />
      )}
      <AskingForm onSubmit={removeIt}>
        <TextField label={texts.resource.confirm[kind]} value={typed} onInput={setTyped} />
        <Check
          label={`${texts.resource.erase[kind]} ${texts.history.eraseText[kind]}`}
          isChecked={isErased}
          onChange={setErased}
        />
        <FormButtons
          submit={
            isBusy
              ? texts.resource.deleting
              : isErased
                ? texts.resource.deleteAndErase
                : texts.bulk.buttons.delete
          }
          isReady={typed === name && !isBusy}
          isDanger
          onCancel={onClose}
        />
      </AskingForm>
    </Dialog>
  );
}

export function DeleteResource(props: DeleteResourceProps) {
  const scope = scopeOf(kindOf(props.base.resource), 'delete');
  const mayDelete = useScope(scope);
  const { isOpen, open, close } = useDialog('delete');
  return (
    <>
      <button
        type="button"
        class="danger"
        disabled={!mayDelete}
        title={mayDelete ? '' : sayMissing(scope)}
        onClick={open}
      >
        {texts.bulk.offers.delete}
      </button>
      {isOpen && mayDelete && <DeleteDialog {...props} onClose={close} />}
    </>
  );
}
