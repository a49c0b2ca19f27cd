import type { ComponentChildren } from 'preact';
import { useMemo, useState } from 'preact/hooks';
import type { Tagged } from '../api/directory.ts';
import { describePointer, fieldAt } from '../form/pointers.ts';
import { Dialog } from '../parts/dialog.tsx';
import { dropEmptyMembers, type JsonObject, printPointer } from '../schema/documents.ts';
import type { Field } from '../schema/fields.ts';
import { documentOf, kindOf, titleOf } from '../schema/kinds.ts';
import { fieldsOf } from '../schema/load-fields.ts';
import { texts } from '../texts/texts.ts';
import { compareVersions, type Difference, mergeVersions } from './merge.ts';
import { ValueView } from './value-view.tsx';

interface MergeDialogProps {
  readonly base: Tagged;
  readonly theirs: Tagged;
  readonly mine: JsonObject;
  /** Who made their version, and when. */
  readonly changed: ComponentChildren;
  /** Called with my changes, to apply to their version. */
  readonly onSave: (merged: JsonObject) => void;
  /** The same, but to review in the form first. */
  readonly onEdit: (merged: JsonObject) => void;
  /** Called when all my changes are dropped. */
  readonly onDiscard: () => void;
}

type Side = 'theirs' | 'mine';

const keyOf = ({ path }: Difference): string => path.join('/');

interface DifferenceViewProps {
  readonly fields: readonly Field[];
  readonly difference: Difference;
  readonly chosen: Side | undefined;
  readonly onChoose: (side: Side) => void;
}

function DifferenceView({ fields, difference, chosen, onChoose }: DifferenceViewProps) {
  const { path, by } = difference;
  const field = fieldAt(fields, path);
  return (
    <fieldset class={`difference ${by === 'both' ? 'open' : ''}`}>
      <legend>{describePointer(fields, printPointer(path))}</legend>
      <p class="hint">{texts.change.outcomes[by]}</p>
      <div class="versions">
        {(['base', 'theirs', 'mine'] as const).map((side) => {
          const isChoice = by === 'both' && side !== 'base';
          const Version = isChoice ? 'label' : 'div';
          return (
            <Version key={side} class={`version ${isChoice ? 'choice' : ''} ${by === side ? 'kept' : ''}`}>
              <span class="version-name">
                {isChoice && (
                  <input
                    type="radio"
                    name={`side-${keyOf(difference)}`}
                    checked={chosen === side}
                    onChange={() => onChoose(side)}
                  />
                )}
                {texts.change.versions[side]}
              </span>
              <ValueView value={difference[side]} field={field} />
            </Version>
          );
        })}
      </div>
    </fieldset>
  );
}

/** Merges two people's changes: the base, their and my version, field by field. */
export function MergeDialog(props: MergeDialogProps) {
  const { base, theirs, mine, changed, onSave, onEdit, onDiscard } = props;
  const [chosen, setChosen] = useState<ReadonlyMap<string, Side>>(new Map());
  const theirDocument = dropEmptyMembers(documentOf(theirs.resource));
  const differences = useMemo(
    () =>
      compareVersions([dropEmptyMembers(documentOf(base.resource)), theirDocument, dropEmptyMembers(mine)]),
    [base, theirs, mine],
  );
  const conflictsFirst = differences.toSorted(
    (one, other) => Number(other.by === 'both') - Number(one.by === 'both'),
  );
  const open = differences.filter((one) => one.by === 'both' && !chosen.has(keyOf(one))).length;
  const decided = new Set([...chosen].filter(([, side]) => side === 'mine').map(([key]) => key));
  const merged = () => mergeVersions(theirDocument, differences, decided);
  return (
    <Dialog title={texts.change.overtaken(titleOf(theirs.resource))} isWide>
      <div>
        {texts.change.since} {changed}
      </div>
      <p>{texts.change.notSaved}</p>
      <div class="differences">
        {conflictsFirst.map((difference) => (
          <DifferenceView
            key={keyOf(difference)}
            fields={fieldsOf(kindOf(base.resource))}
            difference={difference}
            chosen={chosen.get(keyOf(difference))}
            onChoose={(side) => setChosen(new Map(chosen).set(keyOf(difference), side))}
          />
        ))}
      </div>
      <p class="actions" role="status">
        <button type="button" class="primary" disabled={open > 0} onClick={() => onSave(merged())}>
          {texts.change.save}
        </button>
        <button type="button" disabled={open > 0} onClick={() => onEdit(merged())}>
          {texts.change.edit}
        </button>
        <button type="button" class="danger" onClick={onDiscard}>
          {texts.change.discard}
        </button>
        {open > 0 && <span class="quiet">{texts.change.left(open)}</span>}
      </p>
    </Dialog>
  );
}
