/**
 * The use cases of one kind of resource: list, read, create, replace, change and delete. Each checks the caller's scope, whether or not an
 * adapter has checked it, and throws only DomainError on purpose.
 */

import { positionOf } from './at-import.ts';
import { DomainError, isCode, type KindName, resourceChanged, resourceNotFound } from './base/errors.ts';
import { type Condition, usesFilter } from './find/conditions.ts';
import type { Position, Sort } from './find/sorts.ts';
import { firstMeta, nextMeta } from './meta.ts';
import type { Clock, Conditions, Count, Ids, Principal, Query, ResourceStore } from './ports.ts';
import type { Builder } from './resource/build.ts';
import { mergePatch } from './resource/merge-patch.ts';
import type { Resource } from './resource/resource.ts';
import type { Stored } from './resource/stored.ts';
import { type Operation, requireScope, scopeOf } from './scopes.ts';

/** Returns true when the write may go on. `current` is the resource at that instant. */
export type Precondition = (current: Stored<Resource>) => boolean;

/** An edit returns it to leave the resource as it is: nothing is written, and `meta` stays too. */
export const unchanged = Symbol('unchanged');

/**
 * Returns or resolves with the whole new resource, in which `meta` is ignored, or with `unchanged`. `current` is a copy, which it may
 * change and return.
 */
export type Edit<T> = (current: T) => unknown;

/** Resources read from the store at a time. Larger batches are slower, too. */
const batchSize = 64;

/** A list holds at most this many times 16 KiB. */
const maxBatchSize = 100;

/** Attempts of one write; each one fails only because another write of the same resource succeeded. */
const maxAttempts = 1000;

export interface Walk extends Conditions {
  readonly sort?: Sort | undefined;
}

export interface Resources<T extends Resource> {
  /**
   * All that match, in their order, a batch at a time: the next is read only when it is asked for.
   * @param walk.after begins behind this place
   * @param walk.skip skips so many behind it, counted at the time of reading
   * @param walk.backward in reverse order, from the end of the list or from those in front of `after`
   * @param walk.limit of the whole list; none when left out
   * @param walk.atOnce called before each batch, for its size: for callers that know how large the documents are; 64 by default, 100 at most
   * @throws DomainError `query-too-costly`
   */
  list(
    principal: Principal,
    walk: Walk & {
      after?: Position | undefined;
      backward?: boolean | undefined;
      skip?: number | undefined;
      limit?: number | undefined;
      atOnce?: () => number;
    },
  ): AsyncGenerator<Stored<T>[], void, undefined>;
  /**
   * Finds the place behind which a page begins that ends in front of `before`; undefined for the first page of the list.
   * @param walk.before the end of the list when it is left out
   * @throws DomainError `query-too-costly`
   */
  findPageBefore(
    principal: Principal,
    walk: Walk & { before?: Position | undefined; limit: number },
  ): Promise<Position | undefined>;
  /** How many match, exactly up to `most`. @throws DomainError `query-too-costly` */
  count(principal: Principal, conditions: Count): Promise<number>;
  /** @throws DomainError `…-not-found` */
  read(principal: Principal, id: string): Promise<Stored<T>>;
  /**
   * @param condition called after validation and before the store is queried; may throw to prevent the creation
   * @throws DomainError `invalid-…`, `id-taken`, or that the name is taken
   */
  create(principal: Principal, input: unknown, condition?: () => void): Promise<Stored<T>>;
  /** Also of one that can't be read. @throws DomainError in this order: `invalid-…`, `…-not-found`, `precondition-failed`, that the name is taken */
  replace(principal: Principal, id: string, input: unknown, precondition?: Precondition): Promise<Stored<T>>;
  /**
   * Reads, edits and writes as one atomic step. `edit` is called again with the newer resource after a concurrent write, so it must
   * have no side effects; its errors are passed on, with nothing changed. The precondition is evaluated before each call.
   * @throws DomainError `…-not-found`, `precondition-failed`, `damaged`, `invalid-…`, that the name is taken, in this order
   */
  change(principal: Principal, id: string, edit: Edit<T>, precondition?: Precondition): Promise<Stored<T>>;
  /** RFC 7396 on the members, as a `change`; but violations of the patch by itself are reported first. */
  patch(principal: Principal, id: string, patch: unknown, precondition?: Precondition): Promise<Stored<T>>;
  /** @throws DomainError `…-not-found`, `precondition-failed` */
  remove(principal: Principal, id: string, precondition?: Precondition): Promise<void>;
}

