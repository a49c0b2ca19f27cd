/** Commits a single write, and turns its outcome into a result or an error. After a concurrent write of the same resource it is repeated. */

import type { Caller } from './ports.ts';
import type { Actor, Store, Write } from './store.ts';
import { DomainError, type KindName, resourceChanged, UnknownMembers } from './validation/errors.ts';

const actorOf = ({ id, via, request, person }: Caller): Actor => ({ client: id, via, request, person });

/** @returns false if the resource that the write names is no longer stored */
export async function commitOne(store: Store, caller: Caller, write: Write): Promise<boolean> {
  const [outcome] = await store.commit([write], actorOf(caller));
  if (outcome === 'done') caller.onChanged?.(write.id);
  if (outcome === 'done' || outcome === 'stale') return outcome === 'done';
  if (outcome instanceof UnknownMembers)
    throw await tellNested(store, caller, write.kind, addedBy(write), outcome);
  throw outcome ?? new Error('The store has left a write out.');
}

function addedBy(write: Write): readonly string[] {
  if (write.op === 'members') return write.change.add;
  if (write.op === 'create') return write.members ?? [];
  return write.op === 'replace' ? (write.members?.add ?? []) : [];
}

/** Distinguishes groups, which can't be nested, from unknown ids. @param ids the list that the error names */
export async function tellNested(
  store: Store,
  { id: client }: Caller,
  kind: KindName,
  ids: readonly string[],
  { list, unknown }: UnknownMembers,
): Promise<UnknownMembers> {
  const positions = unknown.map(({ position }) => position);
  const idAt = (position: number): string => ids[position] ?? '';
  const nested = await store.findAll(kind, positions.map(idAt), client);
  return new UnknownMembers(list, positions, (position) =>
    nested.has(idAt(position)) ? `is a ${kind}: ${kind}s can't be nested` : 'belongs to no user',
  );
}

/** Attempts of one write. Each fails only because another write of the same resource succeeded. */
const maxAttempts = 1000;

/**
 * Repeats the write after concurrent writes, so that the precondition holds for exactly the version that is overwritten. @param attempt returns
 * undefined to be called again
 */
export async function repeatWrite<C, R>(
  kind: KindName,
  find: () => Promise<C>,
  precondition: ((current: C) => boolean) | undefined,
  attempt: (current: C) => Promise<R | undefined>,
): Promise<R> {
  for (let attempts = 0; attempts < maxAttempts; attempts += 1) {
    const current = await find();
    if (precondition?.(current) === false) throw resourceChanged(kind);
    const done = await attempt(current);
    if (done !== undefined) return done;
  }
  throw new DomainError('unavailable', `Too many others are writing this ${kind}.`);
}
