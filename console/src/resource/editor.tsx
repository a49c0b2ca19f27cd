import { useEffect, useRef, useState } from 'preact/hooks';
import type { Tab } from '../address/address.ts';
import { goTo, useAddress, useDialog } from '../address/navigation.tsx';
import type { Tagged } from '../api/directory.ts';
import { renewSelected } from '../bulk/selection.ts';
import { replace } from '../change/change-resource.ts';
import { MergeDialog } from '../change/merge-dialog.tsx';
import { type Edit, useEdit } from '../change/use-edit.ts';
import { DaysOf } from '../form/day-control.tsx';
import type { Mistakes } from '../form/form-context.ts';
import { MistakeSummary } from '../form/mistake-summary.tsx';
import { ResourceForm, useStanding } from '../form/resource-form.tsx';
import { Members, UserGroups } from '../groups/memberships.tsx';
import { ChangedSince } from '../history/changed-since.tsx';
import { HistoryTab } from '../history/history-tab.tsx';
import { announce } from '../parts/announcement.tsx';
import { Moment } from '../parts/moment.tsx';
import { ReadView } from '../person/read-view.tsx';
import type { JsonObject } from '../schema/documents.ts';
import { documentOf, type Ref, refOf, titleOf } from '../schema/kinds.ts';
import { fieldsOf } from '../schema/load-fields.ts';
import { scopeOf } from '../session/scopes.ts';
import { useScope } from '../session/session.ts';
import { untilShown } from '../session/unfinished.ts';
import { texts } from '../texts/texts.ts';
import { ChangeNotice } from './change-notice.tsx';
import { Representation } from './representation.tsx';
import { RecordFacts, ResourceHead } from './resource-head.tsx';
import { Tabs } from './tabs.tsx';
import { type Saving, useSaving } from './use-saving.ts';

interface EditorProps {
  readonly of: Ref;
  /** The resource as it was read; undefined to create one. */
  readonly loaded: Tagged | undefined;
  readonly tab?: Tab | undefined;
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

/** The outcome of the last change, or those of its mistakes that are not corrected yet. */
function Outcome({ edit, saving, standing }: PartProps & { readonly standing: Mistakes }) {
  const { change, mistakes: found } = saving;
  if (standing.size > 0)
    return <MistakeSummary fields={fieldsOf(edit.of.kind)} mistakes={standing} found={found} />;
  if (change === undefined || found.size > 0) return null;
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
      <button
        type="submit"
        class="primary"
        aria-keyshortcuts="Control+S"
        title={texts.resource.saveKey}
        aria-disabled={saving.isBusy || isSaved}
      >
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

/** Saves by the key that saves in other programs, also from a text field. */
function useSaveKey() {
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    const listen = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== 's' || !(event.ctrlKey || event.metaKey) || event.altKey) return;
      event.preventDefault();
      if (document.querySelector('dialog[open]') === null) form.current?.requestSubmit();
    };
    addEventListener('keydown', listen);
    return () => removeEventListener('keydown', listen);
  }, []);
  return form;
}

function Form({ edit, saving }: PartProps) {
  const { of, base } = edit;
  const form = useSaveKey();
  useEffect(() => {
    // A restored value or the menu of the language may have the focus already. On a phone, the keyboard would cover the form.
    if (matchMedia('(hover: none)').matches || document.activeElement?.closest('.resource-form, .menu'))
      return;
    document.querySelector<HTMLElement>('.resource-form :is(input, textarea)')?.focus();
  }, []);
  return (
    <form
      ref={form}
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
        onChange={(draft) => {
          // Messages about earlier actions are out of date.
          if (saving.change?.kind === 'done') saving.clear();
          edit.change(draft);
        }}
      />
      <SaveBar edit={edit} saving={saving} />
    </form>
  );
}

interface TabViewProps extends PartProps, Pick<EditorProps, 'tab' | 'again'> {
  /** Called when the user has joined or left a group. */
  readonly onJoined: () => void;
}

/** What a tab shows. */
function TabView({ tab, again, onJoined, ...parts }: TabViewProps) {
  const { edit, saving, loaded } = parts;
  const { of, base } = edit;
  const mayWrite = useScope(scopeOf(of.kind, 'write'));
  if (base === undefined) return <Form {...parts} />;
  if (tab === 'history') return <HistoryTab edit={edit} onPutBack={saving.clear} />;
  const { resource } = base;
  const isUser = 'userName' in resource;
  if (tab === undefined && !isUser) return <Members group={resource} onChanged={again} />;
  if (tab === 'groups' && isUser) return <UserGroups user={resource} onChanged={onJoined} />;
  return (
    <>
      {tab === 'edit' && mayWrite ? <Form {...parts} /> : <ReadView resource={resource} />}
      <RecordFacts resource={resource} />
      <Representation of={of} version={base.tag + loaded?.tag} />
    </>
  );
}

/** One resource, to view, change or create. */
export function Editor(props: EditorProps) {
  const { of, loaded, tab } = props;
  const edit = useEdit(of, loaded);
  const saving = useSaving(edit, ({ now, isFound, isOlder = false }, word) => {
    const { resource } = now;
    const { base } = edit;
    if (base !== undefined) {
      if (isFound || word === texts.resource.saved) return;
      // The notice on the page already says it.
      saving.clear();
      announce(`${titleOf(resource)}: ${word}`, 'good', async () => {
        const back = await untilShown(replace(now, documentOf(base.resource)));
        if (back.kind === 'done') edit.moveTo(back.now);
        return back.kind === 'done' ? texts.page.isUndone : texts.resource.notDone;
      });
      return;
    }
    const say = isOlder ? texts.resource.wasCreatedBefore : texts.resource.wasCreated;
    announce(say(titleOf(resource)));
    // Text that was typed since then is still in the form.
    goTo({ view: { name: 'one', ...refOf(resource), ...(isOlder && { tab: 'edit' }) } }, true);
  });
  const [round, setRound] = useState(0);
  const parts = { edit, saving, loaded };
  const mistakes = useStanding(saving.mistakes, edit.draft);
  const seen = edit.base?.resource;
  useEffect(() => {
    if (seen !== undefined) renewSelected(of, seen);
  }, [seen]);
  return (
    <DaysOf.Provider value={{ user: seen }}>
      <ResourceHead edit={edit} saving={saving} tab={tab} />
      {(seen === undefined || tab === 'edit') && <Outcome {...parts} standing={mistakes} />}
      {seen !== undefined && <Tabs resource={loaded?.resource ?? seen} tab={tab} round={round} />}
      <TabView {...props} {...parts} onJoined={() => setRound(round + 1)} saving={{ ...saving, mistakes }} />
      <Overtaken {...parts} />
    </DaysOf.Provider>
  );
}
