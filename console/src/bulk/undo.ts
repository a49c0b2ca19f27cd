/** Takes an operation back: the changes of all requests with one id, such as those of a bulk change or an import. */
import { type Attempt, runAll } from '../answers/patiently.ts';
import { readChanges } from '../answers/read-pages.ts';
import { type Change, kindOfChange } from '../api/changes.ts';
import { changeMember, readResource, restoreResource } from '../api/directory.ts';
import { remove, replace } from '../change/change-resource.ts';
import { changedMembersOf, partOf } from '../change/changed-members.ts';
import { setAt } from '../change/merge.ts';
import { newId } from '../change/new-id.ts';
import type { Undo } from '../parts/announcement.tsx';
import { isSame, valueAt } from '../schema/documents.ts';
import { documentOf, type Ref } from '../schema/kinds.ts';
import { sessionEnd, untilShown } from '../session/unfinished.ts';
import { texts } from '../texts/texts.ts';
import { settle } from './run-bulk.ts';

/** A resource that an operation has changed. */
export interface Changed extends Ref {
  readonly name: string;
  /** The newest first. */
  readonly changes: readonly [Change, ...Change[]];
}

export interface TakenBack {
  readonly changed: Changed;
  /** Why it stays unchanged; empty after a success. */
  readonly reason: string;
}

/** The service's limit for one query. */
const maxRequests = 50;

/** @param requests the ids of its requests, the newest first @throws Error as `patiently` */
export async function readOperation(
  requests: readonly string[],
  signal: AbortSignal,
): Promise<readonly Changed[]> {
  const found: Change[] = [];
  for (let at = 0; at < requests.length; at += maxRequests) {
    const request = requests.slice(at, at + maxRequests);
    for await (const changes of readChanges({ request }, signal)) found.push(...changes);
  }
  const all = Map.groupBy(found, (change) => `${kindOfChange(change)} ${change.id}`).values();
  return [...all].map((group) => {
    const changes = group as [Change, ...Change[]];
    const [{ id, label = id }] = changes;
    return { kind: kindOfChange(changes[0]), id, name: label, changes };
  });
}

type Step = Promise<Attempt<string>>;

const done = { came: '' };
/** The result for a resource that has its old state already: a reason not to change it in a trial, otherwise a success. */
const asBefore = (operation: string | undefined) =>
  operation === undefined ? { came: texts.history.undo.asBefore } : done;

/** Deletes what was created, unless it has changed since. */
async function withdraw({ kind, id, changes }: Changed, operation: string | undefined): Step {
  const read = await readResource({ kind, id });
  if (!read.ok) return read.failure.status === 404 ? asBefore(operation) : read;
  // That of a group counts the changes of its members, too.
  const version = changes.find((change) => change.version)?.version?.split('.')[0];
  if (read.value.resource.meta.version !== version) return { came: texts.history.changedSince };
  return operation === undefined ? done : settle(await remove(read.value, false, operation), kind, true);
}

async function bringBack({ kind, id, changes: [deletion] }: Changed, operation: string | undefined): Step {
  if ((await readResource({ kind, id })).ok) return asBefore(operation);
  if (deletion.label === undefined) return { came: texts.history.erased };
  if (operation === undefined) return done;
  const restored = await restoreResource({ kind, id }, deletion.memberships !== undefined, operation);
  return restored.ok ? done : restored;
}

async function moveMembers({ id, changes }: Changed, operation: string | undefined): Step {
  for (const { added = [], removed = [], whole } of changes) {
    if (whole) return { came: texts.history.whole };
    for (const [method, users] of [['delete', added] as const, ['put', removed] as const])
      for (const user of operation === undefined ? [] : users) {
        const moved = await changeMember(method, id, user, operation);
        // The user or the group may be gone.
        if (!moved.ok && moved.failure.status !== 404) return moved;
      }
  }
  return done;
}

/** Puts the old values back, if all are still as the operation has left them. */
async function putBack({ kind, id, changes }: Changed, operation: string | undefined): Step {
  const members = changes.flatMap((change) =>
    change.changed === undefined ? [] : changedMembersOf(change).map(partOf),
  );
  const isMoved = changes.some(({ added, removed }) => added !== undefined || removed !== undefined);
  if (members.length === 0) return isMoved ? done : asBefore(operation);
  const read = await readResource({ kind, id });
  if (!read.ok) return read.failure.status === 404 ? settle({ kind: 'gone' }, kind) : read;
  const document = documentOf(read.value.resource);
  let next = document;
  for (const { path, before, after, isKnown } of members) {
    if (!isKnown) return { came: texts.history.notKept };
    const now = valueAt(next, path);
    if (isSame(now, before)) continue;
    if (!isSame(now, after)) return { came: texts.history.changedSince };
    next = setAt(next, path, before);
  }
  if (next === document) return asBefore(operation);
  if (operation === undefined) return done;
  return settle(await replace(read.value, next, operation), kind);
}

async function takeOneBack(changed: Changed, operation: string | undefined): Step {
  const types = changed.changes.map(({ type }) => type.split('.')[1]);
  if (types.includes('created') || types.includes('restored')) return withdraw(changed, operation);
  if (types.includes('deleted')) return bringBack(changed, operation);
  const moved = await moveMembers(changed, operation);
  return 'came' in moved && moved.came === '' ? putBack(changed, operation) : moved;
}

/** @param isTrial nothing is changed yet: `onEnd` learns which resources would stay unchanged, and why */
export function takeBack(
  all: readonly Changed[],
  isTrial: boolean,
  signal: AbortSignal,
  onEnd: (end: TakenBack) => void,
): Promise<void> {
  const operation = isTrial ? undefined : newId();
  return runAll(
    all,
    async (changed) => {
      const step = await takeOneBack(changed, operation);
      return 'came' in step ? { came: { changed, reason: step.came } } : step;
    },
    (changed, reason) => ({ changed, reason }),
    signal,
    onEnd,
  );
}

/** Takes an operation back that has just ended. @param onDone loads the list again */
export const undoOf =
  (operation: string, onDone: () => void): Undo =>
  async () => {
    const counts = { done: 0, failed: 0 };
    const run = async () => {
      const all = await readOperation([operation], sessionEnd);
      await takeBack(all, false, sessionEnd, ({ changed, reason }) => {
        // Each member that a group got or lost is one.
        const moved = changed.changes.flatMap(({ added = [], removed = [] }) => [...added, ...removed]);
        counts[reason === '' ? 'done' : 'failed'] += moved.length || 1;
      });
    };
    try {
      await untilShown(run());
    } catch (error) {
      return String((error as Error).message);
    }
    onDone();
    return texts.bulk.undone(counts.done, counts.failed);
  };
