/** Actions on a user or a group that was deleted. Another person may have brought it back since: then its page is shown. */
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { goTo, useDialog } from '../address/navigation.tsx';
import { FailureNotice } from '../answers/failure-notice.tsx';
import { MemberNames } from '../answers/member-names.tsx';
import { type Change, kindOfChange } from '../api/changes.ts';
import { removeResource, restoreResource } from '../api/directory.ts';
import type { Failure } from '../api/failure.ts';
import { documentOf } from '../change/changed-members.ts';
import { keepEdit, keptEdits } from '../change/kept-edits.ts';
import { announce } from '../parts/announcement.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { TextField } from '../parts/fields.tsx';
import { AskingForm, FormButtons } from '../parts/form.tsx';
import { useObservable } from '../parts/observable.ts';
import { toDraftGroup } from '../schema/drafts.ts';
import { findWritable } from '../schema/fields.ts';
import { titleOf } from '../schema/kinds.ts';
import { fieldsOf } from '../schema/load-fields.ts';
import { scopeOf } from '../session/scopes.ts';
import { mayCreate, useScope } from '../session/session.ts';
import { untilShown } from '../session/unfinished.ts';
import { texts } from '../texts/texts.ts';

const words = texts.history;

interface GoneProps {
  /** A deletion. */
  readonly change: Change;
}

/** Opens the form for a new resource with the deleted values and the same id: what the service refuses, such as a name that another user has now, can be changed. */
function CreateAgain({ change }: GoneProps) {
  const kind = kindOfChange(change);
  const isOffered = useScope(scopeOf(kind, 'write')) && mayCreate(kind);
  const edits = [...useObservable(keptEdits).values()];
  const { id, label: name = '', before } = change;
  if (!isOffered) return null;
  // The form for new resources has one draft at a time.
  const isTaken = edits.some((edit) => edit.kind === kind && edit.base === undefined && edit.id !== id);
  const open = () => {
    keepEdit({ kind, id, draft: toDraftGroup(findWritable(fieldsOf(kind)), documentOf(before)), name });
    announce(words.checkAgain, 'info');
    goTo({ view: { name: 'new', kind } });
  };
  return (
    <button type="button" disabled={isTaken} title={isTaken ? words.againBusy : ''} onClick={open}>
      {words.again}
    </button>
  );
}

interface AskedProps extends GoneProps {
  /** Names the dialog in the address, and its words. */
  readonly name: 'restore' | 'erase';
  readonly title: (name: string) => string;
  readonly submit: string;
  /** @returns why nothing was done */
  readonly act: () => Promise<Failure | undefined>;
  readonly children: ComponentChildren;
}

/** A button whose dialog asks before it acts. */
function Asked({ change, name, title, submit, act, children }: AskedProps) {
  const { label, cursor } = change;
  const kind = kindOfChange(change);
  const { isOpen, open, close } = useDialog(`${name}-${cursor}`);
  const isAllowed = useScope(scopeOf(kind, 'delete'));
  const [failure, setFailure] = useState<Failure>();
  const [isBusy, setBusy] = useState(false);
  const [typed, setTyped] = useState('');
  const isDanger = name === 'erase';
  const isReady = !isBusy && (!isDanger || typed === label);
  if (!isAllowed) return null;
  if (label === undefined) return <span class="quiet">{words.lost}</span>;
  const start = async () => {
    if (!isReady) return;
    setBusy(true);
    const refused = await act();
    setBusy(false);
    setFailure(refused);
    if (refused === undefined) close();
  };
  return (
    <>
      <button type="button" class={isDanger ? 'danger' : ''} onClick={open}>
        {words[name]}
      </button>
      {isOpen && (
        <Dialog title={title(label)} onClose={close}>
          {children}
          {failure !== undefined && <FailureNotice failure={failure} retry={start} isNews />}
          {failure !== undefined && !isDanger && <CreateAgain change={change} />}
          <AskingForm onSubmit={start}>
            {isDanger && <TextField label={texts.resource.confirm[kind]} value={typed} onInput={setTyped} />}
            <FormButtons
              submit={submit}
              isReady={isReady}
              isDanger={isDanger}
              isAlone={!isDanger}
              onCancel={close}
            />
          </AskingForm>
        </Dialog>
      )}
    </>
  );
}

/** Brings it back with its memberships, which the dialog names. */
export function RestoreGone({ change }: GoneProps) {
  const { id, memberships } = change;
  const kind = kindOfChange(change);
  const restore = async () => {
    const restored = await untilShown(restoreResource({ kind, id }, memberships !== undefined));
    const isThere = !restored.ok && restored.failure.violations[0]?.pointer === '/id';
    if (!restored.ok && !isThere) return restored.failure;
    announce(restored.ok ? words.wasRestored(titleOf(restored.value.resource)) : words.isThere);
    goTo({ view: { name: 'one', kind, id } });
    return undefined;
  };
  const other = kind === 'user' ? 'group' : 'user';
  return (
    <Asked change={change} name="restore" title={words.restoreTitle} submit={words.restoreNow} act={restore}>
      <p>{memberships ? words.restoreText[kind] : words.restoreAlone}</p>
      {memberships !== undefined && memberships.length > 0 && (
        <MemberNames kind={other} label={texts.kinds[other].plural} ids={memberships} />
      )}
    </Asked>
  );
}

/** A version that nothing has, so that a resource that was created again is not deleted. */
const tagOfNone = '"none"';

/** Erases the values in the history, if it was deleted without erasure. */
export function EraseGone({ change, onErased }: GoneProps & { readonly onErased: () => void }) {
  const { id, label = '' } = change;
  const kind = kindOfChange(change);
  const erase = async () => {
    const erased = await untilShown(removeResource({ kind, id }, tagOfNone, true));
    const status = erased.ok ? undefined : erased.failure.status;
    if (status === 412) goTo({ view: { name: 'one', kind, id } });
    // After 404 nothing was left to erase.
    else if (erased.ok || status === 404) {
      announce(words.wasErased(label));
      onErased();
    } else return erased.failure;
    return undefined;
  };
  return (
    <Asked change={change} name="erase" title={words.eraseTitle} submit={words.eraseForGood} act={erase}>
      <p>{words.eraseText[kind]}</p>
    </Asked>
  );
}
