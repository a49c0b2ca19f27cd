/**
 * The use cases of groups (resources.ts), and those of their members. Memberships also end when their user or group is deleted: the store
 * ends them in the same write (`Store`, in store.ts). They have no dates of their own; users have (kinds/user/validity.ts).
 */

import { limitedStores } from '../access/limited-store.ts';
import { commitOne, tellNested } from '../commit-one.ts';
import type { GroupDocument } from '../kinds/group/kind.ts';
import type { Kind } from '../kinds/kind.ts';
import { type Kinds, kindsOf } from '../kinds.ts';
import type { Caller, Clock, Ids, Principal } from '../ports.ts';
import { requireScope, scopeOf } from '../scopes.ts';
import { findIds, type MembersChange, type RelatedIds, type Store } from '../store.ts';
import { DomainError, isCode, resourceNotFound, UnknownMembers } from '../validation/errors.ts';
import { type Resources, resources } from './resources.ts';

export const maxMembersChange = 10_000;

export interface Groups extends Resources<GroupDocument> {
  /** The ids of the groups of users, or of the members of groups, by id: at most `limit` each, in any order. */
  related(
    principal: Principal,
    kind: 'user' | 'group',
    ids: readonly string[],
    limit: number,
  ): Promise<RelatedIds>;
  /** False for unknown ids. */
  isMember(principal: Principal, group: string, user: string): Promise<boolean>;
  /** @throws DomainError `group-not-found`, `member-not-found`, `user-not-found` for a group */
  assertMember(principal: Principal, group: string, user: string): Promise<void>;
  /** Without a lock. @throws DomainError `group-not-found`, `user-not-found` */
  changeMember(caller: Caller, group: string, change: 'add' | 'remove', user: string): Promise<void>;
  /** All or nothing, without a lock. @throws DomainError `group-not-found`; `invalid-members`, also for ids in `remove` */
  changeMembers(caller: Caller, group: string, change: MembersChange): Promise<void>;
}

/** @param kinds left out: without declared attributes */
export function groups(store: Store, clock: Clock, ids: Ids, kinds: Kinds = kindsOf()): Groups {
  const kind = kinds.of('group') as unknown as Kind<GroupDocument>;
  const storeFor = limitedStores(store, kinds);

  /** The positions of ids that belong to no user. */
  async function findUnknown(wanted: readonly string[], caller: Caller): Promise<readonly number[]> {
    const found = await findIds(storeFor(caller), 'user', wanted, caller.id);
    return wanted.flatMap((id, at) => (found.has(id) ? [] : [at]));
  }

  /** The error for what is missing: the group, or else the user. @param absent the error if the user isn't a group either */
  async function missing(
    principal: Principal,
    group: string,
    user: string,
    absent = resourceNotFound('user'),
  ): Promise<DomainError> {
    const own = storeFor(principal);
    if ((await own.find('group', group)) === undefined) return resourceNotFound('group');
    if ((await own.find('group', user)) === undefined) return absent;
    return new DomainError('user-not-found', "This is a group, not a user: groups can't be nested.");
  }

  /** @throws DomainError `group-not-found`, `invalid-members` */
  async function commit(caller: Caller, id: string, change: MembersChange): Promise<void> {
    const isDone = await commitOne(storeFor(caller), caller, { kind: 'group', id, op: 'members', change });
    if (!isDone) throw resourceNotFound('group');
  }

  async function isMember(principal: Principal, group: string, user: string): Promise<boolean> {
    requireScope(principal, scopeOf('group', 'read'));
    return (await storeFor(principal).findMembers(group, [user])).has(user);
  }

  return {
    ...resources<GroupDocument, { id?: string }>({ kind, storeFor, clock, ids }),

    async related(principal, kind, ids, limit) {
      requireScope(principal, scopeOf('group', 'list'));
      return await storeFor(principal).related(kind, ids, limit, principal.id);
    },

    isMember,

    async assertMember(principal, group, user) {
      if (await isMember(principal, group, user)) return;
      // Whether a user exists may only be told with a scope for users.
      const absent = new DomainError('member-not-found', 'No member of this group has this id.');
      throw await missing(principal, group, user, absent);
    },

    async changeMember(caller, group, change, user) {
      requireScope(caller, scopeOf('group', 'change'));
      if ((await storeFor(caller).find('user', user)) === undefined) throw await missing(caller, group, user);
      try {
        await commit(caller, group, { add: [], remove: [], [change]: [user] });
      } catch (error) {
        // The user was removed meanwhile.
        throw isCode(error, 'invalid-members') ? resourceNotFound('user') : error;
      }
    },

    async changeMembers(caller, group, change) {
      requireScope(caller, scopeOf('group', 'change'));
      const unknown = await findUnknown(change.remove, caller);
      if (unknown.length > 0)
        throw await tellNested(
          storeFor(caller),
          caller,
          'group',
          change.remove,
          new UnknownMembers('remove', unknown),
        );
      await commit(caller, group, change);
    },
  };
}
