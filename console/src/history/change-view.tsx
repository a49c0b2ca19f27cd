import { useState } from 'preact/hooks';
import { Link } from '../address/navigation.tsx';
import { MemberNames } from '../answers/member-names.tsx';
import { ResourceName } from '../answers/resource-name.tsx';
import { type Change, isChangeOf, kindOfChange } from '../api/changes.ts';
import { DaysOf } from '../form/day-control.tsx';
import { Icon } from '../parts/icons.tsx';
import { describeDay, Moment } from '../parts/moment.tsx';
import { type Ref, type Resource, titleOf } from '../schema/kinds.ts';
import { fieldsOf } from '../schema/load-fields.ts';
import { texts } from '../texts/texts.ts';
import { Author, authorOf } from './author.tsx';
import {
  ChangeSummary,
  daysOf,
  isDeletion,
  SharedChange,
  typeOf,
  updatedMembersOf,
} from './change-summary.tsx';
import { ComparedValues, labelOfMember, type PutBack } from './compared-values.tsx';
import { EraseGone, RestoreGone } from './gone-actions.tsx';
import { UndoButton } from './undo-dialog.tsx';

/** What all lines of a list have in common. */
export interface ChangeContext {
  /** Whether the list also has changes of other resources. */
  readonly isNamed?: boolean;
  /** Whether all of each line is shown at first. */
  readonly isWhole?: boolean;
  /** The resource, if this is the history of one: the history of a user also has changes of groups. */
  readonly of?: Ref;
  readonly putBack?: PutBack | undefined;
  /** The changes that took others back, by the cursor of the change that was taken back. */
  readonly undone?: ReadonlyMap<string, Change> | undefined;
  /** Called when values were erased, or changes taken back. */
  readonly onChanged?: () => void;
}

export interface ChangeViewProps extends ChangeContext {
  /** One change, or those of the same type that one operation has made, the newest first. */
  readonly changes: readonly [Change, ...Change[]];
  /** Whether the operation may have made more, which are not loaded yet. */
  readonly isCut?: boolean;
}

type OneProps = ChangeContext & { readonly change: Change };

/** The name of the resource, which only a creation or deletion has: an update has only the changed members. */
export function titleThen({ changed, label, before, after }: Change): string | undefined {
  const whole = before ?? after;
  return changed === undefined && whole !== undefined ? titleOf(whole as Resource) : label;
}

/** Links to the changed resource, or to its history once it is deleted. */
export function ChangedName({ change, isBrief }: { readonly change: Change; readonly isBrief?: boolean }) {
  const { id, label } = change;
  const kind = kindOfChange(change);
  if (label === undefined && !isDeletion(change)) return <ResourceName kind={kind} id={id} />;
  const title = titleThen(change);
  return (
    <>
      <Link view={{ name: 'one', kind, id, ...(isDeletion(change) ? { tab: 'history' as const } : {}) }}>
        {label === undefined ? texts.history.erasedName : <bdi>{label}</bdi>}
      </Link>
      {!isBrief && title !== label && <bdi class="quiet"> {title}</bdi>}
    </>
  );
}

/** Names of a line's changes; of more, their number. */
const maxNamed = 3;

/** Whom a line concerns: `anna.admin, ben.admin and 2 more`. */
export function Whom({ changes }: Pick<ChangeViewProps, 'changes'>) {
  const named = [...new Map(changes.map((change) => [change.id, change])).values()];
  const more = named.length - maxNamed;
  return (
    <>
      {named.slice(0, maxNamed).map((change, at) => (
        <span key={change.id}>
          {at > 0 && ', '}
          <ChangedName change={change} isBrief={more > 1 - maxNamed} />
        </span>
      ))}
      {more > 0 && ` ${texts.bulk.more(more)}`}
    </>
  );
}

const isNoChange = (change: Change): boolean =>
  change.type.endsWith('.updated') && updatedMembersOf(change).length === 0;

/** `Job title`, of an update; its values stand below the line. */
function changedLabels(change: Change): readonly string[] {
  const fields = fieldsOf(kindOfChange(change));
  return updatedMembersOf(change).map((member) => labelOfMember(fields, member));
}

