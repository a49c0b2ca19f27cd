import type { ComponentProps } from 'preact';
import { useState } from 'preact/hooks';
import { Link } from '../address/navigation.tsx';
import { FailureNotice } from '../answers/failure-notice.tsx';
import { useAnswer } from '../answers/use-answer.ts';
import { readUser } from '../api/directory.ts';
import { keptEdits } from '../change/kept-edits.ts';
import { newId } from '../change/new-id.ts';
import { Skeleton } from '../parts/skeleton.tsx';
import type { Field } from '../schema/fields.ts';
import { NotAllowed } from '../session/not-allowed.tsx';
import { useScope } from '../session/use-scope.ts';
import { UserEditor } from './user-editor.tsx';

interface UserPageProps {
  readonly id: string;
  readonly fields: readonly Field[];
}

const Refused = (props: ComponentProps<typeof NotAllowed>) => (
  <>
    <h1>Users</h1>
    <NotAllowed {...props} />
  </>
);

/** One user. Changes that weren't saved go on where they were, whatever has become of the user. */
export function UserPage({ id, fields }: UserPageProps) {
  const mayRead = useScope('users:read');
  const [kept] = useState(() => keptEdits.value.get(id)?.base);
  const { value, failure, again } = useAnswer(id, readUser);
  const loaded = kept ?? value;
  if (!mayRead) return <Refused what="Looking people up" scope="users:read" />;
  if (loaded !== undefined) return <UserEditor id={id} loaded={loaded} fields={fields} />;
  if (failure === undefined) return <Skeleton rows={8} />;
  return (
    <>
      <h1 class="unseen">User</h1>
      <FailureNotice failure={failure} retry={again} isAutomatic />
      <Link class="button" view={{ name: 'list' }}>
        To the list
      </Link>
    </>
  );
}

/** The id of a user who is to be created and isn't yet, so that another try doesn't make another one. */
const idOfKept = (): string | undefined =>
  [...keptEdits.value].find(([, edit]) => edit.base === undefined)?.[0];

export function NewUserPage({ fields }: Pick<UserPageProps, 'fields'>) {
  const mayWrite = useScope('users:write');
  const [id] = useState(() => idOfKept() ?? newId());
  return mayWrite ? (
    <UserEditor id={id} loaded={undefined} fields={fields} />
  ) : (
    <Refused what="Creating users" scope="users:write" />
  );
}
