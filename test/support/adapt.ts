/** A store in the words of tests as the port. */

import type { ChangeLog } from '../../src/domain/changes/log.ts';
import type { Resource } from '../../src/domain/resource/resource.ts';
import type { Stored } from '../../src/domain/resource/stored.ts';
import type { Outcome, Page, PageQuery, Store, StoredResource, Write } from '../../src/domain/store.ts';
import { DomainError } from '../../src/domain/validation/errors.ts';
import { kinds } from './kinds.ts';
import type { Query, ResourceStore, UserStore, UserWrite } from './verbs.ts';

type Rows = ResourceStore<Resource>;

const versionOf = (before: StoredResource, revision: number | undefined): string =>
  revision === undefined ? before.version : `${before.meta.version}.${revision}`;

async function outcomeOf(write: () => Promise<unknown>): Promise<Outcome> {
  try {
    return (await write()) === false ? 'stale' : 'done';
  } catch (error) {
    if (error instanceof DomainError) return error;
    throw error;
  }
}

class Adapted implements Store {
  readonly #old: UserStore;
  readonly #turned = new WeakMap<object, object>();

  constructor(old: UserStore) {
    this.#old = old;
  }

  get changes(): ChangeLog | undefined {
    return this.#old.changes;
  }

  #rows(kind: string): Rows {
    if (kind !== 'user' && kind !== 'group')
      throw new RangeError(
        'A store in the words of tests has users and groups only; open one of src/ for other kinds.',
      );
    return (kind === 'user' ? this.#old : this.#old.groups) as unknown as Rows;
  }

  find(kind: string, id: string): Promise<StoredResource | undefined> {
    return this.#rows(kind).find(id);
  }

  findAll(
    kind: string,
    ids: readonly string[],
    client?: string,
  ): Promise<ReadonlyMap<string, StoredResource>> {
    return this.#rows(kind).findAll(ids, client);
  }

  findAllBy(
    kind: string,
    filter: string,
    keys: readonly string[],
    limit: number,
  ): Promise<ReadonlyMap<string, readonly StoredResource[]>> {
    return this.#rows(kind).findAllBy(filter, keys, limit);
  }

  async findMembers(group: string, users: readonly string[]): Promise<ReadonlySet<string>> {
    const found = new Set<string>();
    for (const user of users) {
      const where = { all: [{ id: user }, { filter: 'group', key: group }] } as const;
      if ((await this.#old.count({ where })) > 0) found.add(user);
    }
    return found;
  }

  related(kind: string, ids: readonly string[], limit: number) {
    return this.#rows(kind).related(ids, limit);
  }

  async page(kind: string, query: PageQuery): Promise<Page> {
    const { where, client, hasLeft, list: view, limit, total } = query;
    const conditions = { where, client, hasLeft, view };
    const rows = this.#rows(kind);
    const most = typeof total === 'object' ? total.most : undefined;
    const counted = total === undefined ? undefined : await rows.count({ ...conditions, most });
    if (limit === 0) return { items: [], more: false, total: counted };
    const { before, after, sort, skip, maxLength = Number.POSITIVE_INFINITY } = query;
    const asked: Query = { ...conditions, sort, skip, limit: limit + 1 };
    const list: Query =
      before === undefined
        ? { ...asked, after, list: view }
        : {
            ...asked,
            backward: true,
            after: before === 'end' ? undefined : before,
            list: view && this.#turnedOf(view),
          };
    const found = await rows.list(list);
    const all = found.slice(0, limit);
    if (before !== undefined) all.reverse();
    let [length, end] = [0, 0];
    while (end < all.length && length < maxLength) length += all[end++]?.text.length ?? 0;
    const { positionOf } = kinds.of(kind);
    const [first, last] = [all[0], all.at(-1)];
    return {
      items: all.slice(0, end),
      ...(end < all.length && { rest: all.slice(end).map(({ id }) => id) }),
      first: first && positionOf(first, query.sort),
      last: last && positionOf(last, query.sort),
      more: found.length > limit,
      total: counted,
    };
  }

  #turnedOf(list: object): object {
    const turned = this.#turned.get(list) ?? {};
    this.#turned.set(list, turned);
    return turned;
  }

  async commit(writes: readonly Write[]): Promise<readonly Outcome[]> {
    const batch = writes.flatMap((write): UserWrite[] => {
      if (write.kind !== 'user' || (write.op !== 'create' && write.op !== 'replace')) return [];
      const user = write.next as Stored<never>;
      return [write.op === 'create' ? { user } : { user, version: write.before.version }];
    });
    if (writes.length > 1 && batch.length === writes.length) return await this.#old.writeAll(batch);
    return await Promise.all(writes.map((write) => outcomeOf(() => this.#write(write))));
  }

  async #write(write: Write): Promise<unknown> {
    const rows = this.#rows(write.kind);
    const { groups } = this.#old;
    switch (write.op) {
      case 'create':
        return write.members
          ? await groups.insert(write.next as Stored<never>, write.members)
          : await rows.insert(write.next);
      case 'replace':
        return await this.#repeat(write, (version) =>
          write.members
            ? groups.replace(write.next as Stored<never>, version, write.members)
            : rows.replace(write.next, version),
        );
      case 'remove':
        return await this.#repeat(write, (version) => rows.remove(write.id, version));
      case 'members': {
        const { version, revision } = write;
        if (version === undefined && revision === undefined)
          return await groups.changeMembers(write.id, write.change);
        const found = await groups.find(write.id);
        if (found === undefined) return false;
        const named = `${version ?? found.meta.version}.${revision ?? found.membership?.revision}`;
        return await groups.changeMembers(write.id, write.change, named);
      }
    }
  }

  /** The earlier port compares a group's revision always: without one, that of the moment. */
  async #repeat(
    { kind, id, before, revision }: Extract<Write, { before: StoredResource }>,
    attempt: (version: string) => Promise<boolean>,
  ): Promise<boolean> {
    if (before.membership === undefined) return await attempt(before.version);
    if (revision !== undefined) return await attempt(versionOf(before, revision));
    for (;;) {
      const found = await this.find(kind, id);
      if (found === undefined || found.meta.version !== before.meta.version) return false;
      if (await attempt(found.version)) return true;
    }
  }

  check(): Promise<void> {
    return this.#old.check();
  }

  close(): Promise<void> {
    return this.#old.close();
  }
}

/** @param old with other methods, such as `readings`, that are passed on */
export function adaptStore<T extends UserStore>(old: T): Store & Pick<T, Extract<keyof T, 'readings'>> {
  const adapted = new Adapted(old);
  const { readings } = old as { readings?: () => unknown };
  return Object.assign(adapted, readings && { readings: () => readings.call(old) }) as never;
}
