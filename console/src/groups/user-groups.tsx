import { Link, wholeListOf } from '../address/navigation.tsx';
import { FailureNotice } from '../answers/failure-notice.tsx';
import { useAnswer } from '../answers/use-answer.ts';
import { listResources } from '../api/directory.ts';
import { JoinButton } from '../bulk/join-button.tsx';
import { nameOf, refOf, type User } from '../schema/kinds.ts';
import { Allowed } from '../session/not-allowed.tsx';
import { texts } from '../texts/texts.ts';

/** Further groups are behind a link. */
const maxShown = 20;

interface UserGroupsProps {
  readonly user: User;
}

function Groups({ user }: UserGroupsProps) {
  const query = { member: user.id, sort: 'displayName', limit: maxShown } as const;
  const { value, failure, again } = useAnswer({ kind: 'group', query } as const, listResources);
  if (failure !== undefined) return <FailureNotice failure={failure} retry={again} isAutomatic />;
  const all = { ...wholeListOf('group'), filters: { member: user.id } };
  return (
    <div class="actions">
      {value?.resources.length === 0 && <span class="quiet">{texts.list.noGroups}</span>}
      {value?.resources.map((group) => (
        <Link key={group.id} view={{ name: 'one', ...refOf(group) }}>
          <bdi>{nameOf(group)}</bdi>
        </Link>
      ))}
      {value?.links.next !== undefined && (
        <Link class="button" view={{ name: 'list', kind: 'group' }} list={all}>
          {texts.list.allGroups}
        </Link>
      )}
      <JoinButton given={{ users: [user] }} onDone={again} />
    </div>
  );
}

/** The groups that a user is a member of. */
export const UserGroups = (props: UserGroupsProps) => (
  <section class="stack" aria-labelledby="user-groups">
    <h2 id="user-groups">{texts.kinds.group.plural}</h2>
    <Allowed scope="groups:read">
      <Groups {...props} />
    </Allowed>
    <Link
      view={{ name: 'list', kind: 'user' }}
      list={{ ...wholeListOf('user'), filters: { manager: props.user.id } }}
    >
      {texts.list.reports}
    </Link>
  </section>
);
