import { useState } from 'preact/hooks';
import { Link } from '../address/navigation.tsx';
import { useAnswer } from '../answers/use-answer.ts';
import { readResource } from '../api/directory.ts';
import { printNumber } from '../parts/numbers.ts';
import { nameOf } from '../schema/kinds.ts';
import { useScope } from '../session/use-scope.ts';
import { texts } from '../texts/texts.ts';

/** Ids whose names are asked for at first, and then at a time. */
const [shownFirst, shownMore] = [8, 100];

/** Leads to its history, since it may have been deleted. */
const UserId = ({ id }: { readonly id: string }) => (
  <Link view={{ name: 'one', kind: 'user', id, tab: 'history' }}>
    <code>{id}</code>
  </Link>
);

function UserName({ id }: { readonly id: string }) {
  const { value } = useAnswer({ kind: 'user', id } as const, readResource);
  if (value === undefined) return <UserId id={id} />;
  return (
    <Link view={{ name: 'one', kind: 'user', id }}>
      <bdi>{value.resource.displayName ?? nameOf(value.resource)}</bdi>
    </Link>
  );
}

interface MemberNamesProps {
  readonly label: string;
  readonly ids: readonly string[];
}

/** Users that became members, or ceased to be. */
export function MemberNames({ label, ids }: MemberNamesProps) {
  const [shown, setShown] = useState(shownFirst);
  const Name = useScope('users:read') ? UserName : UserId;
  return (
    <div class="member-names">
      <span class="quiet">{label}</span>
      {ids.slice(0, shown).map((id) => (
        <Name key={id} id={id} />
      ))}
      {ids.length > shown && (
        <button type="button" onClick={() => setShown(shown + shownMore)}>
          {texts.history.moreMembers(printNumber(ids.length - shown))}
        </button>
      )}
    </div>
  );
}
