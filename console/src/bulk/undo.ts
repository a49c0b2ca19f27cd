/** Takes an action on many resources back. */
import { restoreResource } from '../api/directory.ts';
import type { Undo } from '../parts/announcement.tsx';
import { type Resource, refOf } from '../schema/kinds.ts';
import { mayDo, sessionState } from '../session/session.ts';
import { untilShown } from '../session/unfinished.ts';
import { texts } from '../texts/texts.ts';
import { type ReadyAction, runBulk } from './run-bulk.ts';

/** @returns how many have failed */
async function restoreAll(deleted: readonly Resource[]): Promise<number> {
  let failed = 0;
  for (const resource of deleted)
    if (!(await restoreResource(refOf(resource), mayDo(sessionState.value, 'groups:read'))).ok) failed++;
  return failed;
}

async function reverse(action: ReadyAction, changed: readonly Resource[]): Promise<number> {
  if (action.name === 'delete') return restoreAll(changed);
  const opposite =
    action.name === 'leave'
      ? ({ name: 'join', group: action.group } as const)
      : ({ name: action.name === 'activate' ? 'deactivate' : 'activate' } as const);
  let failed = 0;
  await runBulk(changed, opposite, new AbortController().signal, ({ reason }) => {
    if (reason !== '') failed++;
  });
  return failed;
}

/** @param changed as the action has left them; those that were so before are not among them @param onDone loads the list again */
export const undoOf =
  (action: ReadyAction, changed: readonly Resource[], onDone: () => void): Undo =>
  async () => {
    const failed = await untilShown(reverse(action, changed));
    onDone();
    return texts.bulk.undone(changed.length - failed, failed);
  };
