/** One change for many users, one after the other, each as careful as if it were the only one. */

import { explain } from '../answers/failure-words.ts';
import { readUser, type Tagged, type User } from '../api/directory.ts';
import type { Failure } from '../api/failure.ts';
import { type Change, remove, replace } from '../change/change-user.ts';
import { documentOf } from '../change/use-edit.ts';

export type BulkAction = 'activate' | 'deactivate' | 'delete';

export interface BulkResult {
  readonly user: User;
  /** Empty when it was done. */
  readonly reason: string;
}

/** So many at a time. */
const workers = 4;
/** How often a service that has too much to do (503) is asked again for one user. */
const maxRounds = 5;

const changedMeanwhile =
  'Somebody has changed this user since it was selected, so it was left as it is. Look at it first.';

const reasonOfFailure = (failure: Failure): string => {
  const { title, text } = explain(failure);
  return text === '' ? title : `${title}. ${text}`;
};

function reasonOf(change: Change, action: BulkAction): string {
  switch (change.kind) {
    case 'done':
      return '';
    case 'gone':
      return action === 'delete' ? '' : 'Somebody has deleted this user meanwhile.';
    case 'overtaken':
      return changedMeanwhile;
    case 'not-done':
      return 'The service did not answer in time. The user was read again: nothing was changed.';
    case 'unknown':
      return 'The service did not answer in time, and it is not known whether the change was made. Look at the user.';
    case 'refused':
      return reasonOfFailure(change.failure);
  }
}

const makeChange = (base: Tagged, action: BulkAction): Promise<Change> =>
  action === 'delete'
    ? remove(base)
    : replace(base, { ...documentOf(base.user), active: action === 'activate' });

/** @param selected as the person has seen it: nobody is changed who is another one now */
async function tryOnce(selected: User, action: BulkAction): Promise<Change> {
  const read = await readUser(selected.id);
  if (!read.ok)
    return read.failure.status === 404 ? { kind: 'gone' } : { kind: 'refused', failure: read.failure };
  const { user } = read.value;
  if (user.meta.version !== selected.meta.version) return { kind: 'overtaken', theirs: read.value };
  if (action !== 'delete' && user.active === (action === 'activate'))
    return { kind: 'done', now: read.value, isFound: false };
  return makeChange(read.value, action);
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

/** Waits while there is no connection, or as long as the service asks for. @returns undefined when it was stopped */
async function changeOne(
  user: User,
  action: BulkAction,
  signal: AbortSignal,
): Promise<BulkResult | undefined> {
  for (let round = 1; ; round++) {
    if (signal.aborted) return undefined;
    const change = await tryOnce(user, action);
    const isBusy = change.kind === 'refused' && change.failure.status === 503 && round < maxRounds;
    if (!isBusy) return { user, reason: reasonOf(change, action) };
    await pause(change.failure.retryAfter ?? 1, signal);
  }
}

/** @param onResult as each is through; nothing of those who weren't begun when it was stopped */
export async function runBulk(
  users: readonly User[],
  action: BulkAction,
  signal: AbortSignal,
  onResult: (result: BulkResult) => void,
): Promise<void> {
  const waiting = [...users];
  const work = async () => {
    for (let user = waiting.shift(); user !== undefined && !signal.aborted; user = waiting.shift()) {
      const result = await changeOne(user, action, signal);
      if (result !== undefined) onResult(result);
    }
  };
  await Promise.all(Array.from({ length: workers }, work));
}
