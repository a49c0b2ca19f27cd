/** The groups of a user, and the members of a group. */
import { useState } from 'preact/hooks';
import { Link, wholeListOf } from '../address/navigation.tsx';
import { FailureNotice } from '../answers/failure-notice.tsx';
import { useAnswer } from '../answers/use-answer.ts';
import { type Change, readHistory } from '../api/changes.ts';
import { changeMember, listResources } from '../api/directory.ts';
import type { Failure } from '../api/failure.ts';
import { JoinButton } from '../bulk/join-button.tsx';
import { authorOf } from '../history/author.tsx';
import { ResourceList } from '../list/resource-list.tsx';
import { announce } from '../parts/announcement.tsx';
import { Moment } from '../parts/moment.tsx';
import { Skeleton } from '../parts/skeleton.tsx';
import { type Group, nameOf, refOf, titleOf, type User } from '../schema/kinds.ts';
import { usualSortOf } from '../schema/load-fields.ts';
import { Allowed, sayMissing } from '../session/not-allowed.tsx';
import { mayChange, useScope } from '../session/session.ts';
import { untilShown } from '../session/unfinished.ts';
import { texts } from '../texts/texts.ts';

const words = texts.resource.groups;

/** Further groups are behind a link. */
const maxShown = 100;
/** Of the user: older memberships have no author here. */
const maxChanges = 100;

interface UserGroupsProps {
  readonly user: User;
  /** Called when the user has joined or left a group. */
  readonly onChanged: () => void;
}

/** By group, the change that made the user a member. */
function useJoins({ id }: User, version: unknown): ReadonlyMap<string, Change> {
  const question = useScope('history:read') ? { id, version } : undefined;
  const { value } = useAnswer(question, (_, signal) =>
    readHistory({ kind: 'user', id }, { limit: maxChanges }, signal),
  );
  const joins = new Map<string, Change>();
  for (const change of value?.changes ?? [])
    if (change.added?.includes(id) && !joins.has(change.id)) joins.set(change.id, change);
  return joins;
}

interface GroupRowProps {
  readonly group: Group;
  readonly join: Change | undefined;
  readonly onRemove: () => void;
}

function GroupRow({ group, join, onRemove }: GroupRowProps) {
  const mayWrite = useScope('groups:write');
  return (
    <li class="group-row">
      <span>
        <Link class="strong" view={{ name: 'one', ...refOf(group) }}>
          <bdi>{nameOf(group)}</bdi>
        </Link>{' '}
        <bdi class="quiet small">{group.description}</bdi>
      </span>
      {join && (
        <span class="quiet small">
          {texts.history.added} <Moment at={join.at} /> {texts.history.by} <bdi>{authorOf(join)}</bdi>
        </span>
      )}
      {mayChange('group', 'members') && (
        <button
          type="button"
          class="plain"
          disabled={!mayWrite}
          title={mayWrite ? '' : sayMissing('groups:write')}
          aria-label={words.removeFrom(nameOf(group))}
          onClick={onRemove}
        >
          {texts.bulk.buttons.leave}
        </button>
      )}
    </li>
  );
}

function Groups({ user, onChanged }: UserGroupsProps) {
  const query = { member: user.id, sort: usualSortOf('group'), limit: maxShown } as const;
  const { value, failure, isBusy, again } = useAnswer({ kind: 'group', query } as const, listResources);
  const [refusal, setRefusal] = useState<Failure>();
  const joins = useJoins(user, value);
  const groups = (value?.resources ?? []) as readonly Group[];
  const askAgain = () => {
    again();
    onChanged();
  };
  const change = async (method: 'put' | 'delete', group: Group) => {
    const outcome = await untilShown(changeMember(method, group.id, user.id));
    askAgain();
    setRefusal(outcome.ok ? undefined : outcome.failure);
    return outcome.ok;
  };
  const leave = async (group: Group) => {
    const names = [titleOf(user), nameOf(group)] as const;
    if (!(await change('delete', group))) return;
    announce(words.removed(...names), 'good', async () =>
      (await change('put', group)) ? words.added(...names) : words.removed(...names),
    );
  };
  return (
    <>
      <p class="actions">
        <JoinButton given={{ users: [user] }} onDone={askAgain} />
      </p>
      {failure !== undefined && <FailureNotice failure={failure} retry={again} isAutomatic />}
      {refusal !== undefined && <FailureNotice failure={refusal} isNews />}
      {value === undefined && isBusy && <Skeleton rows={3} />}
      {value?.resources.length === 0 && <p class="quiet">{texts.list.filters['group empty']}</p>}
      <ul class="panel group-rows" aria-label={texts.kinds.group.plural}>
        {groups.map((group) => (
          <GroupRow key={group.id} group={group} join={joins.get(group.id)} onRemove={() => leave(group)} />
        ))}
      </ul>
      {value?.links.next !== undefined && (
        <Link
          class="button"
          view={{ name: 'list', kind: 'group' }}
          list={{ ...wholeListOf('group'), filters: { member: user.id } }}
        >
          {words.all}
        </Link>
      )}
    </>
  );
}

/** The groups that a user is a member of. */
export const UserGroups = (props: UserGroupsProps) => (
  <section class="stack" aria-labelledby="user-groups">
    <h2 id="user-groups" class="unseen">
      {texts.kinds.group.plural}
    </h2>
    <Allowed scope="groups:read">
      <Groups {...props} />
    </Allowed>
  </section>
);

interface MembersProps {
  readonly group: Group;
  /** Called when a member was added or removed. */
  readonly onChanged: (() => void) | undefined;
}

/** The members of a group, as a list of users. */
export const Members = ({ group, onChanged }: MembersProps) => (
  <section class="members-list" aria-labelledby="members">
    <h2 id="members">{texts.kinds.member.plural}</h2>
    <Allowed scope="users:read">
      <ResourceList
        kind="user"
        group={group}
        onChanged={onChanged}
        action={(again) => <JoinButton given={{ group }} class="primary" onDone={again} />}
      />
    </Allowed>
  </section>
);
