import { Link } from '../address/navigation.tsx';
import { MemberNames } from '../answers/member-names.tsx';
import { ResourceName } from '../answers/resource-name.tsx';
import { type Change, isChangeOf, kindOfChange } from '../api/changes.ts';
import { Folded } from '../parts/folded.tsx';
import { Moment } from '../parts/moment.tsx';
import { type Ref, type Resource, titleOf } from '../schema/kinds.ts';
import { texts } from '../texts/texts.ts';
import { Author } from './author.tsx';
import { ComparedValues, type PutBack } from './compared-values.tsx';
import { CreateAgain } from './create-again.tsx';
import { EraseGone } from './erase-gone.tsx';
import { RestoreGone } from './restore-gone.tsx';

const isDeletion = ({ type }: Change): boolean => type.endsWith('.deleted');

export interface ChangeViewProps {
  readonly change: Change;
  /** Whether the list also has changes of other resources. */
  readonly isNamed?: boolean;
  /** Whose history it is, if it is that of one resource: that of a user also has changes of groups. */
  readonly of?: Ref;
  readonly putBack?: PutBack | undefined;
  /** Called when the values of a deleted resource are erased. */
  readonly onErased?: () => void;
}

function Values({ change, putBack }: ChangeViewProps) {
  const compared = <ComparedValues change={change} putBack={putBack} />;
  if (change.type.endsWith('.members-changed')) return null;
  if (change.label === undefined) return <p class="quiet">{texts.history.erased}</p>;
  if (change.type.endsWith('.updated')) return compared;
  return (
    <Folded class="folded" summary={isDeletion(change) ? texts.history.deleted : texts.history.created}>
      {compared}
    </Folded>
  );
}

/** The name of the resource, which only a creation or deletion has: an update has only the changed members. */
export function titleThen({ changed, label, before, after }: Change): string | undefined {
  const whole = before ?? after;
  return changed === undefined && whole !== undefined ? titleOf(whole as Resource) : label;
}

/** Links to the changed resource, or to its history once it is deleted. */
export function ChangedName({ change }: { readonly change: Change }) {
  const { id, label } = change;
  const kind = kindOfChange(change);
  if (label === undefined && !isDeletion(change)) return <ResourceName kind={kind} id={id} />;
  const title = titleThen(change);
  return (
    <>
      <Link view={{ name: 'one', kind, id, ...(isDeletion(change) ? { tab: 'history' as const } : {}) }}>
        {label === undefined ? <code>{id}</code> : <bdi>{label}</bdi>}
      </Link>{' '}
      {title !== label && <bdi class="quiet">{title}</bdi>}
    </>
  );
}

/** A change of a group in the history of a user. */
function GroupOfUser({ change }: { readonly change: Change }) {
  const { type, at, added = [], removed = [] } = change;
  const joined = added.length > 0 ? texts.history.joined : undefined;
  const left = removed.length > 0 ? texts.history.left : undefined;
  return (
    <>
      <h3>
        {joined ?? left ?? texts.history.types[type] ?? type}: <ChangedName change={change} />
      </h3>
      <p class="quiet small facts">
        <Moment at={at} />
        <Author change={change} />
      </p>
    </>
  );
}

/** One change: its type, time and author, and the values before and after. */
export function ChangeView(props: ChangeViewProps) {
  const { change, isNamed = false, of, onErased } = props;
  const { type, at, added = [], removed = [], whole } = change;
  if (of !== undefined && !isChangeOf(change, of)) return <GroupOfUser change={change} />;
  return (
    <>
      <h3>
        {texts.history.types[type] ?? type}
        {isNamed && ': '}
        {isNamed && <ChangedName change={change} />}
      </h3>
      <p class="quiet small facts">
        <Moment at={at} />
        <Author change={change} />
      </p>
      {whole && <p>{texts.history.whole}</p>}
      {added.length > 0 && <MemberNames kind="user" label={texts.history.added} ids={added} />}
      {removed.length > 0 && <MemberNames kind="user" label={texts.history.removed} ids={removed} />}
      <Values {...props} />
      {/* Where old values can be put back, it exists again. */}
      {isDeletion(change) && change.label !== undefined && props.putBack === undefined && (
        <p class="actions">
          <RestoreGone change={change} />
          <CreateAgain change={change} />
          {onErased && <EraseGone change={change} onErased={onErased} />}
        </p>
      )}
    </>
  );
}
