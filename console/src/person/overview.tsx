import { Link, wholeListOf } from '../address/navigation.tsx';
import { useAnswer } from '../answers/use-answer.ts';
import { countResources } from '../api/directory.ts';
import { printNumber } from '../language.ts';
import type { User } from '../schema/kinds.ts';
import { useScope } from '../session/session.ts';
import { texts } from '../texts/texts.ts';
import { ReadView } from './read-view.tsx';

/** The users who report to a user, if there are any. */
function Reports({ user }: { readonly user: User }) {
  const question = { kind: 'user', query: { manager: user.id } } as const;
  const { value = 0 } = useAnswer(useScope('users:read') ? question : undefined, countResources);
  if (value === 0) return null;
  return (
    <Link
      class="button"
      view={{ name: 'list', kind: 'user' }}
      list={{ ...wholeListOf('user'), filters: { manager: user.id } }}
    >
      {texts.resource.reports(printNumber(value))}
    </Link>
  );
}

/** A user as text. */
export const Overview = ({ user }: { readonly user: User }) => (
  <div class="stack">
    <ReadView resource={user} />
    <p class="actions">
      <Reports user={user} />
    </p>
  </div>
);
