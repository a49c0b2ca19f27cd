import { useState } from 'preact/hooks';
import { useObservable } from '../parts/observable.ts';
import type { Group, KindName, Resource } from '../schema/kinds.ts';
import { NotAllowed, sayMissing } from '../session/not-allowed.tsx';
import { type Scope, scopeOf } from '../session/scopes.ts';
import { mayDo, sessionState } from '../session/session.ts';
import { texts } from '../texts/texts.ts';
import { ConfirmDialog } from './confirm-dialog.tsx';
import { JoinButton } from './join-button.tsx';
import type { ReadyAction } from './run-bulk.ts';
import type { Selection } from './selection.ts';

const words = texts.bulk;

const offersOf = (kind: KindName, group: Group | undefined): readonly ReadyAction[] => {
  if (group !== undefined) return [{ name: 'leave', group }];
  return kind === 'group'
    ? [{ name: 'delete' }]
    : [{ name: 'deactivate' }, { name: 'activate' }, { name: 'delete' }];
};

function scopeFor({ name }: ReadyAction, kind: KindName): Scope {
  if (name === 'leave') return 'groups:write';
  return scopeOf(kind, name === 'delete' ? 'delete' : 'write');
}

interface SelectionBarProps {
  readonly kind: KindName;
  readonly selection: Selection;
  /** Its members are selected. */
  readonly group: Group | undefined;
  /** When something was done, so that the list is asked for again. */
  readonly onDone: () => void;
}

/** What can be done with all that are selected. */
export function SelectionBar({ kind, selection, group, onDone }: SelectionBarProps) {
  const [action, setAction] = useState<ReadyAction>();
  const state = useObservable(sessionState);
  if (selection.resources.length === 0) return null;
  const offers = offersOf(kind, group);
  const missing = new Set(offers.map((one) => scopeFor(one, kind)).filter((scope) => !mayDo(state, scope)));
  const close = (done: readonly Resource[]) => {
    setAction(undefined);
    if (done.length === 0) return;
    selection.toggle(done, false);
    onDone();
  };
  return (
    <section class="selection-bar" aria-label={words.selection[kind]}>
      <p role="status">{words.selected(selection.resources.length)}</p>
      {kind === 'user' && group === undefined && (
        <JoinButton given={{ users: selection.resources }} onDone={close} />
      )}
      {offers.map((one) => (
        <button
          key={one.name}
          type="button"
          class={one.name === 'delete' ? 'danger' : ''}
          disabled={missing.has(scopeFor(one, kind))}
          title={missing.has(scopeFor(one, kind)) ? sayMissing(scopeFor(one, kind)) : ''}
          onClick={() => setAction(one)}
        >
          {words.offers[one.name]}
        </button>
      ))}
      <button type="button" class="plain" onClick={selection.clear}>
        {words.clear}
      </button>
      {[...missing].map((scope) => (
        <NotAllowed key={scope} scope={scope} />
      ))}
      {action !== undefined && (
        <ConfirmDialog kind={kind} action={action} resources={selection.resources} onClose={close} />
      )}
    </section>
  );
}
