import { goTo } from '../address/navigation.tsx';
import { type Change, kindOfChange } from '../api/changes.ts';
import { readResource } from '../api/directory.ts';
import { documentOf } from '../change/changed-members.ts';
import { keepEdit, keptEdits } from '../change/kept-edits.ts';
import { announce } from '../parts/announcement.tsx';
import { useObservable } from '../parts/observable.ts';
import { toDraftGroup } from '../schema/drafts.ts';
import { findWritable } from '../schema/fields.ts';
import { fieldsOf } from '../schema/load-fields.ts';
import { scopeOf } from '../session/scopes.ts';
import { useScope } from '../session/session.ts';
import { texts } from '../texts/texts.ts';

/** Opens the form for a new resource with the deleted values and the same id. @param change a deletion */
export function CreateAgain({ change }: { readonly change: Change }) {
  const kind = kindOfChange(change);
  const mayWrite = useScope(scopeOf(kind, 'write'));
  const edits = [...useObservable(keptEdits).values()];
  const { id, label: name, before } = change;
  if (!mayWrite || name === undefined || before === undefined) return null;
  // The form for new resources has one draft at a time.
  const isTaken = edits.some((edit) => edit.kind === kind && edit.base === undefined && edit.id !== id);
  const open = async () => {
    // Another person may have created it since.
    if ((await readResource({ kind, id })).ok) {
      goTo({ view: { name: 'one', kind, id } });
      return;
    }
    keepEdit({ kind, id, draft: toDraftGroup(findWritable(fieldsOf(kind)), documentOf(before)), name });
    announce(texts.history.checkAgain, 'info');
    goTo({ view: { name: 'new', kind } });
  };
  return (
    <button type="button" disabled={isTaken} title={isTaken ? texts.history.againBusy : ''} onClick={open}>
      {texts.history.again}
    </button>
  );
}
