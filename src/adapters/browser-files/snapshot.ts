/** All resources of a small directory, read at once: a request for each row of a large file would take many times as long. */
import { type Lookup, listTouched, tokenOf } from '../../domain/import/row-lookup.ts';
import type { Kind } from '../../domain/kinds/kind.ts';
import { Stored } from '../../domain/resource/stored.ts';
import type { StoredResource } from '../../domain/store.ts';

export class Snapshot {
  readonly #kind: Kind;
  /** By what a lookup finds them by. Texts take less memory than values. */
  readonly #texts = new Map<string, string[]>();
  /** What has been written since, and must be asked for. */
  readonly #written = new Set<string>();

  constructor(kind: Kind) {
    this.#kind = kind;
  }

  add({ id, value, text }: StoredResource): void {
    for (const lookup of listTouched(this.#kind, id, value)) {
      const token = tokenOf(lookup);
      this.#texts.set(token, [...(this.#texts.get(token) ?? []), text]);
    }
  }

  forget(token: string): void {
    this.#written.add(token);
  }

  /** @returns undefined where it must be asked for */
  find(lookup: Lookup): readonly StoredResource[] | undefined {
    const token = tokenOf(lookup);
    if (this.#written.has(token)) return undefined;
    return (this.#texts.get(token) ?? []).map((text) => new Stored(text));
  }
}
