import { JoinButton } from '../bulk/join-button.tsx';
import { ResourceList } from '../list/resource-list.tsx';
import type { Group } from '../schema/kinds.ts';
import { Allowed } from '../session/not-allowed.tsx';
import { texts } from '../texts/texts.ts';

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
