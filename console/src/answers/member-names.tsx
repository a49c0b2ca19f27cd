import { useState } from 'preact/hooks';
import type { KindName } from '../schema/kinds.ts';
import { texts } from '../texts/texts.ts';
import { ResourceName } from './resource-name.tsx';

/** The number of names that are requested at first, and each further time. */
const [shownFirst, shownMore] = [8, 100];

interface MemberNamesProps {
  readonly kind: KindName;
  readonly label: string;
  readonly ids: readonly string[];
}

/** Users that joined or left a group, or other users and groups by name. */
export function MemberNames({ kind, label, ids }: MemberNamesProps) {
  const [shown, setShown] = useState(shownFirst);
  return (
    <div class="member-names">
      <span class="quiet">{label}</span>
      {ids.slice(0, shown).map((id) => (
        <ResourceName key={id} kind={kind} id={id} />
      ))}
      {ids.length > shown && (
        <button type="button" onClick={() => setShown(shown + shownMore)}>
          {texts.bulk.more(ids.length - shown)}
        </button>
      )}
    </div>
  );
}
