/** Who is a member of which group. */
import type { Membership } from '../../../domain/resource/stored.ts';
import type { MembersChange } from '../../../domain/store.ts';

interface Members {
  readonly ids: Set<string>;
  revision: number;
}

export class MemoryMembers {
  /** By id of the group. */
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

  /** Another object once the members were replaced as a whole; undefined when there is no such group. */
  ownerOf(group: string): object | undefined {
    return this.#members.get(group);
  }

  change(group: string, { isWhole = false, add, remove }: MembersChange): void {
    const members = this.#of(group);
    const added = new Set(add);
    const gone = isWhole ? [...members.ids].filter((user) => !added.has(user)) : remove;
    const before = members.ids.size;
    let changes = 0;
    for (const user of gone) if (members.ids.delete(user)) changes += 1;
    const left = before - changes;
    for (const user of add) members.ids.add(user);
    changes += members.ids.size - left;
    if (changes > 0) members.revision += 1;
    if (isWhole && gone.length > 0) this.#members.set(group, { ...members });
  }

  #of(group: string): Members {
    return this.#members.get(group) ?? { ids: new Set(), revision: 0 };
  }
}
