/** The resources of one kind in memory, and their indexes; and the members of each group. */

import type { ChangedMembers } from '../../../domain/changes/member-changes.ts';
import { type FilterKey, joinKey } from '../../../domain/find/keys.ts';
import type { Keyed } from '../../../domain/find/matches.ts';
import { comparePositions, type Position, type Sort } from '../../../domain/find/sorts.ts';
import type { Kind } from '../../../domain/kinds/kind.ts';
import type { Membership } from '../../../domain/resource/stored.ts';
import type { MembersChange, StoredResource } from '../../../domain/store.ts';
import type { DomainError } from '../../../domain/validation/errors.ts';

export interface MemoryEntry extends Keyed {
  readonly text: string;
  readonly version: string;
  readonly name: string;
  readonly unique: readonly FilterKey[];
  readonly sorts: ReadonlyMap<string, string>;
  /** Stays until the resource is removed. */
  readonly birth: object;
}

export const placeOf = ({ id, sorts }: MemoryEntry, { by }: Sort): Position => {
  const key = by === undefined ? undefined : sorts.get(by);
  return key === undefined ? { id } : { id, key };
};

/** A way through a list, in either direction: from after `after`, or from the start. */
interface ListWalk {
  readonly sort: Sort;
  readonly after?: Position | undefined;
  readonly backward: boolean;
}

export class MemoryTable {
  readonly kind: Kind;
  readonly #entries = new Map<string, MemoryEntry>();
  readonly #idOfName = new Map<string, string>();
  readonly #idOfKey = new Map<string, string>();
  /** In the order of the ids; undefined after a creation or a removal. */
  #byId: readonly string[] | undefined;

  constructor(kind: Kind) {
    this.kind = kind;
  }

  get(id: string): MemoryEntry | undefined {
    return this.#entries.get(id);
  }

  values(): Iterable<MemoryEntry> {
    return this.#entries.values();
  }

  entryOf(stored: StoredResource, birth: object = {}): MemoryEntry {
    const made = this.kind.makeKeys(stored.value);
    const { name, filters, search, sorts } = made;
    const { id, text, meta } = stored;
    return {
      id,
      text,
      version: meta.version,
      name,
      keysOf: (filter) => filters.flatMap(([one, key]) => (one === filter ? [key] : [])),
      unique: this.kind.uniqueKeysOf(made),
      search,
      sorts,
      birth,
    };
  }

  /** The error if another resource has the name or a unique key. */
  findTaken({ id, name, unique }: MemoryEntry): DomainError | undefined {
    const isOther = (holder: string | undefined) => holder !== undefined && holder !== id;
    if (isOther(this.#idOfName.get(name))) return this.kind.nameTaken();
    const taken = unique.find((key) => isOther(this.#idOfKey.get(joinKey(key))));
    return taken && this.kind.keyTaken(taken[0]);
  }

  put(next: MemoryEntry): void {
    const old = this.#entries.get(next.id);
    if (old === undefined) this.#byId = undefined;
    else this.#free(old);
    this.#entries.set(next.id, next);
    this.#idOfName.set(next.name, next.id);
    for (const key of next.unique) this.#idOfKey.set(joinKey(key), next.id);
  }

  remove(entry: MemoryEntry): void {
    this.#entries.delete(entry.id);
    this.#free(entry);
    this.#byId = undefined;
  }

  #free({ name, unique }: MemoryEntry): void {
    this.#idOfName.delete(name);
    for (const key of unique) this.#idOfKey.delete(joinKey(key));
  }

  walk({ sort, after, backward }: ListWalk): readonly MemoryEntry[] {
    const direction = backward ? -1 : 1;
    const compare = (one: MemoryEntry, other: MemoryEntry) =>
      direction * comparePositions(placeOf(one, sort), placeOf(other, sort), sort);
    const isBehind = (entry: MemoryEntry) =>
      after === undefined || direction * comparePositions(placeOf(entry, sort), after, sort) > 0;
    if (sort.by !== undefined) return [...this.#entries.values()].filter(isBehind).sort(compare);
    this.#byId ??= [...this.#entries.keys()].sort();
    const found = this.#byId.flatMap((id) => this.get(id) ?? []).filter(isBehind);
    return backward === (sort.descending ?? false) ? found : found.reverse();
  }
}

interface Members {
  readonly ids: Set<string>;
  revision: number;
}

/** The members of each group. */
export class MemoryMembers {
  readonly #members = new Map<string, Members>();

  create(group: string, members: readonly string[], revision = 0): void {
    this.#members.set(group, { ids: new Set(members), revision });
  }

  remove(group: string): void {
    this.#members.delete(group);
  }

  /** Called when a user is removed. */
  leave(user: string): void {
    for (const members of this.#members.values()) if (members.ids.delete(user)) members.revision += 1;
  }

  has(group: string, user: string): boolean {
    return this.#of(group).ids.has(user);
  }

  membersOf(group: string): Iterable<string> {
    return this.#of(group).ids;
  }

  *groupsOf(user: string): Generator<string> {
    for (const [group, { ids }] of this.#members) if (ids.has(user)) yield group;
  }

  membershipOf(group: string): Membership {
    const { ids, revision } = this.#of(group);
    return { memberCount: ids.size, revision };
  }

  /** Becomes another object when the members are replaced as a whole; undefined for an unknown group. */
  ownerOf(group: string): object | undefined {
    return this.#members.get(group);
  }

  /** @returns what has changed; `left`: the former members who are not in the new list */
  change(
    group: string,
    { isWhole = false, add, remove }: MembersChange,
  ): ChangedMembers & { readonly left?: readonly string[] } {
    const members = this.#of(group);
    const wanted = new Set(add);
    const leaving = isWhole ? [...members.ids].filter((user) => !wanted.has(user)) : remove;
    const removed = leaving.filter((user) => members.ids.delete(user));
    const added = add.filter((user) => !members.ids.has(user));
    for (const user of add) members.ids.add(user);
    if (added.length + removed.length > 0) members.revision += 1;
    const isReplaced = isWhole && removed.length > 0;
    if (isReplaced) this.#members.set(group, { ...members });
    if (!isReplaced) return { added, removed, isWhole: false, stayed: [] };
    const came = new Set(added);
    const stayed = add.filter((user) => !came.has(user));
    return { added: add, removed: [], isWhole, stayed, left: removed };
  }

  #of(group: string): Members {
    return this.#members.get(group) ?? { ids: new Set(), revision: 0 };
  }
}
