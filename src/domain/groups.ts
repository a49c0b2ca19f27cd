/** The use cases of groups (resources.ts), and those of their members. */
import { isCode, resourceNotFound } from './base/errors.ts';
import type { GroupDocument } from './kinds/group/group.ts';
import { groupKind } from './kinds/group/kind.ts';
import { unknownMembers } from './kinds/group/members.ts';
import type { Clock, Ids, MembersChange, Principal, UserStore } from './ports.ts';
import { type Resources, resources } from './resources.ts';
import { requireScope, scopeOf } from './scopes.ts';

/** Ids in one change of members. */
export const maxMembersChange = 10_000;

/** Users that are looked up at a time. */
const lookedUpAtOnce = 500;

export interface Groups extends Resources<GroupDocument> {
  /** @throws DomainError `group-not-found`, `user-not-found`, also when the user is no member */
  assertMember(principal: Principal, group: string, user: string): Promise<void>;
  /** Without a lock. @throws DomainError `group-not-found`, `user-not-found` */
  changeMember(principal: Principal, group: string, change: 'add' | 'remove', user: string): Promise<void>;
  /** All or nothing, without a lock. @throws DomainError `group-not-found`; `invalid-members`, also of `remove` */
  changeMembers(principal: Principal, group: string, change: MembersChange): Promise<void>;
}

export function groups(users: UserStore, clock: Clock, ids: Ids): Groups {
  const store = users.groups;

  /** The positions of ids that belong to no user. */
  async function findUnknown(wanted: readonly string[], client: string): Promise<readonly number[]> {
    const unknown: number[] = [];
    for (let from = 0; from < wanted.length; from += lookedUpAtOnce) {
      const some = wanted.slice(from, from + lookedUpAtOnce);
      const found = await users.findAll(some, client);
      unknown.push(...some.flatMap((id, at) => (found.has(id) ? [] : [from + at])));
    }
    return unknown;
  }

  return {
    ...resources({ name: 'group', store, builder: groupKind.builder, clock, ids }),

    async assertMember(principal, group, user) {
      requireScope(principal, scopeOf('group', 'read'));
      const where = { all: [{ id: user }, { filter: 'group', key: group }] } as const;
      if ((await users.count({ where, client: principal.id })) > 0) return;
      throw resourceNotFound((await store.find(group)) === undefined ? 'group' : 'user');
    },

    async changeMember(principal, group, change, user) {
      requireScope(principal, scopeOf('group', 'change'));
      if ((await users.find(user)) === undefined)
        throw resourceNotFound((await store.find(group)) === undefined ? 'group' : 'user');
      try {
        const isDone = await store.changeMembers(group, { add: [], remove: [], [change]: [user] });
        if (!isDone) throw resourceNotFound('group');
      } catch (error) {
        // Removed meanwhile.
        throw isCode(error, 'invalid-members') ? resourceNotFound('user') : error;
      }
    },

    async changeMembers(principal, group, change) {
      requireScope(principal, scopeOf('group', 'change'));
      const unknown = await findUnknown(change.remove, principal.id);
      if (unknown.length > 0) throw unknownMembers('remove', unknown);
      if (!(await store.changeMembers(group, change))) throw resourceNotFound('group');
    },
  };
}
