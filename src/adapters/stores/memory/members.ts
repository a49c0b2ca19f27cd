/** The members of each group. */
import type { ChangedMembers } from '../../../domain/changes/member-changes.ts';
import type { Membership } from '../../../domain/resource/stored.ts';
import type { MembersChange } from '../../../domain/store.ts';

interface Members {
  readonly ids: Set<string>;
  revision: number;
}

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

  /** @returns what has changed; `left`: the former members that a whole list leaves out */
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
