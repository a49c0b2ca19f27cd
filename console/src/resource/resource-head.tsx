import { BackToList } from '../address/back-to-list.tsx';
import type { Tagged } from '../api/directory.ts';
import type { Edit } from '../change/use-edit.ts';
import { useTitle } from '../parts/brand.tsx';
import { Moment } from '../parts/moment.tsx';
import { useObservable } from '../parts/observable.ts';
import { documentOf, nameOf, titleOf } from '../schema/kinds.ts';
import { NotAllowed, sayMissing } from '../session/not-allowed.tsx';
import { scopeOf } from '../session/scopes.ts';
import { mayDo, sessionState, useScope } from '../session/session.ts';
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
  if (base === undefined || !('active' in base.resource)) return null;
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
    <button type="button" disabled={isOff} title={isOff ? reason : ''} onClick={turn}>
      {isActive ? texts.resource.deactivate : texts.resource.activate}
    </button>
  );
}

/** Name, state and times of a resource, and the actions on the resource as a whole. */
export function ResourceHead({ edit, saving }: ResourceHeadProps) {
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
  const { id, meta } = base.resource;
  const [title, name] = [titleOf(base.resource), nameOf(base.resource)];
  const active = 'active' in base.resource ? base.resource.active : undefined;
  const showTheirs = (theirs: Tagged) => {
    // Unsaved changes are merged with the new version, as after saving.
    if (edit.isChanged) saving.settle(Promise.resolve({ kind: 'overtaken', theirs }));
    else edit.moveTo(theirs);
  };
  return (
    <header class="resource-head">
      <BackToList kind={kind} />
      <div class="resource-title">
        <h1>
          <bdi>{title}</bdi>
        </h1>
        {active !== undefined && (
          <span class={`pill ${active ? 'on' : 'off'}`}>
            {active ? texts.list.active : texts.list.inactive}
          </span>
        )}
        <span class="actions">
          <ActiveSwitch edit={edit} saving={saving} />
          <DeleteResource base={base} onOvertaken={showTheirs} />
        </span>
      </div>
      <p class="quiet small facts">
        {title !== name && <bdi>{name}</bdi>}
        <span>
          {texts.resource.id} <code>{id}</code>
        </span>
        <span>
          {texts.resource.created} <Moment at={meta.created} />
        </span>
        <span>
          {texts.resource.lastModified} <Moment at={meta.lastModified} />
        </span>
      </p>
      <NotAllowed scopes={scopes.filter((scope) => !mayDo(session, scope))} />
    </header>
  );
}
