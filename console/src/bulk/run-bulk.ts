/** One change for many resources, each as careful as if it were the only one. */
import { explain } from '../answers/failure-words.ts';
import { changeMember, readResource, type Tagged } from '../api/directory.ts';
import type { Failure } from '../api/failure.ts';
import { type Change, remove, replace } from '../change/change-resource.ts';
import { documentOf, type Group, type KindName, kindOf, type Resource, refOf } from '../schema/kinds.ts';
import { texts } from '../texts/texts.ts';

/** What can be confirmed as it is; a group to join is chosen first. */
export type ReadyAction =
  | { readonly name: 'activate' | 'deactivate' | 'delete' }
  | { readonly name: 'leave'; readonly group: Group };
/** What is done to each. */
export type BulkAction = ReadyAction | { readonly name: 'join'; readonly group: Group };

export interface BulkResult {
  readonly resource: Resource;
  /** Empty when it was done. */
  readonly reason: string;
}

/** So many at a time. */
const workers = 4;
/** How often a service that has too much to do (503), or did not answer, is asked again for one resource. */
const maxRounds = 5;

const reasonOfFailure = (failure: Failure): string => {
  const { title, text } = explain(failure);
  return text === '' ? title : `${title}. ${text}`;
};

type Settled = Exclude<Change, { readonly kind: 'refused' }>;

function reasonOf(change: Settled, isDelete: boolean, kind: KindName): string {
  const reasons = texts.bulk.reasons[kind];
  switch (change.kind) {
    case 'done':
      return '';
    case 'gone':
      return isDelete ? '' : reasons.gone;
    case 'overtaken':
      return reasons.overtaken;
    case 'not-done':
      return reasons.notDone;
    case 'unknown':
      return reasons.unknown;
  }
}

const makeChange = (base: Tagged, isActive: boolean | undefined): Promise<Change> =>
  isActive === undefined ? remove(base) : replace(base, { ...documentOf(base.resource), active: isActive });

/** @param selected as the person has seen it: nothing is changed that is another one now */
async function changeSelected(selected: Resource, isActive: boolean | undefined): Promise<Change> {
  const read = await readResource(refOf(selected));
  if (!read.ok)
    return read.failure.status === 404 ? { kind: 'gone' } : { kind: 'refused', failure: read.failure };
  const { resource } = read.value;
  if (resource.meta.version !== selected.meta.version) return { kind: 'overtaken', theirs: read.value };
  if ('active' in resource && resource.active === isActive)
    return { kind: 'done', now: read.value, isFound: false };
  return makeChange(read.value, isActive);
}

const activity = { activate: true, deactivate: false, delete: undefined } as const;

/** @returns what was refused, which another try may not be, or why it was not done; empty: it was */
async function tryOnce(resource: Resource, action: BulkAction): Promise<Failure | string> {
  if ('group' in action) {
    const changed = await changeMember(
      action.name === 'join' ? 'put' : 'delete',
      action.group.id,
      resource.id,
    );
    return changed.ok ? '' : changed.failure;
  }
  const change = await changeSelected(resource, activity[action.name]);
  if (change.kind === 'refused') return change.failure;
  return reasonOf(change, action.name === 'delete', kindOf(resource));
}

function pause(seconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, seconds * 1000);
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
      resolve();
    });
  });
}

/** Waits as long as the service asks for. @returns undefined when it was stopped */
async function changeOne(
  resource: Resource,
  action: BulkAction,
  signal: AbortSignal,
): Promise<BulkResult | undefined> {
  for (let round = 1; ; round++) {
    if (signal.aborted) return undefined;
    const came = await tryOnce(resource, action);
    if (typeof came === 'string') return { resource, reason: came };
    const mayPass = came.status === 503 || came.kind === 'unknown';
    if (!mayPass || round === maxRounds) return { resource, reason: reasonOfFailure(came) };
    await pause(came.retryAfter ?? 1, signal);
  }
}

/** @param onResult as each is through; nothing of those that weren't begun when it was stopped */
export async function runBulk(
  resources: readonly Resource[],
  action: BulkAction,
  signal: AbortSignal,
  onResult: (result: BulkResult) => void,
): Promise<void> {
  const waiting = [...resources];
  const work = async () => {
    for (let next = waiting.shift(); next !== undefined && !signal.aborted; next = waiting.shift()) {
      const result = await changeOne(next, action, signal);
      if (result !== undefined) onResult(result);
    }
  };
  await Promise.all(Array.from({ length: workers }, work));
}
