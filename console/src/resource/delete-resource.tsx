import { useState } from 'preact/hooks';
import { goTo } from '../address/navigation.tsx';
import type { Tagged } from '../api/directory.ts';
import { type Change, remove } from '../change/change-resource.ts';
import { dropEdit } from '../change/kept-edits.ts';
import { announce } from '../parts/announcement.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { Notice } from '../parts/notice.tsx';
import { kindOf, kinds, nameOf, refOf } from '../schema/kinds.ts';
import { inSentence, labelOf } from '../schema/labels.ts';
import { sayMissing } from '../session/not-allowed.tsx';
import { scopeOf } from '../session/scopes.ts';
import { untilShown } from '../session/unfinished.ts';
import { useScope } from '../session/use-scope.ts';
import { ChangeNotice } from './change-notice.tsx';

interface DeleteResourceProps {
  readonly base: Tagged;
  /** Somebody has changed it meanwhile: it is shown as it is now. */
  readonly onOvertaken: (theirs: Tagged) => void;
}

interface DeleteDialogProps extends DeleteResourceProps {
  readonly onClose: () => void;
}

function DeleteDialog({ base, onOvertaken, onClose }: DeleteDialogProps) {
  const kind = kindOf(base.resource);
  const name = nameOf(base.resource);
  const [typed, setTyped] = useState('');
  const [isBusy, setBusy] = useState(false);
  const [change, setChange] = useState<Change>();
  const settle = async (coming: Promise<Change>) => {
    setBusy(true);
    const came = await untilShown(coming);
    setBusy(false);
    if (came.kind === 'gone') {
      dropEdit(refOf(base.resource));
      announce(`${name} was deleted.`);
      goTo({ view: { name: 'list', kind } });
      return;
    }
    setChange(came);
    if (came.kind === 'overtaken') onOvertaken(came.theirs);
  };
  const removeIt = () => {
    if (typed === name && !isBusy) settle(remove(base));
  };
  return (
    <Dialog title={`Delete this ${kind}`} onClose={onClose}>
      <p>
        <bdi class="strong">{name}</bdi> is deleted for good. {kinds[kind].beforeDeletion}
      </p>
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
        <Notice tone="warning" title={`Somebody has changed this ${kind} meanwhile`}>
          <p>
            Nothing was deleted. The page behind this shows the {kind} as it is now; delete it if you still
            mean to.
          </p>
        </Notice>
      )}
      <form
        class="stack"
        onSubmit={(event) => {
          event.preventDefault();
          removeIt();
        }}
      >
        <label class="field">
          <span>Type the {inSentence(labelOf(kinds[kind].uniqueName))} to confirm</span>
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
          <button type="submit" class="danger primary" disabled={typed !== name || isBusy}>
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

export function DeleteResource(props: DeleteResourceProps) {
  const scope = scopeOf(kindOf(props.base.resource), 'delete');
  const mayDelete = useScope(scope);
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <button
        type="button"
        class="danger"
        disabled={!mayDelete}
        title={mayDelete ? '' : sayMissing(scope)}
        onClick={() => setOpen(true)}
      >
        Delete…
      </button>
      {isOpen && <DeleteDialog {...props} onClose={() => setOpen(false)} />}
    </>
  );
}
