/** One change for many resources, each as safe as a single change. */
import { type Attempt, patiently } from '../answers/patiently.ts';
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

/** The number of changes at a time. */
const workers = 4;
/** The number of attempts for one resource while the service is overloaded (503) or does not answer. */
const maxRounds = 5;

type Settled = Exclude<Change, { readonly kind: 'refused' }>;

function reasonOf({ kind: end }: Settled, isDelete: boolean, kind: KindName): string {
  const isDone = end === 'done' || (end === 'gone' && isDelete);
  return isDone ? '' : texts.bulk.reasons[kind][end];
}

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
): Promise<Change | 'unchanged'> {
  const read = await readResource(refOf(selected));
  if (!read.ok)
    return read.failure.status === 404 ? { kind: 'gone' } : { kind: 'refused', failure: read.failure };
  const { resource } = read.value;
  if (resource.meta.version !== selected.meta.version) return { kind: 'overtaken', theirs: read.value };
  if (change === undefined) return remove(read.value);
  const before = documentOf(resource);
  const next = dropEmpty(applyChange(before, change)) as JsonObject;
  return isEqual(next, before) ? 'unchanged' : replace(read.value, next);
}

async function tryOnce(resource: Resource, action: BulkAction): Promise<Attempt<BulkResult>> {
  if ('group' in action) {
    const method = action.name === 'join' ? 'put' : 'delete';
    const changed = await changeMember(method, action.group.id, resource.id);
    return changed.ok ? { came: { resource, reason: '' } } : changed;
  }
  const change = await changeSelected(resource, changeOf(action));
  if (change === 'unchanged') return { came: { resource, reason: '', isUnchanged: true } };
  if (change.kind === 'refused') return change;
  const reason = reasonOf(change, action.name === 'delete', kindOf(resource));
  if (change.kind === 'done') return { came: { resource: change.now.resource, reason } };
  return { came: { resource: change.kind === 'overtaken' ? change.theirs.resource : resource, reason } };
}

/** @returns undefined if the run was stopped */
async function changeOne(
  resource: Resource,
  action: BulkAction,
  signal: AbortSignal,
): Promise<BulkResult | undefined> {
  try {
    return await patiently(() => tryOnce(resource, action), signal, maxRounds);
  } catch (error) {
    return signal.aborted ? undefined : { resource, reason: String((error as Error).message) };
  }
}

/** @param onResult called for each finished resource, but not for resources that a stopped run did not begin */
export async function runBulk(
  resources: readonly Resource[],
  action: BulkAction,
  signal: AbortSignal,
  onResult: (result: BulkResult) => void,
): Promise<void> {
  // All workers share the iterator; leaving one loop does not end it.
  const waiting = resources.values();
  const work = async () => {
    for (const next of waiting) {
      const result = await changeOne(next, action, signal);
      if (result === undefined) return;
      onResult(result);
    }
  };
  await Promise.all(Array.from({ length: workers }, work));
}
