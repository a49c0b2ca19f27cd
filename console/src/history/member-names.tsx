import { useState } from 'preact/hooks';
import { ResourceName } from '../answers/resource-name.tsx';
import { printNumber } from '../language.ts';
import { texts } from '../texts/texts.ts';

/** The number of names that are requested at first, and each further time. */
const [shownFirst, shownMore] = [8, 100];

interface MemberNamesProps {
  readonly label: string;
  readonly ids: readonly string[];
}

/** Users that joined or left a group. */
export function MemberNames({ label, ids }: MemberNamesProps) {
  const [shown, setShown] = useState(shownFirst);
  return (
    <div class="member-names">
      <span class="quiet">{label}</span>
      {ids.slice(0, shown).map((id) => (
        <ResourceName key={id} kind="user" id={id} />
      ))}
      {ids.length > shown && (
        <button type="button" onClick={() => setShown(shown + shownMore)}>
          {texts.history.moreMembers(printNumber(ids.length - shown))}
        </button>
      )}
    </div>
  );
}
