import { goTo } from '../address/navigation.tsx';
import type { Tagged } from '../api/directory.ts';
import { MergeDialog } from '../change/merge-dialog.tsx';
import { type Edit, useEdit } from '../change/use-edit.ts';
import { MistakeSummary } from '../form/mistake-summary.tsx';
import { UserForm } from '../form/user-form.tsx';
import { Announcement, announce } from '../parts/announcement.tsx';
import { type Field, findWritable } from '../schema/fields.ts';
import { NotAllowed } from '../session/not-allowed.tsx';
import { useScope } from '../session/use-scope.ts';
import { ChangeNotice } from './change-notice.tsx';
import { Representation } from './representation.tsx';
import { type Saving, useSaving } from './use-saving.ts';
import { UserHead } from './user-head.tsx';

interface UserEditorProps {
  readonly id: string;
  /** As it was read; undefined to create one. */
  readonly loaded: Tagged | undefined;
  readonly fields: readonly Field[];
}

interface PartProps {
  readonly edit: Edit;
  readonly saving: Saving;
  readonly fields: readonly Field[];
}

/** What came of the last change, or what is wrong with it. */
function Outcome({ edit, saving, fields }: PartProps) {
  const { change, mistakes } = saving;
  if (mistakes.size > 0) {
    const title = change?.kind === 'refused' ? change.failure.title : 'Something is left to do';
    return <MistakeSummary title={title} fields={fields} mistakes={mistakes} />;
  }
  if (change === undefined) return null;
  return (
    <ChangeNotice
      change={change}
      done={saving.done}
      onRetry={saving.save}
      onLookAgain={(look) => saving.settle(look())}
      onCreateAgain={() => saving.send(edit.document, undefined, 'Created again')}
    />
  );
}

/** Where somebody else was first. */
function Overtaken({ edit, saving, fields }: PartProps) {
  const { change } = saving;
  if (change?.kind !== 'overtaken' || edit.base === undefined) return null;
  const { theirs } = change;
  return (
    <MergeDialog
      fields={fields}
      base={edit.base}
      theirs={theirs}
      mine={edit.document}
      onSave={(merged) => {
        edit.moveTo(theirs, merged);
        saving.clear();
        saving.send(merged, theirs);
      }}
      onEdit={(merged) => {
        edit.moveTo(theirs, merged);
        saving.clear();
      }}
      onDiscard={() => {
        edit.moveTo(theirs);
        saving.clear();
      }}
    />
  );
}

function SaveBar({ edit, saving }: Omit<PartProps, 'fields'>) {
  const isNew = edit.base === undefined;
  if (!edit.isChanged && !isNew) return null;
  return (
    <div class="save-bar">
      <button type="submit" class="primary" aria-disabled={saving.isBusy}>
        {saving.isBusy ? 'Saving…' : isNew ? 'Create' : 'Save'}
      </button>
      <button
        type="button"
        disabled={!edit.isChanged || saving.isBusy}
        onClick={() => {
          edit.discard();
          saving.clear();
        }}
      >
        Discard
      </button>
      {edit.isChanged && <span class="quiet">Unsaved changes, kept in this tab</span>}
    </div>
  );
}

/** One user, to be looked at, changed or made. */
export function UserEditor({ id, loaded, fields }: UserEditorProps) {
  const mayWrite = useScope('users:write');
  const mayDelete = useScope('users:delete');
  const edit = useEdit(id, loaded, fields);
  const saving = useSaving(edit, fields, ({ now: { user }, isOlder = false }) => {
    if (edit.base !== undefined) return;
    const unsaved = isOlder ? ' by the first attempt. What you have changed since is not saved yet' : '';
    announce(`${user.userName} was created${unsaved}.`);
    goTo({ view: { name: 'user', id: user.id } }, true);
  });
  const parts = { edit, saving, fields };
  return (
    <>
      <UserHead edit={edit} saving={saving} />
      {!mayWrite && <NotAllowed what="Changing users" scope="users:write" />}
      {!mayDelete && edit.base !== undefined && <NotAllowed what="Deleting users" scope="users:delete" />}
      <Announcement />
      <Outcome {...parts} />
      <div class={edit.base === undefined ? 'user-body' : 'user-body with-aside'}>
        <form
          noValidate
          onSubmit={(event) => {
            event.preventDefault();
            saving.save();
          }}
        >
          <UserForm
            fields={findWritable(fields)}
            draft={edit.draft}
            mistakes={saving.mistakes}
            isReadOnly={!mayWrite}
            onChange={edit.change}
          />
          {mayWrite && <SaveBar edit={edit} saving={saving} />}
        </form>
        {edit.base !== undefined && (
          <Representation id={edit.base.user.id} version={edit.base.user.meta.version} />
        )}
      </div>
      <Overtaken {...parts} />
    </>
  );
}
