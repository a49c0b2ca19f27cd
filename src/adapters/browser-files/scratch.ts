/** Takes the writes of a dry run, in memory. */

import type { ImportTarget } from '../../domain/import/import-options.ts';
import { listTouched, tokenOf } from '../../domain/import/row-lookup.ts';
import type { Kind } from '../../domain/kinds/kind.ts';
import { Stored } from '../../domain/resource/stored.ts';
import type { Outcome, StoredResource, Write } from '../../domain/store.ts';
import type { KindName } from '../../domain/validation/errors.ts';

/** A store of resources that were written once each, found by id, unique name and externalId. */
export class Scratch implements ImportTarget {
  readonly #kind: Kind;
  readonly #all = new Map<string, StoredResource>();
  /** Ids, by what a lookup finds them by. */
  readonly #ids = new Map<string, Set<string>>();

  constructor(kind: Kind) {
    this.#kind = kind;
  }

  async findAll(_: KindName, ids: readonly string[]): Promise<ReadonlyMap<string, StoredResource>> {
    return new Map(
      ids.flatMap((id) => {
        const stored = this.#all.get(id);
        return stored === undefined ? [] : [[id, stored] as const];
      }),
    );
  }

  async findAllBy(_: KindName, by: string, keys: readonly string[], limit: number) {
    const found = new Map<string, readonly StoredResource[]>();
    for (const key of keys) {
      const ids = [...(this.#ids.get(tokenOf({ by, key })) ?? [])].slice(0, limit);
      if (ids.length > 0) found.set(key, [...(await this.findAll(_, ids)).values()]);
    }
    return found;
  }

  async commit(writes: readonly Write[]): Promise<readonly Outcome[]> {
    for (const write of writes) if ('next' in write) this.#put(write.id, write.next);
    return writes.map(() => 'done');
  }

  #put(id: string, { text }: StoredResource): void {
    const before = this.#all.get(id);
    for (const token of before === undefined ? [] : this.#tokensOf(before)) this.#ids.get(token)?.delete(id);
    // Without the value, which takes more memory than the text.
    const next = new Stored<StoredResource['value']>(text);
    this.#all.set(id, next);
    for (const token of this.#tokensOf(new Stored(text)))
      this.#ids.set(token, (this.#ids.get(token) ?? new Set()).add(id));
  }

  #tokensOf({ id, value }: StoredResource): readonly string[] {
    return listTouched(this.#kind, id, value)
      .filter(({ by }) => by !== 'id')
      .map(tokenOf);
  }
}
