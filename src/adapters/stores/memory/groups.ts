/** Groups in memory, and who belongs to them. */

import type { GroupDocument } from '../../../domain/kinds/group/group.ts';
import { groupKind } from '../../../domain/kinds/group/kind.ts';
import { unknownMembers } from '../../../domain/kinds/group/members.ts';
import type { GroupStore, MembersChange } from '../../../domain/ports.ts';
import { Stored, versionAndRevision } from '../../../domain/resource/stored.ts';
import { MemoryTable } from './table.ts';

interface Members {
  readonly ids: Set<string>;
  revision: number;
}

export class MemoryGroups extends MemoryTable<GroupDocument> implements GroupStore {
  /** By id of the group. */
  readonly #members = new Map<string, Members>();
  readonly #userOf: (id: string) => object | undefined;

  /** @param userOf undefined for an id that belongs to no user */
  constructor(userOf: (id: string) => object | undefined, assertOpen: () => void) {
    super({
      kind: groupKind,
      read: (id, text) => {
        const { ids, revision } = this.#of(id);
        return new Stored(text, { memberCount: ids.size, revision });
      },
      isMember: (group, user) => this.hasMember(group, user),
      ownerOf: userOf,
      assertOpen,
    });
    this.#userOf = userOf;
  }

  hasMember(group: string, user: string): boolean {
    return this.#of(group).ids.has(user);
  }

  /** Another object once the members were replaced as a whole. */
  membersOf(group: string): object | undefined {
    return this.#members.get(group);
  }

  /** Called when a user is removed. */
  forgetUser(user: string): void {
    for (const members of this.#members.values()) if (members.ids.delete(user)) members.revision += 1;
  }

  override async insert(group: Stored<GroupDocument>, members: readonly string[] = []): Promise<void> {
    this.#assertUsers(members);
    await super.insert(group);
    this.#members.set(group.id, { ids: new Set(members), revision: 0 });
  }

  override async replace(
    group: Stored<GroupDocument>,
    version: string,
    members?: MembersChange,
  ): Promise<boolean> {
    const [own, revision] = versionAndRevision(version);
    if (this.#of(group.id).revision !== revision) return false;
    if (members) this.#assertUsers(members.add);
    const isReplaced = await super.replace(group, own);
    if (isReplaced && members) this.#change(group.id, members);
    return isReplaced;
  }

  async changeMembers(id: string, change: MembersChange, version?: string): Promise<boolean> {
    const group = await this.find(id);
    if (group === undefined || (version !== undefined && group.version !== version)) return false;
    this.#assertUsers(change.add);
    this.#change(id, change);
    return true;
  }

  override async remove(id: string, version: string): Promise<boolean> {
    const [own, revision] = versionAndRevision(version);
    if (this.#of(id).revision !== revision || !(await super.remove(id, own))) return false;
    this.#members.delete(id);
    return true;
  }

  #of(id: string): Members {
    return this.#members.get(id) ?? { ids: new Set(), revision: 0 };
  }

  #change(id: string, { isWhole = false, add, remove }: MembersChange): void {
    const members = this.#of(id);
    const added = new Set(add);
    const gone = isWhole ? [...members.ids].filter((user) => !added.has(user)) : remove;
    const before = members.ids.size;
    let changes = 0;
    for (const user of gone) if (members.ids.delete(user)) changes += 1;
    const left = before - changes;
    for (const user of add) members.ids.add(user);
    changes += members.ids.size - left;
    if (changes > 0) members.revision += 1;
    if (isWhole && gone.length > 0) this.#members.set(id, { ...members });
  }

  #assertUsers(ids: readonly string[]): void {
    const unknown = ids.flatMap((id, at) => (this.#userOf(id) ? [] : [at]));
    if (unknown.length > 0) throw unknownMembers('add', unknown);
  }
}
