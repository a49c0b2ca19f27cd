/** The contract of the port for groups and their members. It is part of user-store.ts. */
import { expect } from 'chai';
import { allOf, anyOf, type Condition, matchAll, noneOf } from '../../src/domain/find/conditions.ts';
import type { GroupDocument } from '../../src/domain/kinds/group/kind.ts';
import type { User } from '../../src/domain/kinds/user/user.ts';
import type { Stored } from '../../src/domain/resource/stored.ts';
import type { MembersChange } from '../../src/domain/store.ts';
import { aGroup, changedGroup } from '../support/a-group.ts';
import { aUser, changed } from '../support/a-user.ts';
import { asked } from '../support/asked.ts';
import type { PlainStore } from '../support/plain-store.ts';
import { outcome, refused } from './refusals.ts';
import type { Bench } from './user-store.ts';

export const inGroup = (group: string): Condition => ({ filter: 'group', key: group });
export const ofMember = (user: string): Condition => ({ filter: 'member', key: user });

export const idsOf = (all: readonly { id: string }[]): string[] => all.map(({ id }) => id).sort();

/** More than any test has. */
const limit = 1000;

const relatedTo = async ({ related }: Pick<PlainStore, 'related'>, id: string): Promise<string[]> => [
  ...((await related([id], limit)).get(id) ?? []),
];

/** The members as the store lists, relates and counts them, which must agree with the group. */
export async function membersOf(store: PlainStore, group: string): Promise<string[]> {
  const found = await store.list({ where: inGroup(group), limit });
  expect((await relatedTo(store.groups, group)).sort(), 'related').to.deep.equal(idsOf(found));
  expect(await store.count({ where: inGroup(group) }), 'the count').to.equal(found.length);
  expect((await store.groups.find(group))?.membership?.memberCount ?? 0, 'memberCount').to.equal(
    found.length,
  );
  return idsOf(found);
}

/** The groups as the store lists and relates them. */
export async function groupsOf(store: PlainStore, user: string): Promise<string[]> {
  const found = idsOf(await store.groups.list({ where: ofMember(user), limit }));
  expect((await relatedTo(store, user)).sort(), 'related').to.deep.equal(found);
  return found;
}

/** A group with so many new users as members. */
export async function aGroupOf(
  store: PlainStore,
  count: number,
): Promise<{ group: Stored<GroupDocument>; members: User[] }> {
  const members = Array.from({ length: count }, () => aUser());
  await Promise.all(members.map((user) => store.insert(user)));
  const group = aGroup();
  await store.groups.insert(group, idsOf(members));
  return { group, members };
}

export const adding = (...add: readonly { id: string }[]): MembersChange => ({ add: idsOf(add), remove: [] });
export const removing = (...remove: readonly { id: string }[]): MembersChange => ({
  add: [],
  remove: idsOf(remove),
});

