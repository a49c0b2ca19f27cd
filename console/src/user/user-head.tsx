import { Link } from '../address/navigation.tsx';
import type { Tagged } from '../api/directory.ts';
import type { Edit } from '../change/use-edit.ts';
import { documentOf } from '../change/use-edit.ts';
import { Icon } from '../parts/icons.tsx';
import { Moment } from '../parts/moment.tsx';
import { useTitle } from '../parts/use-title.ts';
import { useScope } from '../session/use-scope.ts';
import { DeleteUser } from './delete-user.tsx';
import type { Saving } from './use-saving.ts';

interface UserHeadProps {
  readonly edit: Edit;
  readonly saving: Saving;
}

/** Takes a leaver's access away, or gives it back: a change of the form like any other, so that a merge or another try has it too. */
function ActiveSwitch({ edit, saving }: UserHeadProps) {
  const mayWrite = useScope('users:write');
  const { base } = edit;
  if (base === undefined) return null;
  const isActive = base.user.active;
  const word = isActive ? 'Deactivate' : 'Activate';
  const reason = mayWrite ? 'Save or discard your changes first.' : 'This takes the scope users:write.';
  const isOff = !mayWrite || edit.isChanged || saving.isBusy;
  const turn = () => {
    edit.change({ ...edit.draft, active: !isActive });
    saving.send({ ...documentOf(base.user), active: !isActive }, base, `${word}d`);
  };
  return (
    <button type="button" disabled={isOff} title={isOff ? reason : ''} onClick={turn}>
      {word}
    </button>
  );
}

const BackToList = () => (
  <Link class="back" view={{ name: 'list' }}>
    <Icon name="back" /> All users
  </Link>
);

/** Who it is, since when, and what can be done with the user as a whole. */
export function UserHead({ edit, saving }: UserHeadProps) {
  const { base } = edit;
  useTitle(base?.user.userName ?? 'New user');
  if (base === undefined)
    return (
      <header class="user-head">
        <BackToList />
        <h1>New user</h1>
      </header>
    );
  const { id, userName, displayName, active, meta } = base.user;
  const showTheirs = (theirs: Tagged) => {
    // What was typed is put together with theirs, as if it had been saved.
    if (edit.isChanged) saving.settle(Promise.resolve({ kind: 'overtaken', theirs }));
    else edit.moveTo(theirs);
  };
  return (
    <header class="user-head">
      <BackToList />
      <div class="user-title">
        <h1>
          <bdi>{displayName ?? userName}</bdi>
        </h1>
        <span class={`pill ${active ? 'on' : 'off'}`}>{active ? 'Active' : 'Inactive'}</span>
        <span class="actions">
          <ActiveSwitch edit={edit} saving={saving} />
          <DeleteUser base={base} onOvertaken={showTheirs} />
        </span>
      </div>
      <p class="quiet small facts">
        <span>
          ID <code>{id}</code>
        </span>
        <span>
          Created <Moment at={meta.created} />
        </span>
        <span>
          Last modified <Moment at={meta.lastModified} />
        </span>
      </p>
    </header>
  );
}
