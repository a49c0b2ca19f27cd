/** One change for many resources, each as safe as a single change. */
import { type Attempt, runAll } from '../answers/patiently.ts';
import { changeMember, readResource } from '../api/directory.ts';
import { type Change, remove, replace } from '../change/change-resource.ts';
import { dropEmpty, isEqual, type JsonObject } from '../schema/documents.ts';
import { documentOf, type Group, type KindName, kindOf, type Resource, refOf } from '../schema/kinds.ts';
import { texts } from '../texts/texts.ts';
import { applyChange, type FieldChange } from './field-change.ts';

/** Actions that need no further input. */
export type ReadyAction =
  | { readonly name: 'activate' | 'deactivate' | 'delete' }
  | { readonly name: 'leave'; readonly group: Group };
/** The action on each resource. */
export type BulkAction =
  | ReadyAction
  | { readonly name: 'join'; readonly group: Group }
  | { readonly name: 'edit'; readonly change: FieldChange };

export interface BulkResult {
  /** The resource as it was last read. */
  readonly resource: Resource;
  /** Empty after a success. */
  readonly reason: string;
  /** The resource already had the requested state. */
  readonly isUnchanged?: boolean;
}

/** Empty after a success. @param isDeletion a missing resource counts as a success */
const reasonOf = (end: Settled, kind: KindName, isDeletion = false): string =>
  end.kind === 'done' || (end.kind === 'gone' && isDeletion) ? '' : texts.bulk.reasons[kind][end.kind];

type Settled = Pick<Exclude<Change, { readonly kind: 'refused' }>, 'kind'>;

/** The end of a change in words; a refusal may be worth another attempt. @param isDeletion as `reasonOf` has it */
export const settle = (
  end: Settled | Extract<Change, { readonly kind: 'refused' }>,
  kind: KindName,
  isDeletion = false,
): Attempt<string> => ('failure' in end ? end : { came: reasonOf(end, kind, isDeletion) });

/** Undefined: the resource is deleted. */
const changeOf = (action: BulkAction): FieldChange | undefined => {
  if (action.name === 'edit') return action.change;
  if (action.name === 'delete') return undefined;
  return { path: ['active'], operation: 'set', value: action.name === 'activate' };
};

/** @param selected as the person has seen it: a resource that has changed since is left unchanged */
async function changeSelected(
  selected: Resource,
  change: FieldChange | undefined,
  operation: string,
): Promise<Change | 'unchanged'> {
  const read = await readResource(refOf(selected));
  if (!read.ok)
    return read.failure.status === 404 ? { kind: 'gone' } : { kind: 'refused', failure: read.failure };
  const { resource } = read.value;
  if (resource.meta.version !== selected.meta.version) return { kind: 'overtaken', theirs: read.value };
  if (change === undefined) return remove(read.value, false, operation);
  const before = documentOf(resource);
  const next = dropEmpty(applyChange(before, change)) as JsonObject;
  return isEqual(next, before) ? 'unchanged' : replace(read.value, next, operation);
}

/** @param operation the id of the whole change, by which it is taken back */
async function tryOnce(
  resource: Resource,
  action: BulkAction,
  operation: string,
): Promise<Attempt<BulkResult>> {
  if ('group' in action) {
    const method = action.name === 'join' ? 'put' : 'delete';
    const changed = await changeMember(method, action.group.id, resource.id, operation);
    return changed.ok ? { came: { resource, reason: '' } } : changed;
  }
  const change = await changeSelected(resource, changeOf(action), operation);
  if (change === 'unchanged') return { came: { resource, reason: '', isUnchanged: true } };
  if (change.kind === 'refused') return change;
  const reason = reasonOf(change, kindOf(resource), action.name === 'delete');
  if (change.kind === 'done') return { came: { resource: change.now.resource, reason } };
  return { came: { resource: change.kind === 'overtaken' ? change.theirs.resource : resource, reason } };
}

/** @param onResult as `runAll` has it */
export const runBulk = (
  resources: readonly Resource[],
  action: BulkAction,
  operation: string,
  signal: AbortSignal,
  onResult: (result: BulkResult) => void,
): Promise<void> =>
  runAll(
    resources,
    (resource) => tryOnce(resource, action, operation),
    (resource, reason) => ({ resource, reason }),
    signal,
    onResult,
  );