function documentCases({ ui, store }: Bench): void {
  ui.it(
    'stores a group without changing a character, and returns it by its id, its name and in lists',
    async () => {
      const { groups } = store();
      const group = aGroup({ displayName: 'Büro “𝔎”', externalId: 'X', description: 'a\n$b' });
      await groups.insert(group);
      const found = await groups.find(group.id);
      expect([found?.text, found?.version]).to.deep.equal([group.text, group.version]);
      expect(found?.shown).to.equal(group.shown);
      const byName = await groups.findAllBy('displayName', ['büro “𝔎”', 'other'], 2);
      expect([...byName].map(([key, some]) => [key, idsOf(some)])).to.deep.equal([['büro “𝔎”', [group.id]]]);
      expect([...(await groups.findAll([group.id, aGroup().id])).keys()]).to.deep.equal([group.id]);
      for (const where of [matchAll, { filter: 'externalId', key: 'X' } as const, asked('buro').where])
        expect(idsOf(await groups.list({ where, limit: 9 }))).to.deep.equal([group.id]);
      expect(await store().list({ where: matchAll, limit: 9 }), 'a group is no user').to.deep.equal([]);
    },
  );
  ui.it(
    'gives a name to one group, in any case of letters, and the same name to a user and a group',
    async () => {
      const { groups } = store();
      const [first, second] = [aGroup({ displayName: 'Ärzte' }), aGroup()];
      await groups.insert(first);
      await groups.insert(second);
      await store().insert(aUser({ userName: 'ärzte' }));
      await refused(groups.insert(aGroup({ displayName: 'A\u0308RZTE' })), 'display-name-taken');
      await refused(groups.insert(aGroup({ id: first.id })), 'id-taken');
      const wanted = changedGroup(second, { displayName: 'äRZTE' });
      await refused(groups.replace(wanted, second.version), 'display-name-taken');
      expect(await groups.replace(changedGroup(first, { displayName: 'ärzte' }), first.version)).to.equal(
        true,
      );
    },
  );
  ui.it('replaces and removes a group with the expected version, and no other', async () => {
    const { groups } = store();
    const group = aGroup();
    await groups.insert(group);
    const next = changedGroup(group, { description: 'next' });
    expect(await groups.replace(next, changedGroup(group).version)).to.equal(false);
    expect(await groups.replace(next, group.version)).to.equal(true);
    expect(await groups.remove(group.id, group.version)).to.equal(false);
    expect((await groups.find(group.id))?.text).to.equal(next.text);
    expect(await groups.remove(group.id, next.version)).to.equal(true);
    expect([await groups.find(group.id), await groups.replace(next, next.version)]).to.deep.equal([
      undefined,
      false,
    ]);
  });
  ui.it('sorts, pages and counts groups as it does users', async () => {
    const { groups } = store();
    const all = ['Zoo', 'alpha', 'Échos', 'beta'].map((displayName) => aGroup({ displayName }));
    for (const group of all) await groups.insert(group);
    const list = async (more: object) => await groups.list({ where: matchAll, limit: 9, ...more });
    const names = (some: readonly Stored<GroupDocument>[]) => some.map(({ value }) => value.displayName);
    const sort = { by: 'displayName' };
    expect(names(await list({ sort }))).to.deep.equal(['alpha', 'beta', 'Échos', 'Zoo']);
    expect(names(await list({ sort: { ...sort, descending: true }, skip: 1, limit: 2 }))).to.deep.equal([
      'Échos',
      'beta',
    ]);
    const after = { id: all[3]?.id ?? '', key: 'beta' };
    expect(names(await list({ sort, after }))).to.deep.equal(['Échos', 'Zoo']);
    expect((await list({})).map(({ id }) => id)).to.deep.equal(idsOf(all));
    expect(await groups.count({ where: matchAll })).to.equal(4);
    expect(await groups.count(asked('e'))).to.equal(1);
  });
}

