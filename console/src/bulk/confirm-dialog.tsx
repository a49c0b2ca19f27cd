import { useState } from 'preact/hooks';
import { TextField } from '../parts/fields.tsx';
import { AskingForm, FormButtons } from '../parts/form.tsx';
import { type KindName, nameOf, type Resource } from '../schema/kinds.ts';
import { texts } from '../texts/texts.ts';
import { BulkDialog, type DialogEnds } from './bulk-dialog.tsx';
import { Names } from './bulk-steps.tsx';
import type { ReadyAction } from './run-bulk.ts';

const words = texts.bulk;

function aboutOf({ name }: ReadyAction, kind: KindName): string {
  return name === 'delete' ? texts.resource.beforeDeletion[kind] : words.about[name];
}

function titleOf(action: ReadyAction, what: string): string {
  return 'group' in action ? words.titles.leave(what, nameOf(action.group)) : words.titles[action.name](what);
}

interface ConfirmDialogProps extends DialogEnds {
  readonly kind: KindName;
  readonly action: ReadyAction;
  readonly resources: readonly Resource[];
}

/** Asks to confirm a change of all selected resources, and makes it. */
export function ConfirmDialog({ kind, action, resources, ...ends }: ConfirmDialogProps) {
  const [typed, setTyped] = useState('');
  const isDelete = action.name === 'delete';
  const isReady = !isDelete || typed.trim() === String(resources.length);
  return (
    <BulkDialog
      {...ends}
      title={titleOf(action, texts.kinds[kind].count(resources.length))}
      ask={(start) => (
        <AskingForm onSubmit={() => start(action, resources)}>
          <p>{aboutOf(action, kind)}</p>
          <Names resources={resources} />
          {isDelete && (
            <TextField
              label={words.confirmNumber(resources.length)}
              value={typed}
              onInput={setTyped}
              attributes={{ inputMode: 'numeric' }}
            />
          )}
          <FormButtons
            submit={words.buttons[action.name]}
            isReady={isReady}
            isDanger={isDelete}
            onCancel={ends.onClose}
          />
        </AskingForm>
      )}
    />
  );
}
