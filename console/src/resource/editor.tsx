import { useEffect } from 'preact/hooks';
import { goTo, useAddress, useDialog } from '../address/navigation.tsx';
import type { Tagged } from '../api/directory.ts';
import { renewSelected } from '../bulk/selection.ts';
import { MergeDialog } from '../change/merge-dialog.tsx';
import { type Edit, useEdit } from '../change/use-edit.ts';
import { MistakeSummary } from '../form/mistake-summary.tsx';
import { ResourceForm, useStanding } from '../form/resource-form.tsx';
import { Members } from '../groups/members.tsx';
import { UserGroups } from '../groups/user-groups.tsx';
import { ChangedSince } from '../history/changed-since.tsx';
import { HistoryTab } from '../history/history-tab.tsx';
import { Tabs } from '../history/tabs.tsx';
import { Announcement, announce } from '../parts/announcement.tsx';
import { Moment } from '../parts/moment.tsx';
import type { JsonObject } from '../schema/documents.ts';
import { type Ref, refOf, titleOf } from '../schema/kinds.ts';
import { fieldsOf } from '../schema/load-fields.ts';
import { scopeOf } from '../session/scopes.ts';
import { useScope } from '../session/session.ts';
import { texts } from '../texts/texts.ts';
import { ChangeNotice } from './change-notice.tsx';
import { Representation } from './representation.tsx';
import { ResourceHead } from './resource-head.tsx';
import { type Saving, useSaving } from './use-saving.ts';

interface EditorProps {
  readonly of: Ref;
  /** The resource as it was read; undefined to create one. */
  readonly loaded: Tagged | undefined;
  /** Whether the history is shown, in place of everything else. */
  readonly isHistory?: boolean;
  /** Reads it again. */
  readonly again?: () => void;
}

interface PartProps {
  readonly edit: Edit;
  readonly saving: Saving;
  readonly loaded: Tagged | undefined;
}

/** In this state, all messages are beside the button. */
const isAllSaved = ({ change, done }: Saving, { isChanged }: Edit): boolean =>
  change?.kind === 'done' && done === texts.resource.saved && !isChanged;

/** The outcome of the last change, or its mistakes. */
function Outcome({ edit, saving }: PartProps) {
  const { change, mistakes } = saving;
  if (mistakes.size > 0) return <MistakeSummary fields={fieldsOf(edit.of.kind)} mistakes={mistakes} />;
  if (change === undefined) return null;
  if (change.kind === 'done' && !change.isFound && isAllSaved(saving, edit)) return null;
  return (
    <ChangeNotice
      kind={edit.of.kind}
      change={change}
      done={saving.done}
      onRetry={saving.save}
      onLookAgain={(look) => saving.settle(look())}
      onCreateAgain={() => saving.send(edit.document, undefined, texts.resource.createdAgain)}
    />
  );
}

/** The version by another person that unsaved changes conflict with: after a refused change, or after a reload with the dialog's address. */
function findTheirs({ edit, saving, loaded }: PartProps, isOpen: boolean): Tagged | undefined {
  const { change } = saving;
  if (change?.kind === 'overtaken') return change.theirs;
  const isOutdated = isOpen && edit.isChanged && loaded !== undefined && loaded.tag !== edit.base?.tag;
  return isOutdated ? loaded : undefined;
}

/** Asks how to merge both changes when another person was first. */
function Overtaken(props: PartProps) {
  const { edit, saving } = props;
  const { dialog } = useAddress();
  const { isOpen, open, close } = useDialog('conflict');
  const theirs = findTheirs(props, isOpen);
  useEffect(() => {
    // Shown above the dialog of a deletion, which then says that nothing was deleted.
    if (theirs !== undefined && dialog === undefined) open();
    // The address of a colleague's dialog, whose changes are in another browser.
    if (isOpen && theirs === undefined && !edit.isChanged) close();
  }, [theirs]);
  if (dialog === undefined || theirs === undefined || edit.base === undefined) return null;
  const moveOn = (merged?: JsonObject) => {
    if (isOpen) close();
    edit.moveTo(theirs, merged);
    saving.clear();
  };
  return (
    <MergeDialog
      base={edit.base}
      theirs={theirs}
      mine={edit.document}
      changed={
        <ChangedSince base={edit.base} theirs={theirs}>
          <Moment at={theirs.resource.meta.lastModified} />
        </ChangedSince>
      }
      onSave={(merged) => {
        moveOn(merged);
        saving.send(merged, theirs);
      }}
      onEdit={moveOn}
      onDiscard={() => moveOn()}
    />
  );
}