function memberCases({ ui, store }: Bench): void {
  ui.it('lists users with and without groups, and groups with and without members', async () => {
    const both = async (filter: string, exists: boolean) => {
      const where = exists ? { exists: filter } : noneOf({ exists: filter });
      const of = filter === 'group' ? store() : store().groups;
      const found = idsOf(await of.list({ where, limit }));
      expect(await of.count({ where }), `the count of ${filter}`).to.equal(found.length);
      return found;
    };
    const all = async () => [
      ...[await both('group', true), await both('group', false)],
      ...[await both('member', true), await both('member', false)],
    ];
    const { group, members } = await aGroupOf(store(), 3);
    const [lonely, empty] = [aUser(), aGroup()];
    await store().insert(lonely);
    await store().groups.insert(empty);
    const users = idsOf(members);
    expect(await all()).to.deep.equal([users, [lonely.id], [group.id], [empty.id]]);
    const first = users.slice(0, 1);
    await store().groups.changeMembers(group.id, { isWhole: true, add: first, remove: [] });
    const others = idsOf([...members.filter(({ id }) => id !== first[0]), lonely]);
    expect(await all()).to.deep.equal([first, others, [group.id], [empty.id]]);
    const { version = '' } = (await store().groups.find(group.id)) ?? {};
    await store().groups.remove(group.id, version);
    expect(await all()).to.deep.equal([[], idsOf([...members, lonely]), [], [empty.id]]);
  });
  ui.it('adds and removes members, counts them, and says when nothing changed', async () => {
    const { group, members } = await aGroupOf(store(), 3);
    const [first, , third] = members as [User, User, User];
    const other = aUser();
    await store().insert(other);
    const { groups } = store();
    const revision = async () => (await groups.find(group.id))?.membership?.revision ?? -1;
    const start = await revision();
    expect(start, 'new').to.equal(0);
    expect(await groups.changeMembers(group.id, adding(first, third))).to.equal(true);
    expect(await groups.changeMembers(group.id, removing(other, aUser()))).to.equal(true);
    expect(await revision(), 'nothing changed').to.equal(start);
    await groups.changeMembers(group.id, { add: [other.id, first.id], remove: [third.id] });
    expect(await membersOf(store(), group.id)).to.deep.equal(idsOf([first, members[1] as User, other]));
    expect(await revision()).to.be.above(start);
    expect(await groupsOf(store(), other.id)).to.deep.equal([group.id]);
    expect(await groupsOf(store(), third.id)).to.deep.equal([]);
    expect((await groups.find(group.id))?.text, 'the document stays').to.equal(group.text);
    expect(await store().find(first.id)).to.deep.equal(first);
  });
  ui.it('refuses an unknown id as a member, and then changes nothing', async () => {
    const { group, members } = await aGroupOf(store(), 2);
    const [one, two] = members as [User, User];
    const { groups } = store();
    const add = [one.id, aUser().id, two.id, group.id];
    const pointers = ['/add/1', '/add/3'];
    const before = await groups.find(group.id);
    const next = changedGroup(before ?? group);
    const refusals = [
      groups.changeMembers(group.id, { add, remove: [] }),
      groups.changeMembers(group.id, { add, remove: [], isWhole: true }),
      groups.replace(next, before?.version ?? '', { add, remove: [one.id] }),
      groups.insert(aGroup(), add),
    ];
    for (const { violations } of await Promise.all(refusals.map((one) => refused(one, 'invalid-members'))))
      expect(violations.map(({ pointer }) => pointer)).to.deep.equal(pointers);
    expect((await groups.find(group.id))?.version).to.equal(before?.version);
    expect(await membersOf(store(), group.id)).to.deep.equal(idsOf(members));
    expect(await groups.count({ where: matchAll })).to.equal(1);
  });
  ui.it('replaces all members at once, with the document and without', async () => {
    const { group, members } = await aGroupOf(store(), 5);
    const [kept] = members as [User];
    const added = aUser();
    await store().insert(added);
    const { groups } = store();
    await groups.changeMembers(group.id, { isWhole: true, add: [added.id, kept.id], remove: [] });
    expect(await membersOf(store(), group.id)).to.deep.equal(idsOf([added, kept]));
    const found = (await groups.find(group.id)) ?? group;
    const next = changedGroup(found, { description: 'none left' });
    const nobody = { isWhole: true, add: [], remove: [] };
    expect(await groups.replace(next, group.version, nobody), 'members changed since').to.equal(false);
    expect(await groups.replace(next, found.version, nobody)).to.equal(true);
    expect(await membersOf(store(), group.id)).to.deep.equal([]);
    expect((await groups.find(group.id))?.text).to.equal(next.text);
    expect(await groupsOf(store(), kept.id)).to.deep.equal([]);
  });
  ui.it('compares a version, if one is given, when members change', async () => {
    const { group, members } = await aGroupOf(store(), 2);
    const [one, two] = members as [User, User];
    const { groups } = store();
    const { version = '' } = (await groups.find(group.id)) ?? {};
    expect(await groups.changeMembers(group.id, removing(one), version)).to.equal(true);
    expect(await groups.changeMembers(group.id, removing(two), version)).to.equal(false);
    expect(await groups.remove(group.id, version)).to.equal(false);
    expect(await groups.changeMembers(aGroup().id, removing(two))).to.equal(false);
    expect(await membersOf(store(), group.id)).to.deep.equal([two.id]);
  });
}

