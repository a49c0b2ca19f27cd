/** The resources of one kind in memory, and their indexes: the simplest implementation of the port. */

import { idTaken } from '../../../domain/base/errors.ts';
import type { Condition } from '../../../domain/find/conditions.ts';
import type { FilterName } from '../../../domain/find/filters.ts';
import { joinKey } from '../../../domain/find/keys.ts';
import { isByMembership, type MembershipFilter, Owners } from '../../../domain/find/owners.ts';
import { matchesTerms } from '../../../domain/find/search.ts';
import { comparePositions, type Position, type Sort } from '../../../domain/find/sorts.ts';
import type { Kind } from '../../../domain/kinds/kind.ts';
import type { Conditions, Query, ResourceStore } from '../../../domain/ports.ts';
import type { Resource } from '../../../domain/resource/resource.ts';
import type { Stored } from '../../../domain/resource/stored.ts';

interface Entry {
  readonly id: string;
  readonly text: string;
  readonly version: string;
  readonly nameKey: string;
  readonly keys: ReadonlySet<string>;
  readonly search: string;
  readonly sorts: ReadonlyMap<string, string>;
  /** Stays until the resource is removed. */
  readonly birth: object;
}

type Test = (entry: Entry) => boolean;

const placeOf = ({ id, sorts }: Entry, { by }: Sort): Position => ({
  id,
  key: by === undefined ? undefined : sorts.get(by),
});

/** The position of `id`, existing or not, in the sorted list. */
function indexOfId(ids: readonly string[], id: string): number {
  let low = 0;
  let high = ids.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((ids[middle] ?? '') < id) low = middle + 1;
    else high = middle;
  }
  return low;
}

export interface TableParts<T extends Resource> {
  readonly kind: Kind<T>;
  /** @param text as it was stored */
  readonly read: (id: string, text: string) => Stored<T>;
  /** For the kind's filter by membership: whether the resource belongs to the other one. */
  readonly isMember: (id: string, other: string) => boolean;
  /** For the same filter: see `Owners`. */
  readonly ownerOf: (other: string) => object | undefined;
  /** Throws once the store is closed. */
  readonly assertOpen: () => void;
}

export class MemoryTable<T extends Resource> implements ResourceStore<T> {
  readonly #parts: TableParts<T>;
  readonly #entries = new Map<string, Entry>();
  readonly #idOfName = new Map<string, string>();
  readonly #ids: string[] = [];
  readonly #owners = new Owners<object>();

  constructor(parts: TableParts<T>) {
    this.#parts = parts;
  }

  /** See `Entry.birth`. */
  birthOf(id: string): object | undefined {
    return this.#entries.get(id)?.birth;
  }

  async find(id: string): Promise<Stored<T> | undefined> {
    this.#parts.assertOpen();
    const found = this.#entries.get(id);
    return found && this.#read(found);
  }

