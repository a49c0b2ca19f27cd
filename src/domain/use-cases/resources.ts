/**
 * The use cases of one kind of resource: list and read here; create, replace, change and delete in `resource-writes.ts`; `restore.ts`. Each checks the caller's
 * scope, whether or not an adapter has checked it, and throws only DomainError on purpose.
 */

import { requireVisible } from '../access/refusals.ts';
import { usesFilter } from '../find/conditions.ts';
import type { Position, Sort } from '../find/sorts.ts';
import type { Principal } from '../ports.ts';
import type { Resource } from '../resource/resource.ts';
import type { Stored } from '../resource/stored.ts';
import { requireScope, scopeOf } from '../scopes.ts';
import type { Page, PageQuery, Store } from '../store.ts';
import { type KindName, resourceNotFound } from '../validation/errors.ts';
import { type ResourceParts, type ResourceWrites, resourceWrites } from './resource-writes.ts';
import { type Restores, restores } from './restore.ts';

export interface Resources<T extends Resource> extends ResourceWrites<T>, Restores<T> {
  /** One page. @throws DomainError `query-too-costly` */
  page(principal: Principal, query: Omit<PageQuery, 'client'>): Promise<Page<Stored<T>>>;
  /**
   * All that match, in their order, a batch at a time: the next is read only when it is asked for.
   * @throws DomainError `query-too-costly`
   */
  list(principal: Principal, walk: Walk): AsyncGenerator<readonly Stored<T>[], void, undefined>;
  /** @throws DomainError `…-not-found` */
  read(principal: Principal, id: string): Promise<Stored<T>>;
  /** The resources with these ids, by id; unknown ids are left out. Meant for some hundred. */
  readAll(principal: Principal, ids: readonly string[]): Promise<ReadonlyMap<string, Stored<T>>>;
}

export function resources<T extends Resource, I extends { id?: string }>(
  parts: ResourceParts<T, I>,
): Resources<T> {
  const { kind, storeFor } = parts;
  const { name } = kind;

  function authorizeList(principal: Principal, { where, sort }: Pick<PageQuery, 'where' | 'sort'>): void {
    requireScope(principal, scopeOf(name, 'list'));
    for (const [filter, { shows }] of Object.entries(kind.filters))
      if (shows !== undefined && usesFilter(where, filter)) requireScope(principal, scopeOf(shows, 'list'));
    requireVisible(principal, kind, where, sort);
  }

  /** As the client sees them. */
  const viewAll = (principal: Principal, found: readonly Stored<Resource>[]): readonly Stored<T>[] => {
    const all = found as readonly Stored<T>[];
    return kind.projectionFor(principal) === undefined ? all : all.map(kind.builderFor(principal).view);
  };

  async function findExisting(principal: Principal, id: string): Promise<Stored<T>> {
    const found = await storeFor(principal).find(name, id);
    if (found === undefined) throw resourceNotFound(name);
    return found as Stored<T>;
  }

  return {
    ...resourceWrites(parts, findExisting),
    ...restores(parts),

    async page(principal, query) {
      authorizeList(principal, query);
      const page = await storeFor(principal).page(name, { ...query, client: principal.id });
      return { ...page, items: viewAll(principal, page.items) };
    },

    async *list(principal, steps) {
      authorizeList(principal, steps);
      for await (const items of walk(storeFor(principal), name, principal, steps))
        yield viewAll(principal, items);
    },

    async read(principal, id) {
      requireScope(principal, scopeOf(name, 'read'));
      // `await`: returning the promise itself would take three more microtasks.
      const found = await findExisting(principal, id);
      return kind.projectionFor(principal) === undefined ? found : kind.builderFor(principal).view(found);
    },

    async readAll(principal, all) {
      requireScope(principal, scopeOf(name, 'list'));
      const read = storeFor(principal).findAll(name, all, principal.id);
      const found = (await read) as ReadonlyMap<string, Stored<T>>;
      if (kind.projectionFor(principal) === undefined) return found;
      return new Map(viewAll(principal, [...found.values()]).map((stored) => [stored.id, stored]));
    },
  };
}

/** Resources read from the store at a time. Larger batches are slower, too. */
const batchSize = 64;

/** The maximum size of a batch is this number times 16 KiB. */
const maxBatchSize = 100;

/** The common part of all reads for one response. */
export type Conditions = Pick<PageQuery, 'where' | 'list' | 'hasLeft'>;

interface Walk extends Conditions {
  readonly sort?: Sort | undefined;
  /** Begins after this place. */
  readonly after?: Position | undefined;
  /** In reverse order, from the end of the list or from the resources before `after`. */
  readonly backward?: boolean | undefined;
  /** Skips this many resources, counted at the time of reading. */
  readonly skip?: number | undefined;
  /** The total of the whole list; none if left out. */
  readonly limit?: number | undefined;
  /** Called before each batch, for its size: for callers that know how large the documents are; 64 by default, 100 at most. */
  readonly atOnce?: () => number;
}

const placeOf = (
  backward: boolean,
  place: Position | undefined,
  skip?: number,
): Pick<PageQuery, 'after' | 'before' | 'skip'> =>
  backward ? { before: place ?? 'end', skip } : { after: place, skip };

/** Like `Resources.list`, but asks the store for each batch. */
async function* walk(
  store: Store,
  name: KindName,
  { id: client }: Principal,
  { limit = Number.POSITIVE_INFINITY, atOnce = () => batchSize, ...steps }: Walk,
): AsyncGenerator<readonly Stored<Resource>[], void, undefined> {
  const { after, skip, backward = false, list = {}, ...query } = steps;
  let from: Pick<PageQuery, 'after' | 'before' | 'skip'> = placeOf(backward, after, skip);
  for (let left = limit; left > 0; ) {
    const wanted = Math.min(left, maxBatchSize, atOnce());
    const { items, first, last, more } = await store.page(name, {
      ...{ ...query, ...from, list, limit: wanted, client },
    });
    if (items.length > 0) yield backward ? items.toReversed() : items;
    if (!more) return;
    from = placeOf(backward, backward ? first : last);
    left -= items.length;
  }
}
