import { useEffect, useState } from 'preact/hooks';
import { announce } from '../parts/announcement.tsx';
import type { Group, KindName, Resource } from '../schema/kinds.ts';
import { texts } from '../texts/texts.ts';
import type { DialogEnds } from './bulk-dialog.tsx';
import { ConfirmDialog } from './confirm-dialog.tsx';
import { EditDialog } from './edit-dialog.tsx';
import { MembershipDialog } from './membership-dialog.tsx';
import type { BulkAction } from './run-bulk.ts';

/** An action on a selection, and the name of its dialog in the address. */
export type OfferName = BulkAction['name'];

export interface ActionDialogProps extends DialogEnds {
  readonly name: OfferName;
  readonly kind: KindName;
  /** The group whose members are selected. */
  readonly group: Group | undefined;
  readonly resources: readonly Resource[];
}

/** Asks for the details of an action on the selection, and performs it. */
export function ActionDialog(props: ActionDialogProps) {
  const { name, group } = props;
  // As selected when the dialog opened: changed resources leave the selection.
  const [resources] = useState(props.resources);
  const isEmpty = resources.length === 0;
  // The address of another person's dialog, or of a dialog before a reload, has no selection.
  useEffect(() => {
    if (!isEmpty) return;
    announce(texts.bulk.noneSelected, 'info');
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
