/**
 * The writes of one kind of resource. Each is repeated after concurrent writes of the same resource. The store keeps names unique.
 *
 * `remove` also erases a person, if it is asked to: the store then removes the values from its change log (`ChangeLog.erase`).
 */

import { showsDeletion } from '../access/limited-entries.ts';
import { notAllowed } from '../access/refusals.ts';
import { findNewest } from '../changes/log.ts';
import { commitOne, repeatWrite } from '../commit-one.ts';
import { findLost, type Kind } from '../kinds/kind.ts';
import { firstMeta, nextMeta } from '../meta.ts';
import type { Caller, Clock, Ids, Principal, StoreFor } from '../ports.ts';
import { type Builder, mergePatch, ReadInput, readable } from '../resource/build.ts';
import type { Resource } from '../resource/resource.ts';
import { Stored } from '../resource/stored.ts';
import { type Operation, requireScope, scopeOf } from '../scopes.ts';
import type { MembersChange } from '../store.ts';
import { idTaken, invalidResource, isCode } from '../validation/errors.ts';

/** Returns true when the write may go on. `current` is the resource at that instant. */
export type Precondition = (current: Stored<Resource>) => boolean;

/** An edit returns it to change nothing: nothing is written, and `meta` stays the same. */
export const unchanged = Symbol('unchanged');

/**
 * Returns or resolves with the whole new resource, in which `meta` is ignored, or with `unchanged`. `current` is a copy, which it may
 * change and return.
 */
export type Edit<T> = (current: T) => unknown;

export interface ResourceWrites<T extends Resource> {
  /**
   * There are no idempotency keys: a client that chooses the id can repeat its request, and gets `id-taken` if the first one took effect.
   * @param condition called after validation and before the store is queried; may throw to prevent the creation
   * @param members ids, of a kind that has members
   * @throws DomainError `invalid-…`, `id-taken`, `invalid-members`, or that the name is taken
   */
  create(
    caller: Caller,
    input: unknown,
    condition?: () => void,
    members?: readonly string[],
  ): Promise<Stored<T>>;
  /**
   * Also replaces a resource that can't be read, unless a profile limits the caller: what it can't change would be lost (`damaged`).
   * @param members changed in the same step, as in `change`
   * @throws DomainError in this order: `invalid-…`, `…-not-found`, `precondition-failed`, `invalid-members` or that the name is taken; for a
   * limited caller as `change`
   */
  replace(
    caller: Caller,
    id: string,
    input: unknown,
    precondition?: Precondition,
    members?: MembersChange,
  ): Promise<Stored<T>>;
  /**
   * Reads, edits and writes as one atomic step. `edit` is called again with the newer resource after a concurrent write, so it must
   * have no side effects; its errors are passed on, with nothing changed. The precondition is evaluated before each call.
   * @param members changed in the same step; without a lock on the resource if `edit` returns `unchanged`
   * @throws DomainError `…-not-found`, `precondition-failed`, `damaged`, `attribute-hidden`, `attribute-read-only`, `invalid-…`,
   * `invalid-members` or that the name is taken, in this order
   */
  change(
    caller: Caller,
    id: string,
    edit: Edit<T>,
    precondition?: Precondition,
    members?: MembersChange,
  ): Promise<Stored<T>>;
  /** RFC 7396 on the members, as a `change`; but violations of the patch by itself are reported first. */
  patch(caller: Caller, id: string, patch: unknown, precondition?: Precondition): Promise<Stored<T>>;
  /**
   * A store ends memberships with the user or the group, in the same write (`Store.commit`).
   * @param erase ends all its values in the change log, in the same step. Also of a resource that is gone, whatever the precondition
   * @throws DomainError `…-not-found`, `precondition-failed`
   */
  remove(caller: Caller, id: string, precondition?: Precondition, erase?: boolean): Promise<void>;
}

export interface ResourceParts<T extends Resource, I extends object> {
  readonly kind: Kind<T, I>;
  readonly storeFor: StoreFor;
  readonly clock: Clock;
  readonly ids: Ids;
}

