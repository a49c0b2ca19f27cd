/** Resources in the memory of a page, by the keys of an import's lookups: the snapshot of a small directory, and the writes of a dry run. */
import type { ImportTarget } from '../../domain/import/import-options.ts';
import { type Lookup, listTouched, tokenOf } from '../../domain/import/row-lookup.ts';
import type { Kind } from '../../domain/kinds/kind.ts';
import type { Resource } from '../../domain/resource/resource.ts';
import { Stored } from '../../domain/resource/stored.ts';
import type { FoundById, Outcome, StoredResource, Write } from '../../domain/store.ts';
import type { KindName } from '../../domain/validation/errors.ts';

const listUnique = ({ uniqueFilters, filters }: Kind, { value }: StoredResource): readonly Lookup[] =>
  uniqueFilters.flatMap((by) => (filters[by]?.keys?.(value) ?? []).map((key) => ({ by, key })));

export class ResourceIndex implements ImportTarget {
  readonly #kind: Kind;
  /** Resources by id, as texts, which take less memory than values. */
  readonly #texts = new Map<string, string>();
  /** Ids by the other lookup keys. */
  readonly #ids = new Map<string, Set<string>>();

  constructor(kind: Kind) {
    this.#kind = kind;
  }

  find({ by, key }: Lookup): readonly StoredResource[] {
    const ids = by === 'id' ? [key] : [...(this.#ids.get(tokenOf({ by, key })) ?? [])];
    return ids.flatMap((id) => {
      const text = this.#texts.get(id);
      return text === undefined ? [] : [new Stored<Resource>(text)];
    });
  }

  async findAll(_: KindName, ids: readonly string[]): Promise<FoundById> {
    return new Map(ids.flatMap((id) => this.find({ by: 'id', key: id }).map((stored) => [id, stored])));
  }

  async findAllBy(_: KindName, by: string, keys: readonly string[], limit: number) {
    const found = keys.map((key) => [key, this.find({ by, key }).slice(0, limit)] as const);
    return new Map(found.filter(([, { length }]) => length > 0));
  }

  /** Adds the resource, or replaces the one with its id. */
  put(stored: StoredResource): void {
    const { id, text } = stored;
    for (const before of this.find({ by: 'id', key: id }))
      for (const token of this.#tokensOf(before)) this.#ids.get(token)?.delete(id);
    this.#texts.set(id, text);
    for (const token of this.#tokensOf(stored))
      this.#ids.set(token, (this.#ids.get(token) ?? new Set()).add(id));
  }

  /** Refuses keys of unique filters that another resource has, as stores do. */
  async commit(writes: readonly Write[]): Promise<readonly Outcome[]> {
    return writes.map((write): Outcome => {
      if (!('next' in write)) return 'done';
      const isTaken = (key: Lookup) => this.find(key).some(({ id }) => id !== write.id);
      const taken = listUnique(this.#kind, write.next).find(isTaken);
      if (taken !== undefined) return this.#kind.keyTaken(taken.by);
      this.put(write.next);
      return 'done';
    });
  }

  #tokensOf(stored: StoredResource): readonly string[] {
    const { id, value } = stored;
    const keys = listTouched(this.#kind, id, value).filter(({ by }) => by !== 'id');
    return [...keys, ...listUnique(this.#kind, stored)].map(tokenOf);
  }
}
