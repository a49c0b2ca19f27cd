import type { ComponentChildren } from 'preact';
import { useMemo, useState } from 'preact/hooks';
import type { Tagged } from '../api/directory.ts';
import { describePointer, fieldAt } from '../form/pointers.ts';
import { Dialog } from '../parts/dialog.tsx';
import { Folded } from '../parts/folded.tsx';
import { dropEmptyMembers, type JsonObject, printPointer } from '../schema/documents.ts';
import type { Field } from '../schema/fields.ts';
import { documentOf, kindOf, titleOf } from '../schema/kinds.ts';
import { fieldsOf } from '../schema/load-fields.ts';
import { texts } from '../texts/texts.ts';
import { compareVersions, type Difference, mergeVersions } from './merge.ts';
import { ValueTable } from './value-table.tsx';
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

interface ConflictProps {
  readonly fields: readonly Field[];
  readonly difference: Difference;
  readonly chosen: Side | undefined;
  readonly onChoose: (side: Side) => void;
}

/** Both have changed it: one of the two values is chosen. */
function Conflict({ fields, difference, chosen, onChoose }: ConflictProps) {
  const id = `side-${keyOf(difference)}`;
  return (
    <div class="difference" role="radiogroup" aria-labelledby={id}>
      <h3 id={id}>{describePointer(fields, printPointer(difference.path))}</h3>
      <p class="hint">{texts.change.conflict}</p>
      <div class="versions">
        {(['base', 'theirs', 'mine'] as const).map((side) => {
          const Version = side === 'base' ? 'div' : 'label';
          return (
            <Version key={side} class={`version ${side === 'base' ? '' : 'choice'}`}>
              <span class="version-name">
                {side !== 'base' && (
                  <input type="radio" name={id} checked={chosen === side} onChange={() => onChoose(side)} />
                )}
                {texts.change.versions[side]}
              </span>
              <ValueView value={difference[side]} field={fieldAt(fields, difference.path)} />
            </Version>
          );
        })}
      </div>
    </div>
  );
}

interface SettledProps {
  readonly fields: readonly Field[];
  readonly settled: readonly Difference[];
  readonly isOpenAtFirst: boolean;
}

/** The changes that only one side made, or both in the same way. */
const Settled = ({ fields, settled, isOpenAtFirst }: SettledProps) => (
  <Folded class="fold" summary={texts.change.settled(settled.length)} isOpenAtFirst={isOpenAtFirst}>
    <ValueTable
      fields={fields}
      headings={[...Object.values(texts.change.versions), texts.change.merged]}
      rows={settled.map(({ path, base, theirs, mine, merged }) => ({
        path,
        values: [base, theirs, mine, merged],
      }))}
    />
  </Folded>
);

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
  const fields = fieldsOf(kindOf(base.resource));
  const conflicts = differences.filter(({ by }) => by === 'both');
  const settled = differences.filter(({ by }) => by !== 'both');
  const open = conflicts.filter((one) => !chosen.has(keyOf(one))).length;
  const decided = new Set([...chosen].filter(([, side]) => side === 'mine').map(([key]) => key));
  const merged = () => mergeVersions(theirDocument, differences, decided);
  return (
    <Dialog title={texts.change.overtaken(titleOf(theirs.resource))} isWide>
      <div>
        {texts.change.since} {changed}
      </div>
      <p>{texts.change.notSaved}</p>
      <div class="differences">
        {conflicts.map((difference) => (
          <Conflict
            key={keyOf(difference)}
            {...{ fields, difference }}
            chosen={chosen.get(keyOf(difference))}
            onChoose={(side) => setChosen(new Map(chosen).set(keyOf(difference), side))}
          />
        ))}
        {settled.length > 0 && <Settled {...{ fields, settled }} isOpenAtFirst={conflicts.length === 0} />}
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