  async findAll(ids: readonly string[]): Promise<ReadonlyMap<string, Stored<T>>> {
    this.#parts.assertOpen();
    const found = new Map<string, Stored<T>>();
    for (const id of ids) {
      const entry = this.#entries.get(id);
      if (entry) found.set(id, this.#read(entry));
    }
    return found;
  }

  async findAllBy(
    filter: FilterName,
    keys: readonly string[],
    limit: number,
  ): Promise<ReadonlyMap<string, readonly Stored<T>[]>> {
    this.#parts.assertOpen();
    const found = new Map<string, Stored<T>[]>();
    for (const key of keys) {
      const matches = this.#testOf({ filter, key });
      const entries = [...this.#entries.values()].filter(matches).slice(0, limit);
      if (entries.length > 0)
        found.set(
          key,
          entries.map((entry) => this.#read(entry)),
        );
    }
    return found;
  }

  async list({ limit, skip = 0, where, view, ...walk }: Query): Promise<Stored<T>[]> {
    this.#parts.assertOpen();
    const matches = this.#testOf(where, view);
    const page: Stored<T>[] = [];
    let toPass = skip;
    for (const entry of this.#walk(walk)) {
      if (page.length >= limit) break;
      if (!matches(entry)) continue;
      if (toPass > 0) toPass -= 1;
      else page.push(this.#read(entry));
    }
    return page;
  }

  async count({ where, view }: Conditions): Promise<number> {
    this.#parts.assertOpen();
    return [...this.#entries.values()].filter(this.#testOf(where, view)).length;
  }

  async insert(resource: Stored<T>): Promise<void> {
    this.#parts.assertOpen();
    const next = this.#entryOf(resource);
    if (this.#entries.has(next.id)) throw idTaken(this.#parts.kind.name);
    this.#assertFree(next);
    this.#ids.splice(indexOfId(this.#ids, next.id), 0, next.id);
    this.#put(next);
  }

  /** @param version of the document itself, as that of `remove` */
  async replace(resource: Stored<T>, version: string): Promise<boolean> {
    this.#parts.assertOpen();
    const old = this.#entries.get(resource.id);
    if (old?.version !== version) return false;
    const next = { ...this.#entryOf(resource), birth: old.birth };
    this.#assertFree(next);
    this.#idOfName.delete(old.nameKey);
    this.#put(next);
    return true;
  }

  async remove(id: string, version: string): Promise<boolean> {
    this.#parts.assertOpen();
    const old = this.#entries.get(id);
    if (old?.version !== version) return false;
    this.#entries.delete(id);
    this.#idOfName.delete(old.nameKey);
    this.#ids.splice(indexOfId(this.#ids, id), 1);
    return true;
  }

  #read({ id, text }: Entry): Stored<T> {
    return this.#parts.read(id, text);
  }

  #entryOf(stored: Stored<T>): Entry {
    const { name, filters, search, sorts } = this.#parts.kind.makeKeys(stored.value);
    const { id, text, meta } = stored;
    return {
      ...{ id, text, version: meta.version, nameKey: name },
      ...{ keys: new Set(filters.map(joinKey)), search, sorts, birth: {} },
    };
  }

  #testOf(condition: Condition, view?: object): Test {
    if ('all' in condition) {
      const tests = condition.all.map((one) => this.#testOf(one, view));
      return (entry) => tests.every((test) => test(entry));
    }
    if ('any' in condition) {
      const tests = condition.any.map((one) => this.#testOf(one, view));
      return (entry) => tests.some((test) => test(entry));
    }
    if ('words' in condition) return ({ search }) => matchesTerms(search, condition.words);
    if ('id' in condition) return ({ id }) => id === condition.id;
    if (isByMembership(condition)) return this.#testOfMembership(condition, view);
    const joined = joinKey([condition.filter, condition.key]);
    return ({ keys }) => keys.has(joined);
  }

  #testOfMembership(condition: MembershipFilter, view: object | undefined): Test {
    const { isMember, ownerOf } = this.#parts;
    const owner = this.#owners.keep(view, condition, ownerOf(condition.key));
    return owner === undefined ? () => false : ({ id }) => isMember(id, condition.key);
  }

  *#walk({ sort = {}, after, backward = false }: Pick<Query, 'sort' | 'after' | 'backward'>) {
    const direction = backward ? -1 : 1;
    const compare = (one: Entry, other: Entry) =>
      direction * comparePositions(placeOf(one, sort), placeOf(other, sort), sort);
    const isBehind = (entry: Entry) =>
      after === undefined || direction * comparePositions(placeOf(entry, sort), after, sort) > 0;
    if (sort.by !== undefined) return yield* [...this.#entries.values()].filter(isBehind).sort(compare);
    const step = direction * (sort.descending ? -1 : 1);
    const end = step > 0 ? 0 : this.#ids.length - 1;
    for (
      let at = after ? indexOfId(this.#ids, after.id) : end;
      at in this.#ids || at === this.#ids.length;
      at += step
    ) {
      const entry = this.#entries.get(this.#ids[at] ?? '');
      if (entry && isBehind(entry)) yield entry;
    }
  }

  #put(next: Entry): void {
    this.#entries.set(next.id, next);
    this.#idOfName.set(next.nameKey, next.id);
  }

  #assertFree({ id, nameKey }: Entry): void {
    const holder = this.#idOfName.get(nameKey);
    if (holder !== undefined && holder !== id) throw this.#parts.kind.nameTaken();
  }
}
