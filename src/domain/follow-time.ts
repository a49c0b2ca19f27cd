/**
 * Writes what time alone changes in resources (`TimeRules` of a kind): a user whose `validUntil` has come becomes inactive.
 *
 * Each process looks for due resources at regular times, without a lease: a write names the version that must still be stored, so one
 * process writes and the others find it done. Between the instant and this write a resource is late. Another write that would replace a late
 * resource comes after the one that is due, as if it had been on time.
 */

import type { Condition } from './find/conditions.ts';
import { nextAtSort, toSortKey } from './find/sorts.ts';
import type { Kind } from './kinds/kind.ts';
import type { Kinds } from './kinds.ts';
import { nextMeta } from './meta.ts';
import type { Clock, Ids } from './ports.ts';
import type { Resource } from './resource/resource.ts';
import {
  type Actor,
  type Outcome,
  type Store,
  type StoredResource,
  type Write,
  withMethods,
} from './store.ts';
import { DomainError } from './validation/errors.ts';

export interface TimeParts {
  readonly store: Store;
  readonly kinds: Kinds;
  /** Returns undefined while the time is in doubt: then nothing is due. */
  readonly clock: { now(): Date | undefined };
  readonly ids: Ids;
}

const author: Actor = { client: 'validity', via: 'validity' };

/** The size of one commit, for which other writes wait. */
const batchSize = 100;

/** @param lastModified of the write @returns the members that time has changed by now; undefined if there are none */
export function changeByTime<T extends Resource>(
  { times }: Kind<T>,
  value: T,
  now: Date,
  lastModified: string,
): Partial<T> | undefined {
  const next = times?.nextAt(value);
  return next !== undefined && next <= now.toISOString() ? times?.follow(value, lastModified) : undefined;
}

/** The write that is due. @returns undefined if there is none, also for a resource that can't be read */
function dueWrite(kind: Kind, before: StoredResource, now: Date, ids: Ids): Write | undefined {
  try {
    const meta = nextMeta(before.meta, now, ids.version());
    const change = changeByTime(kind, before.value, now, meta.lastModified);
    if (change === undefined) return undefined;
    const next = kind.builder.print(before.id, { ...before.value, ...change }, meta, before);
    return { kind: kind.name, id: before.id, op: 'replace', before, next };
  } catch {
    return undefined;
  }
}

/** Up to and including the instant. */
const dueBy = (now: Date): Condition => ({
  sort: nextAtSort,
  to: toSortKey(new Date(now.getTime() + 1).toISOString()),
});

const oldestFirst = (kind: Kind, store: Store, where: Condition, limit: number, total?: 'exact') =>
  store.page(kind.name, { where, sort: { by: nextAtSort }, limit, total, client: author.client });

/**
 * Writes a batch of what is due, the longest due first.
 * @returns whether there may be more; false if another process was faster
 * @throws DomainError `unavailable`, `outcome-unknown`
 */
export async function followTime({ store, kinds, clock, ids }: TimeParts): Promise<boolean> {
  let hasMore = false;
  for (const kind of kinds.all) {
    const now = kind.times && clock.now();
    if (now === undefined) continue;
    const { items, more } = await oldestFirst(kind, store, dueBy(now), batchSize);
    const writes = items.flatMap((stored) => dueWrite(kind, stored, now, ids) ?? []);
    if (writes.length === 0) continue;
    const outcomes = await store.commit(writes, author);
    for (const outcome of outcomes) if (outcome instanceof Error) throw outcome;
    hasMore ||= more && outcomes.includes('done');
  }
  return hasMore;
}

export interface Due {
  readonly count: number;
  /** In ms: how long the first of them has been due; 0 without any. */
  readonly late: number;
}

/** The changes that are due by the clock, also while the time is in doubt. */
export async function measureDue(store: Store, kinds: Kinds, clock: Clock): Promise<Due> {
  const now = clock.now();
  let [count, late] = [0, 0];
  for (const kind of kinds.all) {
    if (kind.times === undefined) continue;
    const { items, total = 0 } = await oldestFirst(kind, store, dueBy(now), 1, 'exact');
    const since = items[0] && kind.times.nextAt(items[0].value);
    count += total;
    if (since !== undefined) late = Math.max(late, now.getTime() - Date.parse(since));
  }
  return { count, late };
}

/** Whether a change that is due at the time of the write is neither in it nor comes later. */
function endsDue({ times }: Kind, before: StoredResource, next: StoredResource): boolean {
  try {
    const { lastModified } = next.meta;
    const due = times?.nextAt(before.value);
    if (due === undefined || due > lastModified || times?.nextAt(next.value) === due) return false;
    const change = Object.entries(times?.follow(before.value, lastModified) ?? {});
    return change.some(([member, value]) => Reflect.get(next.value, member) !== value);
  } catch {
    return false;
  }
}

const inDoubt = (): DomainError =>
  new DomainError('unavailable', 'A change by validity comes first, and waits until the clock is trusted.');

interface CommitParts extends Omit<TimeParts, 'store'> {
  readonly store: Pick<Store, 'commit'>;
}

/**
 * Commits so that no write replaces a late resource: the write that is due comes first, and the other one is `stale`. While the time is in doubt,
 * a write is refused if it would keep the due one from ever being written.
 */
export function timelyCommit({ store, kinds, clock, ids }: CommitParts): Store['commit'] {
  /** @param settled the outcomes that are known; the other writes are committed */
  async function commitOthers(
    writes: readonly Write[],
    by: Actor,
    settled: readonly (Outcome | undefined)[],
  ): Promise<readonly Outcome[]> {
    const others = writes.filter((_, at) => settled[at] === undefined);
    const committed = (others.length === 0 ? [] : await store.commit(others, by)).values();
    return settled.map((outcome) => outcome ?? committed.next().value ?? 'stale');
  }

  return async (writes, by) => {
    const now = clock.now();
    if (now === undefined) {
      const isLost = (write: Write): boolean =>
        write.op === 'replace' && endsDue(kinds.of(write.kind), write.before, write.next);
      const settled = writes.map((write) => (isLost(write) ? inDoubt() : undefined));
      return await commitOthers(writes, by, settled);
    }
    const due = writes.map((write) => {
      const kind = write.op === 'replace' ? kinds.of(write.kind) : undefined;
      return write.op === 'replace' && kind?.times ? dueWrite(kind, write.before, now, ids) : undefined;
    });
    const late = due.flatMap((write) => write ?? []);
    if (late.length === 0) return store.commit(writes, by);
    const followed = (await store.commit(late, author)).values();
    const settled = due.map((write) => {
      const outcome = write && followed.next().value;
      return outcome === 'done' ? 'stale' : outcome;
    });
    return await commitOthers(writes, by, settled);
  };
}

/** The store with `timelyCommit`. */
export const timelyStore = (parts: TimeParts): Store =>
  withMethods(parts.store, { commit: timelyCommit(parts) });