/** What was done, in one line. */
function What({ change, isNamed = false, of }: OneProps) {
  const { added = [], removed = [] } = change;
  if (of !== undefined && !isChangeOf(change, of))
    return (
      <>
        {added.length > 0 ? texts.history.joined : removed.length > 0 ? texts.history.left : typeOf(change)}
        {': '}
        <ChangedName change={change} />
      </>
    );
  if (isNamed) return <ChangeSummary change={change} />;
  return <>{changedLabels(change).join(', ') || typeOf(change)}</>;
}

function Values({ change, putBack }: OneProps) {
  if (change.type.endsWith('.members-changed')) return null;
  if (change.label === undefined) return <p class="quiet">{texts.history.erased}</p>;
  return <ComparedValues change={change} putBack={putBack} />;
}

/** `Undone 9:39 by anna.admin` */
const Undone = ({ change: { at }, by }: { readonly change: Change; readonly by: Change }) => (
  <span class="quiet">
    {/updated|changed/.test(by.type) ? texts.page.isUndone : typeOf(by)}{' '}
    <Moment at={by.at} isClock={describeDay(by.at) === describeDay(at)} /> {texts.history.by}{' '}
    <bdi>{authorOf(by)}</bdi>
  </span>
);

/** All that is known of a change. */
function Details({ change, ...context }: OneProps) {
  const { added = [], removed = [], whole, by } = change;
  const { putBack, onChanged } = context;
  return (
    <>
      {by.person !== undefined && (
        <p class="quiet small">
          {texts.history.client} <bdi>{by.client}</bdi>
        </p>
      )}
      {whole && <p>{texts.history.whole}</p>}
      {added.length > 0 && <MemberNames kind="user" label={texts.history.added} ids={added} />}
      {removed.length > 0 && <MemberNames kind="user" label={texts.history.removed} ids={removed} />}
      <Values change={change} {...context} />
      {/* If old values can be put back, the resource exists again. */}
      {isDeletion(change) && change.label !== undefined && putBack === undefined && onChanged && (
        <p class="actions">
          <EraseGone change={change} onErased={onChanged} />
        </p>
      )}
    </>
  );
}

/** The changes of an operation, each in its line. */
const Operation = ({ changes, undone }: ChangeViewProps) => (
  <ol>
    {changes.map((one) => (
      <li key={one.cursor}>
        <ChangeView changes={[one]} isNamed undone={undone} />
      </li>
    ))}
  </ol>
);

/** A change in one line: its time and author, whom it concerns, and the values before and after; all of it when it is opened. */
export function ChangeView({ changes, isCut = false, ...context }: ChangeViewProps) {
  const [change, ...others] = changes;
  const { isNamed = false, isWhole = !isNamed, of, putBack, undone, onChanged } = context;
  const isOne = others.length === 0;
  const isForeign = of !== undefined && !isChangeOf(change, of);
  const [isOpen, setOpen] = useState(isWhole && !isForeign && !(isOne && change.type.endsWith('.created')));
  const type = typeOf(change, changes.length);
  const by = changes.every(({ cursor }) => undone?.has(cursor)) && undone?.get(change.cursor);
  return (
    <DaysOf.Provider value={daysOf(change)}>
      <div class="change-line">
        {!isForeign && (
          <button
            type="button"
            class="bare"
            aria-expanded={isOpen}
            aria-label={texts.history.detailsOf(isOne && isNamed ? `${type}, ${change.label ?? ''}` : type)}
            onClick={() => setOpen(!isOpen)}
          >
            <Icon name="next" />
          </button>
        )}
        <span class="quiet">
          <Moment at={change.at} isClock />
        </span>
        <span>
          <Author change={change} />
        </span>
        {isNamed && (
          <span class="whom">
            <Whom changes={changes} />
          </span>
        )}
        <span class="what">
          {isOne ? <What change={change} {...context} /> : <SharedChange changes={changes} isCut={isCut} />}{' '}
          {by && <Undone {...{ change, by }} />}
        </span>
        {isDeletion(change) &&
          !isForeign &&
          !by &&
          putBack === undefined &&
          (isOne ? <RestoreGone change={change} /> : <UndoButton changes={changes} onDone={onChanged} />)}
      </div>
      {isOpen && (
        <div class="stack">
          {isNamed && !by && !isDeletion(change) && !changes.every(isNoChange) && (
            <UndoButton changes={changes} onDone={onChanged} />
          )}
          {isOne ? <Details change={change} {...context} /> : <Operation changes={changes} {...context} />}
        </div>
      )}
    </DaysOf.Provider>
  );
}