export interface ResourceParts<T extends Resource, I> {
  readonly name: KindName;
  readonly store: ResourceStore<T>;
  readonly builder: Builder<T, I>;
  readonly clock: Clock;
  readonly ids: Ids;
}

export function resources<T extends Resource, I extends { id?: string }>({
  name,
  store,
  builder,
  clock,
  ids,
}: ResourceParts<T, I>): Resources<T> {
  const authorize = (principal: Principal, operation: Operation): void =>
    requireScope(principal, scopeOf(name, operation));

  /** A list of users by group shows who belongs to it. */
  function authorizeList(principal: Principal, where: Condition): void {
    authorize(principal, 'list');
    if (usesFilter(where, 'group')) requireScope(principal, scopeOf('group', 'list'));
  }

  async function findExisting(id: string): Promise<Stored<T>> {
    const found = await store.find(id);
    if (found === undefined) throw resourceNotFound(name);
    return found;
  }

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
    id: string,
    precondition: Precondition | undefined,
    input: (current: Stored<T>) => I | Promise<I | undefined>,
  ) =>
    write(id, precondition, async (current) => {
      const given = await input(current);
      if (given === undefined) return current;
      const meta = nextMeta(current.meta, clock.now(), ids.version());
      const next = builder.assemble(id, given, meta, current);
      return (await store.replace(next, current.version)) ? next : undefined;
    });

  const change = (id: string, precondition: Precondition | undefined, edit: Edit<T>) =>
    update(id, precondition, async (current) => {
      const edited = await edit(current.copy());
      return edited === unchanged ? undefined : builder.readEdited(edited, current.value);
    });

  return {
    async *list(
      principal,
      { after, skip, limit = Number.POSITIVE_INFINITY, atOnce = () => batchSize, ...walk },
    ) {
      authorizeList(principal, walk.where);
      const list = {};
      const { view = list } = walk;
      let from: Pick<Query, 'after' | 'skip'> = { after, skip };
      for (let left = limit; left > 0; ) {
        const wanted = Math.min(left, maxBatchSize, atOnce());
        const batch = await store.list({ ...walk, ...from, view, list, limit: wanted, client: principal.id });
        const last = batch.at(-1);
        if (last !== undefined) yield batch;
        if (last === undefined || batch.length < wanted) return;
        from = { after: positionOf(last, walk.sort) };
        left -= batch.length;
      }
    },

    async findPageBefore(principal, { before, limit, ...walk }) {
      authorizeList(principal, walk.where);
      // Those of the page are skipped, which costs less than reading them.
      const behind = { after: before, backward: true, skip: limit, limit: 1 };
      const [found] = await store.list({ ...walk, ...behind, client: principal.id });
      return found && positionOf(found, walk.sort);
    },

    async count(principal, conditions) {
      authorizeList(principal, conditions.where);
      return await store.count({ ...conditions, client: principal.id });
    },

    async read(principal, id) {
      authorize(principal, 'read');
      // `await`: returning the promise itself would take three more microtasks.
      return await findExisting(id);
    },

    async create(principal, input, condition) {
      authorize(principal, 'create');
      const given = builder.readInput(input);
      const made = builder.assemble(given.id ?? ids.id(), given, firstMeta(clock.now(), ids.version()));
      condition?.();
      await store.insert(made);
      return made;
    },

    async replace(principal, id, input, precondition) {
      authorize(principal, 'replace');
      builder.assertSameId(input, id);
      const given = await readReplacement(input, id);
      try {
        return await update(id, precondition, () => given);
      } catch (error) {
        // A document that is too large is reported first (422 before 404); measuring takes time, so only after a failure.
        if (!isCode(error, 'outcome-unknown')) builder.assemble(id, given, anyMeta);
        throw error;
      }
    },

    async change(principal, id, edit, precondition) {
      authorize(principal, 'change');
      return change(id, precondition, edit);
    },

    async patch(principal, id, patch, precondition) {
      authorize(principal, 'patch');
      builder.assertSameId(patch, id);
      const given = builder.checkPatch(patch);
      return change(id, precondition, (current) => mergePatch(current, given));
    },

    async remove(principal, id, precondition) {
      authorize(principal, 'remove');
      await write(
        id,
        precondition,
        async (current) => (await store.remove(id, current.version)) || undefined,
      );
    },
  };

  /** Reports violations before the store is queried (422 before 404), except in members that are unchanged. */
  async function readReplacement(input: unknown, id: string) {
    try {
      return builder.readInput(input);
    } catch (error) {
      const stored = await store.find(id);
      if (stored === undefined) throw error;
      return builder.readInput(input, stored.value);
    }
  }
}
