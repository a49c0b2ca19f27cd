import type { Tab } from '../address/address.ts';
import { BackToList } from '../address/back-to-list.tsx';
import { goTo, Link } from '../address/navigation.tsx';
import type { Tagged } from '../api/directory.ts';
import type { Edit } from '../change/use-edit.ts';
import { ValueView } from '../change/value-view.tsx';
import { useTitle } from '../parts/brand.tsx';
import { CopyButton } from '../parts/copy-button.tsx';
import { Moment } from '../parts/moment.tsx';
import { useObservable } from '../parts/observable.ts';
import { Avatar } from '../person/avatar.tsx';
import { StatusPill, Summary } from '../person/summary.tsx';
import { valueAt } from '../schema/documents.ts';
import { documentOf, type Group, type Ref, type Resource, refOf, titleOf } from '../schema/kinds.ts';
import { declaredOf } from '../schema/load-fields.ts';
import { NotAllowed, sayMissing } from '../session/not-allowed.tsx';
import { scopeOf } from '../session/scopes.ts';
import { mayChange, mayDo, sessionState, useScope } from '../session/session.ts';
import { useShortcut } from '../shortcuts/shortcuts.ts';
import { texts } from '../texts/texts.ts';
import { DeleteResource } from './delete-resource.tsx';
import type { Saving } from './use-saving.ts';

interface ResourceHeadProps {
  readonly edit: Edit;
  readonly saving: Saving;
}

/** Deactivates or activates a user: a change of the form like any other, so that a merge or another attempt includes it. */
function ActiveSwitch({ edit, saving }: ResourceHeadProps) {
  const mayWrite = useScope('users:write');
  const { base } = edit;
  if (base === undefined || !('active' in base.resource) || !mayChange('user', 'active')) return null;
  const isActive = base.resource.active;
  const reason = mayWrite ? texts.resource.saveFirst : sayMissing('users:write');
  const isOff = !mayWrite || edit.isChanged || saving.isBusy;
  const turn = () => {
    edit.change({ ...edit.draft, active: !isActive });
    saving.send(
      { ...documentOf(base.resource), active: !isActive },
      base,
      isActive ? texts.resource.deactivated : texts.resource.activated,
    );
  };
  return (
    <button
      type="button"
      // Not disabled while it acts: it keeps the focus.
      disabled={!mayWrite}
      aria-disabled={isOff}
      title={isOff ? reason : ''}
      onClick={() => !isOff && turn()}
    >
      {isActive ? texts.bulk.buttons.deactivate : texts.bulk.buttons.activate}
    </button>
  );
}

interface EditLinkProps {
  readonly of: Ref;
  readonly tab: Tab | undefined;
}

/** Leads from reading to the form and back. */
function EditLink({ of, tab }: EditLinkProps) {
  const mayWrite = useScope(scopeOf(of.kind, 'write'));
  const isForm = tab === 'edit';
  const view = { name: 'one', ...of, ...(isForm ? {} : { tab: 'edit' as const }) } as const;
  useShortcut('edit', mayWrite && !isForm ? () => goTo({ view }) : undefined);
  if (!mayWrite) return null;
  return (
    <Link class={isForm ? 'button' : 'button primary'} view={view}>
      {isForm ? texts.resource.endEdit : texts.resource.edit}
    </Link>
  );
}

/** Its id, and when it was created and changed. */
export const RecordFacts = ({ resource: { id, meta } }: { readonly resource: Resource }) => (
  <p class="quiet small facts">
    <span>
      {texts.resource.id} <code>{id}</code> <CopyButton text={id} name={`${texts.resource.id}: `} />
    </span>
    <span>
      {texts.resource.created} <Moment at={meta.created} />
    </span>
    <span>
      {texts.resource.lastModified} <Moment at={meta.lastModified} />
    </span>
  </p>
);

/** What the group is for, and the values that the installation declares, such as its owner. */
function About({ group }: { readonly group: Group }) {
  const told = declaredOf('group').flatMap((field) => {
    const value = valueAt(documentOf(group), field.path.split('.'));
    return value === undefined ? [] : [{ field, value }];
  });
  return (
    <>
      {group.description !== undefined && (
        <p class="quiet">
          <bdi>{group.description}</bdi>
        </p>
      )}
      <p class="quiet small facts">
        {told.map(({ field, value }) => (
          <span key={field.path}>
            {field.label} <ValueView value={value} field={field} />
          </span>
        ))}
      </p>
    </>
  );
}

/** Who or what it is, and the actions on the resource as a whole. */
export function ResourceHead({ edit, saving, tab }: ResourceHeadProps & Pick<EditLinkProps, 'tab'>) {
  const { base } = edit;
  const { kind } = edit.of;
  const session = useObservable(sessionState);
  const scopes = [scopeOf(kind, 'write'), scopeOf(kind, 'delete')];
  useTitle(base === undefined ? texts.kinds[kind].new : titleOf(base.resource), texts.kinds[kind].plural);
  if (base === undefined)
    return (
      <header class="resource-head">
        <BackToList kind={kind} />
        <h1>{texts.kinds[kind].new}</h1>
      </header>
    );
  const { resource } = base;
  const title = titleOf(resource);
  const showTheirs = (theirs: Tagged) => {
    // Unsaved changes are merged with the new version, as after saving.
    if (edit.isChanged) saving.settle(Promise.resolve({ kind: 'overtaken', theirs }));
    else edit.moveTo(theirs);
  };
  return (
    <header class="resource-head">
      <BackToList kind={kind} />
      <div class="resource-title">
        {'userName' in resource && <Avatar user={resource} />}
        <h1>
          <bdi>{title}</bdi>
        </h1>
        {'userName' in resource && <StatusPill isActive={resource.active} />}
        <span class="actions">
          <EditLink of={refOf(resource)} tab={tab} />
          <ActiveSwitch edit={edit} saving={saving} />
          <DeleteResource base={base} onOvertaken={showTheirs} />
        </span>
      </div>
      {'userName' in resource ? <Summary user={resource} /> : <About group={resource} />}
      <NotAllowed scopes={scopes.filter((scope) => !mayDo(session, scope))} />
    </header>
  );
}
