/**
 * The use cases of one kind of resource: list, read, create, replace, change and delete. Each checks the caller's scope, whether or not an
 * adapter has checked it, and throws only DomainError on purpose.
 */
import { DomainError, isCode, resourceChanged, resourceNotFound } from './base/errors.ts';
import { commitOne } from './commit-one.ts';
import { type Condition, usesFilter } from './find/conditions.ts';
import type { Kind } from './kinds/kind.ts';
import { firstMeta, nextMeta } from './meta.ts';
import type { Caller, Clock, Ids, Principal } from './ports.ts';
import { mergePatch } from './resource/merge-patch.ts';
import type { Resource } from './resource/resource.ts';
import { Stored } from './resource/stored.ts';
import { type Operation, requireScope, scopeOf } from './scopes.ts';
import type { MembersChange, Page, PageQuery, Store, Write } from './store.ts';
import { type Walk, walk } from './walk.ts';

/** Returns true when the write may go on. `current` is the resource at that instant. */
export type Precondition = (current: Stored<Resource>) => boolean;

/** An edit returns it to leave the resource as it is: nothing is written, and `meta` stays too. */
export const unchanged = Symbol('unchanged');

/**
 * Returns or resolves with the whole new resource, in which `meta` is ignored, or with `unchanged`. `current` is a copy, which it may
 * change and return.
 */
export type Edit<T> = (current: T) => unknown;

/** Attempts of one write; each one fails only because another write of the same resource succeeded. */
const maxAttempts = 1000;

export interface Resources<T extends Resource> {
  /** One page, with what is asked for beside it. @throws DomainError `query-too-costly` */
  page(principal: Principal, query: Omit<PageQuery, 'client'>): Promise<Page<Stored<T>>>;
  /**
   * All that match, in their order, a batch at a time: the next is read only when it is asked for.
   * @throws DomainError `query-too-costly`
   */
  list(principal: Principal, walk: Walk): AsyncGenerator<readonly Stored<T>[], void, undefined>;
  /** @throws DomainError `…-not-found` */
  read(principal: Principal, id: string): Promise<Stored<T>>;
  /** Those with these ids, by id; unknown ids are left out. Meant for some hundred. */
  readAll(principal: Principal, ids: readonly string[]): Promise<ReadonlyMap<string, Stored<T>>>;
  /**
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
   * Also of one that can't be read.
   * @param members changed in the same step, as of `change`
   * @throws DomainError in this order: `invalid-…`, `…-not-found`, `precondition-failed`, `invalid-members` or that the name is taken
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
   * @param members changed in the same step; without a lock on the resource if `edit` leaves that as it is
   * @throws DomainError `…-not-found`, `precondition-failed`, `damaged`, `invalid-…`, `invalid-members` or that the name is taken, in this order
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
  /** @throws DomainError `…-not-found`, `precondition-failed` */
  remove(caller: Caller, id: string, precondition?: Precondition): Promise<void>;
}

export interface ResourceParts<T extends Resource, I extends object> {
  readonly kind: Kind<T, I>;
  readonly store: Store;
  readonly clock: Clock;
  readonly ids: Ids;
}