/** Stays after Save and keeps the focus: messages at the head of the page may be out of sight. */
function SaveBar({ edit, saving }: Pick<PartProps, 'edit' | 'saving'>) {
  const isNew = edit.base === undefined;
  const isSaved = isAllSaved(saving, edit);
  const isShown = edit.isChanged || isNew || isSaved;
  // The bar may cover the field with the focus.
  useEffect(() => {
    if (isShown) document.activeElement?.scrollIntoView({ block: 'nearest' });
  }, [isShown]);
  if (!isShown) return null;
  return (
    <div class="save-bar">
      <button type="submit" class="primary" aria-disabled={saving.isBusy || isSaved}>
        {saving.isBusy ? texts.resource.saving : isNew ? texts.resource.create : texts.resource.save}
      </button>
      <button
        type="button"
        disabled={!edit.isChanged || saving.isBusy}
        onClick={() => {
          edit.discard();
          saving.clear();
        }}
      >
        {texts.resource.discard}
      </button>
      {edit.isChanged && saving.note === '' && <span class="quiet">{texts.resource.unsaved}</span>}
      <span role="status">{isSaved ? texts.resource.saved : saving.note}</span>
    </div>
  );
}

/** The form, and other parts of the kind. */
function Form({ edit, saving, loaded, again }: PartProps & Pick<EditorProps, 'again'>) {
  const { of, base } = edit;
  const stored = base?.resource;
  const [user, group] = stored && 'userName' in stored ? [stored] : [undefined, stored];
  const mayWrite = useScope(scopeOf(of.kind, 'write'));
  return (
    <>
      <div class={user === undefined ? 'resource-body' : 'resource-body with-aside'}>
        <div class="stack">
          <form
            noValidate
            onSubmit={(event) => {
              event.preventDefault();
              if (edit.isChanged || base === undefined) saving.save();
            }}
          >
            <ResourceForm
              of={of}
              stored={base?.resource}
              draft={edit.draft}
              mistakes={saving.mistakes}
              isReadOnly={!mayWrite}
              onChange={(draft) => {
                // Messages about earlier actions are out of date.
                if (saving.change?.kind === 'done') saving.clear();
                edit.change(draft);
              }}
            />
            {mayWrite && <SaveBar edit={edit} saving={saving} />}
          </form>
          {group && <Members group={group} onChanged={again} />}
        </div>
        {user && <UserGroups user={user} />}
      </div>
      {base !== undefined && <Representation of={of} version={base.tag + loaded?.tag} />}
    </>
  );
}

/** One resource, to view, change or create. */
export function Editor(props: EditorProps) {
  const { of, loaded, isHistory = false } = props;
  const edit = useEdit(of, loaded);
  const saving = useSaving(edit, ({ now: { resource }, isOlder = false }) => {
    if (edit.base !== undefined) return;
    const say = isOlder ? texts.resource.wasCreatedBefore : texts.resource.wasCreated;
    announce(say(titleOf(resource)));
    goTo({ view: { name: 'one', ...refOf(resource) } }, true);
  });
  const parts = { edit, saving, loaded };
  const mistakes = useStanding(saving.mistakes, edit.draft);
  const seen = edit.base?.resource;
  useEffect(() => {
    if (seen !== undefined) renewSelected(of, seen);
  }, [seen]);
  return (
    <>
      <ResourceHead edit={edit} saving={saving} />
      <Announcement />
      <Outcome {...parts} />
      {edit.base !== undefined && <Tabs of={of} isHistory={isHistory} />}
      {isHistory ? (
        <HistoryTab edit={edit} onPutBack={saving.clear} />
      ) : (
        <Form {...props} {...parts} saving={{ ...saving, mistakes }} />
      )}
      <Overtaken {...parts} />
    </>
  );
}