function relatedCases({ ui, store }: Bench): void {
  ui.it('reads the relations of many users and groups at once, and leaves out ids without any', async () => {
    const users = Array.from({ length: 150 }, () => aUser());
    await store().writeAll(users.map((user) => ({ user })));
    const groups = Array.from({ length: 12 }, () => aGroup());
    /** The first user has no group, and the first group no member. */
    const isMember = (user: number, group: number) => user % 13 > 0 && group > 0 && (user + group) % 3 === 0;
    for (const [at, group] of groups.entries())
      await store().groups.insert(group, idsOf(users.filter((_, user) => isMember(user, at))));
    const pairs = (found: ReadonlyMap<string, readonly string[]>) =>
      [...found].map(([id, related]) => [id, [...related].sort()] as const).sort();
    const wanted = <T extends { id: string }>(all: readonly T[], others: (at: number) => string[]) =>
      all.flatMap(({ id }, at) => (others(at).length > 0 ? [[id, others(at)] as const] : [])).sort();
    expect(
      pairs(await store().related([...idsOf(users), aUser().id, idsOf(groups)[1] ?? ''], limit)),
    ).to.deep.equal(wanted(users, (user) => idsOf(groups.filter((_, group) => isMember(user, group)))));
    expect(
      pairs(await store().groups.related([...idsOf(groups), aGroup().id, idsOf(users)[1] ?? ''], limit)),
    ).to.deep.equal(wanted(groups, (group) => idsOf(users.filter((_, user) => isMember(user, group)))));
    expect([
      (await store().related([], limit)).size,
      (await store().groups.related([], limit)).size,
    ]).to.deep.equal([0, 0]);
  });
  ui.it('returns at most the requested number of relations for each', async () => {
    const { group, members } = await aGroupOf(store(), 5);
    const [one] = members as [User];
    const groups = [aGroup(), aGroup()];
    for (const other of groups) await store().groups.insert(other, [one.id]);
    const some = (await store().groups.related([group.id, ...idsOf(groups)], 3)).get(group.id) ?? [];
    expect([some.length, new Set(some).size]).to.deep.equal([3, 3]);
    expect(idsOf(members)).to.include.members([...some]);
    const two = (await store().related(idsOf(members), 2)).get(one.id) ?? [];
    expect([two.length, new Set(two).size]).to.deep.equal([2, 2]);
    expect(idsOf([group, ...groups])).to.include.members([...two]);
  });
  ui.it('reads no relations of removed groups or of replaced sets of members', async () => {
    const user = aUser();
    await store().insert(user);
    const groups = Array.from({ length: 9 }, () => aGroup());
    for (const group of groups) await store().groups.insert(group, [user.id]);
    const [gone, emptied, kept] = groups as [
      Stored<GroupDocument>,
      Stored<GroupDocument>,
      Stored<GroupDocument>,
    ];
    await store().groups.remove(gone.id, (await store().groups.find(gone.id))?.version ?? '');
    await store().groups.changeMembers(emptied.id, { isWhole: true, add: [], remove: [] });
    const other = aUser();
    await store().insert(other);
    await store().groups.changeMembers(kept.id, { isWhole: true, add: [user.id, other.id], remove: [] });
    expect((await store().related([user.id], 7)).get(user.id)).to.have.length(7);
    expect(await groupsOf(store(), user.id)).to.deep.equal(idsOf(groups.slice(2)));
  });
}

function endingCases({ ui, store }: Bench): void {
  ui.it('ends the memberships of a removed user, even if its id is used again', async () => {
    const { group, members } = await aGroupOf(store(), 3);
    const [gone, ...others] = members as [User, User, User];
    const { groups } = store();
    const before = (await groups.find(group.id))?.membership?.revision ?? -1;
    await store().remove(gone.id, gone.meta.version);
    expect(await membersOf(store(), group.id)).to.deep.equal(idsOf(others));
    expect((await groups.find(group.id))?.membership?.revision).to.be.above(before);
    await store().insert(gone);
    expect(await membersOf(store(), group.id)).to.deep.equal(idsOf(others));
    expect(await groupsOf(store(), gone.id)).to.deep.equal([]);
  });
  ui.it('ends the memberships of a removed group, even if its id is used again', async () => {
    const { group, members } = await aGroupOf(store(), 3);
    const { groups } = store();
    const { version = '' } = (await groups.find(group.id)) ?? {};
    expect(await groups.remove(group.id, version)).to.equal(true);
    const [first] = members as [User];
    expect([await membersOf(store(), group.id), await groupsOf(store(), first.id)]).to.deep.equal([[], []]);
    await groups.insert(aGroup({ id: group.id }));
    expect([await membersOf(store(), group.id), await groupsOf(store(), first.id)]).to.deep.equal([[], []]);
    await groups.changeMembers(group.id, adding(first));
    expect(await membersOf(store(), group.id)).to.deep.equal([first.id]);
  });
  ui.it('keeps memberships when users and groups are written', async () => {
    const { group, members } = await aGroupOf(store(), 2);
    const [one, two] = members as [User, User];
    const next = changed(one, { roles: ['new'], userName: 'renamed' });
    expect(await store().replace(next, one.meta.version)).to.equal(true);
    await store().writeAll([
      { user: changed(two, { active: false }), version: two.meta.version },
      { user: aUser() },
    ]);
    const found = (await store().groups.find(group.id)) ?? group;
    await store().groups.replace(changedGroup(found, { displayName: 'renamed' }), found.version);
    expect(await membersOf(store(), group.id)).to.deep.equal(idsOf(members));
    expect(await groupsOf(store(), one.id)).to.deep.equal([group.id]);
  });
}

