/**
 * The use cases of one kind of resource: list and read here; create, replace, change and delete in `resource-writes.ts`; `restore.ts`. Each checks the caller's
 * scope, whether or not an adapter has checked it, and throws only DomainError on purpose.
 */

import { requireVisible } from '../access/refusals.ts';
import { usesFilter } from '../find/conditions.ts';
import { listAll, type Walk } from '../list-all.ts';
import type { Principal } from '../ports.ts';
import type { Resource } from '../resource/resource.ts';
import type { Stored } from '../resource/stored.ts';
import { requireScope, scopeOf } from '../scopes.ts';
import type { Page, PageQuery } from '../store.ts';
import { resourceNotFound } from '../validation/errors.ts';
import { type ResourceParts, type ResourceWrites, resourceWrites } from './resource-writes.ts';
import { type Restores, restores } from './restore.ts';

export interface Resources<T extends Resource> extends ResourceWrites<T>, Restores<T> {
  /** One page. @throws DomainError `query-too-costly` */
  page(principal: Principal, query: Omit<PageQuery, 'client'>): Promise<Page<Stored<T>>>;
  /**
   * All that match, in their order, a batch at a time: the next is read only when it is asked for.
   * @throws DomainError `query-too-costly`
   */
  list(
    principal: Principal,
    steps: Omit<Walk, 'client'>,
  ): AsyncGenerator<readonly Stored<T>[], void, undefined>;
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
      const all = listAll(storeFor(principal), name, { ...steps, client: principal.id });
      for await (const items of all) yield viewAll(principal, items);
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
