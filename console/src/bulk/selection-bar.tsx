import { useEffect, useRef, useState } from 'preact/hooks';
import { closeDialog, openDialog, useAddress } from '../address/navigation.tsx';
import { CompareButton } from '../change/compare-button.tsx';
import { announce } from '../parts/announcement.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { useObservable } from '../parts/observable.ts';
import type { Group, KindName, ListQuery, Resource } from '../schema/kinds.ts';
import { NotAllowed, sayMissing } from '../session/not-allowed.tsx';
import { type Scope, scopeOf } from '../session/scopes.ts';
import { mayChange, mayDo, sessionState } from '../session/session.ts';
import { useShortcut } from '../shortcuts/shortcuts.ts';
import { texts } from '../texts/texts.ts';
import type { DialogEnds } from './bulk-dialog.tsx';
import { Names } from './bulk-steps.tsx';
import { ConfirmDialog } from './confirm-dialog.tsx';
import { EditDialog } from './edit-dialog.tsx';
import { editFieldsOf } from './edit-fields.ts';
import { MembershipDialog } from './membership-dialog.tsx';
import type { BulkAction } from './run-bulk.ts';
import { SelectAll } from './select-all.tsx';
import type { Selection } from './selection.ts';

const words = texts.bulk;

/** An action on a selection, and the name of its dialog in the address. */
type OfferName = BulkAction['name'];

interface ActionDialogProps extends DialogEnds {
  readonly name: OfferName;
  readonly kind: KindName;
  /** The group whose members are selected. */
  readonly group: Group | undefined;
  readonly resources: readonly Resource[];
}

/** Asks for the details of an action on the selection, and performs it. */
function ActionDialog(props: ActionDialogProps) {
  const { name, group } = props;
  // As selected when the dialog opened: changed resources leave the selection.
  const [resources] = useState(props.resources);
  const isEmpty = resources.length === 0;
  // The address of another person's dialog, or of a dialog before a reload, has no selection.
  useEffect(() => {
    if (!isEmpty) return;
    announce(words.noneSelected, 'info');
    props.onClose();
  }, []);
  if (isEmpty) return null;
  const given = { ...props, resources };
  if (name === 'edit') return <EditDialog {...given} />;
  if (name === 'leave' && group !== undefined) return <ConfirmDialog {...given} action={{ name, group }} />;
  if (name === 'join' || name === 'leave')
    return <MembershipDialog {...given} name={name} given={{ users: resources }} />;
  return <ConfirmDialog {...given} action={{ name }} />;
}

/** Whether the access profile allows it. */
const allows = (name: OfferName, kind: KindName): boolean => {
  if (name === 'edit') return editFieldsOf(kind).length > 0;
  if (name === 'join' || name === 'leave') return mayChange('group', 'members');
  return name === 'delete' || mayChange('user', 'active');
};

function offersOf({ kind, group }: Pick<ActionDialogProps, 'kind' | 'group'>): readonly OfferName[] {
  const all: readonly OfferName[] =
    kind === 'group' ? ['edit', 'delete'] : ['edit', 'join', 'leave', 'deactivate', 'activate', 'delete'];
  return (group === undefined ? all : ['leave' as const]).filter((name) => allows(name, kind));
}

function scopeFor(name: OfferName, kind: KindName): Scope {
  if (name === 'join' || name === 'leave') return 'groups:write';
  return scopeOf(kind, name === 'delete' ? 'delete' : 'write');
}

interface SelectionBarProps extends Pick<ActionDialogProps, 'kind' | 'group'> {
  readonly selection: Selection;
  /** The resources on this page of the list. */
  readonly shown: readonly Resource[];
  /** The query of the list, and the number of its matches. */
  readonly query: ListQuery;
  readonly total: number | undefined;
  /** Called after an action, so that the list is loaded again. */
  readonly onDone: () => void;
}

/** The number of selected resources, their names, and a way to select more. */
function Count({ kind, selection, shown, query, total = 0 }: SelectionBarProps) {
  const { length } = selection.resources;
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <p class="strong" role="status">
        {words.selected(length)}
        {shown.some(({ id }) => selection.has(id)) ? '' : words.noneHere}
      </p>
      <button type="button" class="plain" onClick={() => setOpen(true)}>
        {words.show}
      </button>
      {isOpen && (
        <Dialog title={words.selection[kind]} onClose={() => setOpen(false)}>
          <Names resources={selection.resources} onRemove={(one) => selection.toggle([one], false)} />
          <div class="actions">
            <button type="button" class="primary" onClick={() => setOpen(false)}>
              {texts.page.close}
            </button>
          </div>
        </Dialog>
      )}
      {total > 0 && (total > length || shown.some(({ id }) => !selection.has(id))) && (
        <SelectAll key={JSON.stringify(query)} {...{ kind, query, total, selection }} />
      )}
      <button
        type="button"
        class="plain"
        onClick={() => {
          // The bar disappears, and would take the focus with it.
          document.querySelector<HTMLElement>('.rows input')?.focus({ preventScroll: true });
          selection.clear();
        }}
      >
        {words.clear}
      </button>
    </>
  );
}

/** The actions on the selection. */
export function SelectionBar(props: SelectionBarProps) {
  const { kind, selection, group, onDone } = props;
  const { dialog } = useAddress();
  const state = useObservable(sessionState);
  const bar = useRef<HTMLElement>(null);
  useShortcut('actions', () => bar.current?.querySelector('button')?.focus());
  const isShown = selection.resources.length > 0;
  // The bar may cover the selected row.
  useEffect(() => {
    if (isShown) document.querySelector('.rows :focus')?.scrollIntoView({ block: 'nearest' });
  }, [isShown]);
  const [one, other, ...more] = selection.resources;
  const offers = offersOf(props);
  const isMissing = (name: OfferName) => !mayDo(state, scopeFor(name, kind));
  const missing = new Set(offers.filter(isMissing).map((name) => scopeFor(name, kind)));
  const open = offers.find((name) => name === dialog && !isMissing(name));
  const take = (done: readonly Resource[]) => {
    selection.toggle(done, false);
    onDone();
  };
  return (
    <>
      {isShown && (
        <section ref={bar} class="selection-bar" aria-label={words.selection[kind]}>
          <Count {...props} />
          {one && other && more.length === 0 && <CompareButton one={one} other={other} />}
          {offers.map((name) => (
            <button
              key={name}
              type="button"
              class={name === 'delete' ? 'danger' : ''}
              disabled={isMissing(name)}
              title={isMissing(name) ? sayMissing(scopeFor(name, kind)) : ''}
              onClick={() => openDialog(name)}
            >
              {words.offers[name]}
            </button>
          ))}
          <NotAllowed scopes={[...missing]} />
        </section>
      )}
      {open !== undefined && (
        <ActionDialog
          key={open}
          name={open}
          kind={kind}
          group={group}
          resources={selection.resources}
          onDone={take}
          onClose={closeDialog}
        />
      )}
    </>
  );
}