function findingCases({ ui, store }: Bench): void {
  ui.it('finds members among other conditions, in each order, page by page', async () => {
    const { group } = await aGroupOf(store(), 7);
    const named = Array.from({ length: 9 }, (_, at) =>
      aUser({ userName: `named-${9 - at}`, active: at % 2 === 0, displayName: 'Zuse' }),
    );
    for (const user of named) await store().insert(user);
    await store().groups.changeMembers(group.id, adding(...named.slice(0, 6)));
    const wanted = named.slice(0, 6);
    const list = (where: Condition, more: object = {}) => store().list({ where, limit: 100, ...more });
    expect(await store().count({ where: inGroup(group.id) })).to.equal(13);
    const active: Condition = { filter: 'active', key: 'true' };
    const both = allOf([inGroup(group.id), asked('zuse').where]);
    expect(idsOf(await list(both))).to.deep.equal(idsOf(wanted));
    expect(await store().count({ where: allOf([both, active]) })).to.equal(3);
    const one: Condition = { id: named[8]?.id ?? '' };
    expect(await list(anyOf([both, one]))).to.have.length(7);
    expect(await list(allOf([inGroup(group.id), one]))).to.have.length(0);
    expect(await store().count({ where: allOf([inGroup(group.id), { id: wanted[0]?.id ?? '' }]) })).to.equal(
      1,
    );
    const sort = { by: 'userName' };
    const names = (await list(both, { sort })).map(({ userName }) => userName);
    expect(names).to.deep.equal(wanted.map(({ userName }) => userName).sort());
    const backward = (await list(both, { sort, backward: true, skip: 1, limit: 2 })).map((u) => u.userName);
    expect(backward).to.deep.equal(['named-8', 'named-7']);
    const seen: string[] = [];
    for (let page = await list(inGroup(group.id), { limit: 4 }); page.length > 0; ) {
      seen.push(...page.map(({ id }) => id));
      page = await list(inGroup(group.id), { limit: 4, after: { id: seen.at(-1) } });
    }
    expect(seen).to.deep.equal(await membersOf(store(), group.id));
  });
  ui.it('finds the groups of a user among other conditions, in each order', async () => {
    const user = aUser();
    await store().insert(user);
    const { groups } = store();
    const all = ['delta', 'alpha', 'charlie', 'bravo'].map((displayName) => aGroup({ displayName }));
    for (const [at, group] of all.entries()) await groups.insert(group, at === 2 ? [] : [user.id]);
    const names = (
      await groups.list({ where: ofMember(user.id), sort: { by: 'displayName' }, limit: 9 })
    ).map(({ value }) => value.displayName);
    expect(names).to.deep.equal(['alpha', 'bravo', 'delta']);
    const both = allOf([ofMember(user.id), asked('br').where]);
    expect(idsOf(await groups.list({ where: both, limit: 9 }))).to.deep.equal(idsOf(all.slice(3)));
    const { id } = all[2] as Stored<GroupDocument>;
    expect(await groups.count({ where: anyOf([ofMember(user.id), { id }]) })).to.equal(4);
    expect(await groups.count({ where: ofMember(user.id) })).to.equal(3);
  });
  ui.it('finds no group and no user by an unknown id', async () => {
    const { group, members } = await aGroupOf(store(), 1);
    const [user] = members as [User];
    const asUser = [inGroup(user.id), inGroup(aGroup().id), inGroup('no id at all')];
    for (const where of asUser) {
      expect(await store().list({ where, limit: 9 })).to.deep.equal([]);
      expect(await store().count({ where })).to.equal(0);
    }
    for (const where of [ofMember(group.id), ofMember('no id at all')])
      expect([
        await store().groups.list({ where, limit: 9 }),
        await store().groups.count({ where }),
      ]).to.deep.equal([[], 0]);
  });
}

export function groupCases(bench: Bench, persists: boolean): void {
  const { ui, store, reopen } = bench;
  ui.describe('when it has groups', () => {
    documentCases(bench);
    memberCases(bench);
    relatedCases(bench);
    endingCases(bench);
    findingCases(bench);
    ui.it('refuses to read and write groups as unavailable when it is closed', async () => {
      const { groups } = store();
      const group = aGroup();
      await groups.insert(group);
      await store().close();
      const calls = [
        ...[groups.find(group.id), groups.list({ where: matchAll, limit: 1 })],
        ...[groups.count({ where: matchAll }), groups.insert(aGroup())],
        ...[store().related([group.id], 1), groups.related([group.id], 1)],
        ...[groups.changeMembers(group.id, adding()), groups.remove(group.id, group.version)],
      ];
      for (const ended of await Promise.all(calls.map((call) => outcome<unknown>(call))))
        expect(ended).to.equal('unavailable');
    });
    if (!persists) return;
    ui.it('keeps groups and their members when it is opened again', async () => {
      const { group, members } = await aGroupOf(store(), 3);
      const { version = '' } = (await store().groups.find(group.id)) ?? {};
      await store().close();
      const again = await reopen();
      expect([(await again.groups.find(group.id))?.version, await membersOf(again, group.id)]).to.deep.equal([
        version,
        idsOf(members),
      ]);
    });
  });
}