export function resources<T extends Resource, I extends { id?: string }>({
  kind,
  store,
  clock,
  ids,
}: ResourceParts<T, I>): Resources<T> {
  const { name, builder } = kind;
  const authorize = (principal: Principal, operation: Operation): void =>
    requireScope(principal, scopeOf(name, operation));

  function authorizeList(principal: Principal, where: Condition): void {
    authorize(principal, 'list');
    for (const [filter, { shows }] of Object.entries(kind.filters))
      if (shows !== undefined && usesFilter(where, filter)) requireScope(principal, scopeOf(shows, 'list'));
  }

  async function findExisting(id: string): Promise<Stored<T>> {
    const found = await store.find(name, id);
    if (found === undefined) throw resourceNotFound(name);
    return found as Stored<T>;
  }

  /**
   * The resource after a change of members, of which only the store knows the revision. The write is done, so a failure of this read must
   * not become its answer. Without the membership the tag matches no lock.
   */
  async function readBack(written: Stored<T>): Promise<Stored<T>> {
    const found = await store.find(name, written.id).catch(() => undefined);
    return found === undefined ? new Stored<T>(written.text) : (found as Stored<T>);
  }

  const commit = (caller: Caller, write: Write): Promise<boolean> => commitOne(store, caller, write);

  /** Repeats after concurrent writes, so that the precondition holds for exactly what is overwritten. */
  async function write<R>(
    id: string,
    precondition: Precondition | undefined,
    attempt: (current: Stored<T>) => Promise<R | undefined>,
  ): Promise<R> {
    for (let attempts = 0; attempts < maxAttempts; attempts += 1) {
      const current = await findExisting(id);
      if (precondition?.(current) === false) throw resourceChanged(name);
      const done = await attempt(current);
      if (done !== undefined) return done;
    }
    throw new DomainError('unavailable', `Too many others are writing this ${name}.`);
  }

  /** Stands in for a meta that is not known yet, to measure the size of the whole. */
  const anyMeta = firstMeta(clock.now(), ids.version());

  const update = (
    caller: Caller,
    id: string,
    precondition: Precondition | undefined,
    input: (current: Stored<T>) => I | Promise<I | undefined>,
    members?: MembersChange,
  ) =>
    write(id, precondition, async (current) => {
      const given = await input(current);
      const revision = revisionOf(current, precondition);
      if (given === undefined) {
        if (members === undefined) return current;
        const version = precondition && current.meta.version;
        const write = { kind: name, id, op: 'members', change: members, version, revision } as const;
        return (await commit(caller, write)) ? await readBack(current) : undefined;
      }
      const meta = nextMeta(current.meta, clock.now(), ids.version());
      const next = builder.assemble(id, given, meta, current);
      const before = current;
      if (!(await commit(caller, { kind: name, id, op: 'replace', before, next, members, revision })))
        return undefined;
      return members === undefined ? next : await readBack(next);
    });

  const change = (
    caller: Caller,
    id: string,
    precondition: Precondition | undefined,
    edit: Edit<T>,
    members?: MembersChange,
  ) =>
    update(
      caller,
      id,
      precondition,
      async (current) => {
        const edited = await edit(current.copy());
        return edited === unchanged ? undefined : builder.readEdited(edited, current.value);
      },
      members,
    );

  return {
    async page(principal, query) {
      authorizeList(principal, query.where);
      return (await store.page(name, { ...query, client: principal.id })) as Page<Stored<T>>;
    },

    async *list(principal, steps) {
      authorizeList(principal, steps.where);
      yield* walk(store, name, principal, steps) as AsyncGenerator<readonly Stored<T>[]>;
    },

    async read(principal, id) {
      authorize(principal, 'read');
      // `await`: returning the promise itself would take three more microtasks.
      return await findExisting(id);
    },

    async readAll(principal, all) {
      authorize(principal, 'list');
      return (await store.findAll(name, all, principal.id)) as ReadonlyMap<string, Stored<T>>;
    },

    async create(caller, input, condition, members) {
      authorize(caller, 'create');
      const given = builder.readInput(input);
      const id = given.id ?? ids.id();
      const next = builder.assemble(id, given, firstMeta(clock.now(), ids.version()));
      condition?.();
      await commit(caller, { kind: name, id, op: 'create', next, members });
      return members === undefined ? next : await readBack(next);
    },

    async replace(caller, id, input, precondition, members) {
      authorize(caller, 'replace');
      const bound = builder.bindTo(id, input);
      const given = await check(id, (stored) => builder.readInput(bound, stored));
      try {
        return await update(caller, id, precondition, () => given, members);
      } catch (error) {
        // A document that is too large is reported first (422 before 404); measuring takes time, so only after a failure.
        if (!isCode(error, 'outcome-unknown')) builder.assemble(id, given, anyMeta);
        throw error;
      }
    },

    async change(caller, id, edit, precondition, members) {
      authorize(caller, 'change');
      return change(caller, id, precondition, edit, members);
    },

    async patch(caller, id, patch, precondition) {
      authorize(caller, 'patch');
      const bound = builder.bindTo(id, patch);
      const given = await check(id, (stored) => builder.checkPatch(bound, stored));
      return change(caller, id, precondition, (current) => mergePatch(current, given));
    },

    async remove(caller, id, precondition) {
      authorize(caller, 'remove');
      await write(id, precondition, async (before) => {
        const revision = revisionOf(before, precondition);
        return (await commit(caller, { kind: name, id, op: 'remove', before, revision })) || undefined;
      });
    },
  };

  /** Reports violations before the store is queried (422 before 404), except in members that are unchanged. */
  async function check<R>(id: string, read: (stored?: T) => R): Promise<R> {
    try {
      return read();
    } catch (error) {
      const stored = await store.find(name, id);
      if (stored === undefined) throw error;
      return read(stored.value as T);
    }
  }
}

/** A precondition may concern the members, too: they must then be what it was evaluated on. */
const revisionOf = (current: Stored<Resource>, precondition: Precondition | undefined): number | undefined =>
  precondition && current.membership?.revision;
