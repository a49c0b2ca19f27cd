/** Commits a single write, and turns its outcome into a result or an error. A write of what others write meanwhile is repeated. */

import { positionIn } from './kinds/group/members.ts';
import type { Caller } from './ports.ts';
import type { Actor, Store, Write } from './store.ts';
import { DomainError, type KindName, resourceChanged, type Violation } from './validation/errors.ts';

const actorOf = ({ id, via, request, person }: Caller): Actor => ({ client: id, via, request, person });

/** @returns false when what the write names is no longer stored */
export async function commitOne(store: Store, caller: Caller, write: Write): Promise<boolean> {
  const [outcome] = await store.commit([write], actorOf(caller));
  if (outcome === 'done') caller.onChanged?.(write.id);
  if (outcome === 'done' || outcome === 'stale') return outcome === 'done';
  if (outcome?.code === 'invalid-members')
    throw await nameNested(store, caller, write.kind, addedBy(write), outcome);
  throw outcome ?? new Error('The store has left a write out.');
}

function addedBy(write: Write): readonly string[] {
  if (write.op === 'members') return write.change.add;
  if (write.op === 'create') return write.members ?? [];
  return write.op === 'replace' ? (write.members?.add ?? []) : [];
}

/**
 * Tells members of their owner's own kind, which can't be nested, from ids that belong to nothing.
 * @param ids that the positions of the error's violations are in
 */
export async function nameNested(
  store: Store,
  { id: client }: Caller,
  kind: KindName,
  ids: readonly string[],
  error: DomainError,
): Promise<DomainError> {
  const idAt = ({ pointer }: Violation): string => ids[positionIn(pointer)] ?? '';
  const nested = await store.findAll(kind, error.violations.map(idAt), client);
  const violations = error.violations.map((one) =>
    nested.has(idAt(one)) ? { ...one, detail: `is a ${kind}: ${kind}s can't be nested` } : one,
  );
  return new DomainError(error.code, error.message, { violations });
}

/** Attempts of one write; each one fails only because another write of the same resource succeeded. */
const maxAttempts = 1000;

/** Repeats after concurrent writes, so that the precondition holds for exactly what is overwritten. @param attempt undefined: again */
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