/** @param findExisting throws DomainError `…-not-found` */
export function resourceWrites<T extends Resource, I extends { id?: string }>(
  { kind, storeFor, clock, ids }: ResourceParts<T, I>,
  findExisting: (principal: Principal, id: string) => Promise<Stored<T>>,
): ResourceWrites<T> {
  const { name } = kind;
  const authorize = (caller: Caller, operation: Operation): void => {
    requireScope(caller, scopeOf(name, operation));
    requirePermission(caller, kind, operation);
  };

  /**
   * The resource after a change of members, whose revision only the store knows. The write is done, so a failure of this read must not become its
   * response. Without the revision of the members, its tag matches no lock.
   */
  const readBack = (caller: Caller, written: Stored<T>): Promise<Stored<T>> =>
    findExisting(caller, written.id).catch(() => new Stored<T>(written.text));

  /** References to users that are deleted later stay. @throws DomainError `invalid-…` */
  const assertReferences = async (
    caller: Caller,
    next: Stored<T>,
    before: Stored<T> | undefined,
  ): Promise<void> => {
    const references = kind.references?.(next.value, readable(before)) ?? [];
    if (references.length === 0) return;
    const wanted = [...new Set(references.map(({ id }) => id))];
    const found = await storeFor(caller).findAll('user', wanted, caller.id);
    const violations = findLost(references, found);
    if (violations.length > 0) throw invalidResource(name, violations);
  };

  /** A resource that was deleted outside of the caller's profile could not be restored. @throws DomainError `id-taken` */
  const assertUnused = async (caller: Caller, id: string): Promise<void> => {
    const { access } = caller;
    const log = access && storeFor(caller).changes;
    const newest = log && (await findNewest(log, { kind: name, id }));
    if (access && newest && !showsDeletion(access, name, newest)) throw idTaken(name);
  };

  const assembleFirst = (builder: Builder<T, I>, id: string, given: I): Stored<T> =>
    builder.assemble(id, given, firstMeta(clock.now(), ids.version()));

  const update = async (
    caller: Caller,
    id: string,
    precondition: Precondition | undefined,
    input: (current: Stored<T>) => I | Promise<I | undefined>,
    members?: MembersChange,
  ): Promise<Stored<T>> => {
    const [builder, store, view] = [kind.builderFor(caller), storeFor(caller), kind.viewFor(caller)];
    const written = await repeatWrite(
      name,
      () => findExisting(caller, id),
      precondition,
      async (current) => {
        const given = await input(current);
        const revision = revisionOf(current, precondition);
        if (given === undefined) {
          if (members === undefined) return current;
          const version = precondition && current.meta.version;
          const write = { kind: name, id, op: 'members', change: members, version, revision } as const;
          return (await commitOne(store, caller, write)) ? await readBack(caller, current) : undefined;
        }
        const meta = nextMeta(current.meta, clock.now(), ids.version());
        const next = builder.assemble(id, given, meta, current);
        await assertReferences(caller, next, current);
        const write = { kind: name, id, op: 'replace', before: current, next, members, revision } as const;
        if (!(await commitOne(store, caller, write))) return undefined;
        return members === undefined ? next : await readBack(caller, next);
      },
    );
    return view(written);
  };

  /** The input of `update` that an edit gives. */
  const edited =
    (caller: Caller, edit: Edit<T>) =>
    async (current: Stored<T>): Promise<I | undefined> => {
      const seen = kind.viewFor(caller)(current);
      const result = await edit(seen.copy());
      return result === unchanged ? undefined : kind.builderFor(caller).readEdited(result, seen.value);
    };

  return {
    async create(caller, input, condition, members) {
      authorize(caller, 'create');
      const builder = kind.builderFor(caller);
      const given = builder.readInput(input);
      const id = given.id ?? ids.id();
      const next = assembleFirst(builder, id, given);
      condition?.();
      await assertReferences(caller, next, undefined);
      if (given.id !== undefined) await assertUnused(caller, given.id);
      await commitOne(storeFor(caller), caller, { kind: name, id, op: 'create', next, members });
      return kind.viewFor(caller)(members === undefined ? next : await readBack(caller, next));
    },

    async replace(caller, id, input, precondition, members) {
      authorize(caller, 'replace');
      const builder = kind.builderFor(caller);
      if (builder.isLimited) {
        const replacement = new ReadInput({ ...ReadInput.of(input), isReplacement: true });
        const edit = edited(caller, () => replacement);
        return await update(caller, id, precondition, edit, members);
      }
      const bound = builder.bindTo(id, input);
      const given = await check(caller, id, (stored) => builder.readInput(bound, stored));
      try {
        return await update(caller, id, precondition, () => given, members);
      } catch (error) {
        // A document that is too large is reported first (422 before 404); measuring takes time, so only after a failure.
        if (!isCode(error, 'outcome-unknown')) assembleFirst(builder, id, given);
        throw error;
      }
    },

    async change(caller, id, edit, precondition, members) {
      authorize(caller, 'change');
      return update(caller, id, precondition, edited(caller, edit), members);
    },

    async patch(caller, id, patch, precondition) {
      authorize(caller, 'patch');
      const builder = kind.builderFor(caller);
      const bound = builder.bindTo(id, patch);
      const given = await check(caller, id, (stored) => builder.checkPatch(bound, stored));
      const edit = edited(caller, (current) => mergePatch(current, given));
      return update(caller, id, precondition, edit);
    },

    async remove(caller, id, precondition, erase) {
      authorize(caller, 'remove');
      // The log has values that the profile hides, and values from outside of it.
      if (erase && caller.access) throw notAllowed(caller.access, 'erase', kind.plural);
      const store = storeFor(caller);
      const removing = repeatWrite(
        name,
        () => findExisting(caller, id),
        precondition,
        async (before) => {
          const revision = revisionOf(before, precondition);
          const write = { kind: name, id, op: 'remove', before, revision, erase } as const;
          return (await commitOne(store, caller, write)) || undefined;
        },
      );
      await removing.catch(async (error: unknown) => {
        const mayBeKept = erase && isCode(error, `${name}-not-found`);
        if (!mayBeKept || !(await store.changes?.erase({ kind: name, id }))) throw error;
      });
    },
  };

  /** Reports violations before the store is queried (422 before 404), except in members that are unchanged. */
  async function check<R>(caller: Caller, id: string, read: (stored?: T) => R): Promise<R> {
    try {
      return read();
    } catch (error) {
      const stored = await storeFor(caller).find(name, id);
      if (stored === undefined) throw error;
      return read(kind.viewFor(caller)(stored as Stored<T>).value);
    }
  }
}

/** @throws DomainError `outside-of-profile` for a creation or a deletion that the caller's profile doesn't allow */
export function requirePermission(
  { access }: Principal,
  { name, plural }: Pick<Kind, 'name' | 'plural'>,
  operation: Operation,
): void {
  if (access === undefined) return;
  const { mayCreate, mayDelete } = access.of(name);
  if (operation === 'create' && !mayCreate) throw notAllowed(access, 'create', plural);
  if (operation === 'remove' && !mayDelete) throw notAllowed(access, 'delete', plural);
}

/** A precondition may concern the members, too, so they must still be those on which it was evaluated. */
const revisionOf = (current: Stored<Resource>, precondition: Precondition | undefined): number | undefined =>
  precondition && current.membership?.revision;
