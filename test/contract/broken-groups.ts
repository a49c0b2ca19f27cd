/** Stores that break a promise about groups, each with the case of the contract that notices it. */

import type { MembersChange } from '../../src/domain/store.ts';
import type { PlainStore } from '../support/plain-store.ts';
import type { GroupStore } from '../support/verbs.ts';
import type { Breaking, Breaks } from './broken-queries.ts';
import { inGroup } from './group-store.ts';

/** @param breaking methods that replace good ones */
const withGroups =
  (breaking: (groups: GroupStore, good: PlainStore) => Partial<GroupStore>): Breaking =>
  (good) => {
    const { groups } = good;
    const all: GroupStore = {
      find: (id) => groups.find(id),
      findAll: (ids) => groups.findAll(ids),
      findAllBy: (filter, keys, limit) => groups.findAllBy(filter, keys, limit),
      related: (ids, limit) => groups.related(ids, limit),
      list: (query) => groups.list(query),
      count: (conditions) => groups.count(conditions),
      insert: (group, members) => groups.insert(group, members),
      replace: (group, version, members) => groups.replace(group, version, members),
      remove: (id, version) => groups.remove(id, version),
      changeMembers: (id, change, version) => groups.changeMembers(id, change, version),
    };
    return { groups: { ...all, ...breaking(groups, good) } };
  };

const turn = () => new Promise(setImmediate);

/** Works in two steps, as a client without such a method: changes of others between the steps are lost. */
async function rewrite(
  good: PlainStore,
  id: string,
  { add, remove, isWhole }: MembersChange,
): Promise<boolean> {
  const before = isWhole ? [] : (await good.list({ where: inGroup(id), limit: 1000 })).map((user) => user.id);
  await turn();
  const after = [...before, ...add].filter((user) => !remove.includes(user));
  return good.groups.changeMembers(id, { isWhole: true, add: [...new Set(after)], remove: [] });
}

export const groupBreaks: Breaks = {
  'reads all members and writes them back': [
    /loses no change of members/,
    withGroups((_, good) => ({ changeMembers: (id, change) => rewrite(good, id, change) })),
  ],
  'ignores the version of a change of members': [
    /compares a version, if one is given/,
    withGroups((groups) => ({ changeMembers: (id, change) => groups.changeMembers(id, change) })),
  ],
  'forgets the members of a new group': [
    /loses no change of members/,
    withGroups((groups) => ({ insert: (group) => groups.insert(group) })),
  ],
  'removes no member': [
    /adds and removes members/,
    withGroups((groups) => ({
      changeMembers: (id, change, version) => groups.changeMembers(id, { ...change, remove: [] }, version),
    })),
  ],
  'adds members where it should replace all': [
    /replaces all members at once/,
    withGroups((groups) => ({
      changeMembers: (id, { add, remove }, version) => groups.changeMembers(id, { add, remove }, version),
    })),
  ],
  'skips ids that belong to no user': [
    /refuses an unknown id as a member/,
    withGroups((groups, good) => ({
      changeMembers: async (id, change, version) => {
        const known = await good.findAll(change.add);
        return groups.changeMembers(
          id,
          { ...change, add: change.add.filter((one) => known.has(one)) },
          version,
        );
      },
    })),
  ],
  'keeps the members of a group that is removed': [
    /ends the memberships of a removed group/,
    withGroups((groups, good) => {
      const kept = new Map<string, readonly string[]>();
      return {
        remove: async (id, version) => {
          kept.set(
            id,
            (await good.list({ where: inGroup(id), limit: 1000 })).map((user) => user.id),
          );
          return groups.remove(id, version);
        },
        insert: (group, members) => groups.insert(group, members ?? kept.get(group.id)),
      };
    }),
  ],
  'continues a list when the group is gone': [
    /breaks off any list of the members of a group that is deleted/,
    (good) => ({ list: ({ view: _view, list: _list, ...query }) => good.list(query) }),
  ],
  'continues a list when the user is gone': [
    /breaks off a list of the groups of a user/,
    withGroups((groups) => ({
      list: ({ view: _view, list: _list, ...query }) => groups.list(query),
    })),
  ],
  'ignores the view of a list when it counts': [
    /were removed after they were counted/,
    (good) => ({ count: ({ view: _view, ...conditions }) => good.count(conditions) }),
  ],
  'relates more than the requested number': [
    /at most the requested number of relations/,
    withGroups((groups) => ({ related: (ids) => groups.related(ids, 1000) })),
  ],
  'relates the first user of several': [
    /relations of many users and groups at once/,
    (good) => ({ related: (ids, limit) => good.related(ids.slice(0, 1), limit) }),
  ],
  'relates groups to the members that they had at first': [
    /adds and removes members/,
    withGroups((groups) => {
      const first = new Map<string, readonly string[]>();
      return {
        insert: async (group, members = []) => {
          await groups.insert(group, members);
          first.set(group.id, members);
        },
        related: async (ids) => new Map(ids.map((id) => [id, first.get(id) ?? []])),
      };
    }),
  ],
  'lists groups without regard to their members': [
    /finds the groups of a user/,
    withGroups((groups) => ({
      list: (query) => groups.list('filter' in query.where ? { ...query, where: { all: [] } } : query),
    })),
  ],
};
