/** The contract of lists by membership that are read in batches while the group or the user is removed. It is part of user-store.ts. */

import { expect } from 'chai';
import { allOf, anyOf, type Condition } from '../../src/domain/find/conditions.ts';
import type { Position, Sort } from '../../src/domain/find/sorts.ts';
import type { GroupDocument } from '../../src/domain/kinds/group/kind.ts';
import type { Resource } from '../../src/domain/resource/resource.ts';
import { Stored } from '../../src/domain/resource/stored.ts';
import { aGroup, changedGroup } from '../support/a-group.ts';
import { aUser, changed } from '../support/a-user.ts';
import { asked } from '../support/asked.ts';
import { positionOf } from '../support/kinds.ts';
import type { PlainStore } from '../support/plain-store.ts';
import type { Query } from '../support/verbs.ts';
import { adding, aGroupOf, idsOf, inGroup, ofMember, removing } from './group-store.ts';
import { refused } from './refusals.ts';
import type { Bench } from './user-store.ts';

const batch = 2;

/** Reads a list in batches of two, in one view. @param meanwhile runs after the first batch */
async function readAll<S extends Stored<Resource>>(
  list: (query: Query) => Promise<readonly S[]>,
  { where, sort = {} }: { readonly where: Condition; readonly sort?: Sort },
  meanwhile: () => Promise<unknown>,
): Promise<string[]> {
  const seen: string[] = [];
  const [view, handle] = [{}, {}];
  for (let after: Position | undefined; ; ) {
    const found = await list({ where, sort, after, limit: batch, view, list: handle });
    const isFirst = after === undefined;
    seen.push(...idsOf(found));
    const last = found.at(-1);
    if (last === undefined || found.length < batch) return seen.sort();
    after = positionOf(last, sort);
    if (isFirst) await meanwhile();
  }
}

const listUsers = (store: PlainStore) => async (query: Query) =>
  (await store.list(query)).map((user) => Stored.of(user));

interface Scene {
  readonly store: PlainStore;
  readonly group: Stored<GroupDocument>;
  readonly remove: () => Promise<unknown>;
}

async function aScene(store: PlainStore): Promise<Scene> {
  const { group } = await aGroupOf(store, 7);
  const { groups } = store;
  const remove = async () => {
    const { version = '' } = (await groups.find(group.id)) ?? {};
    expect(await groups.remove(group.id, version)).to.equal(true);
  };
  return { store, group, remove };
}

/** Ways to remove or replace all members that a list began with. */
const endings: Readonly<Record<string, (scene: Scene) => Promise<unknown>>> = {
  'is deleted': ({ remove }) => remove(),
  'is deleted and created again with its id': async ({ store, group, remove }) => {
    await remove();
    const user = aUser();
    await store.insert(user);
    await store.groups.insert(changedGroup(group), [user.id]);
  },
  'gets other members as a whole': async ({ store, group }) => {
    const user = aUser();
    await store.insert(user);
    await store.groups.changeMembers(group.id, { isWhole: true, add: [user.id], remove: [] });
  },
  'loses all its members at once': ({ store, group }) =>
    store.groups.changeMembers(group.id, { isWhole: true, add: [], remove: [] }),
};

/** Lists by membership in a group. */
const lists = (group: string): Readonly<Record<string, { where: Condition; sort?: Sort }>> => ({
  'by id': { where: inGroup(group) },
  sorted: { where: inGroup(group), sort: { by: 'userName' } },
  'among others': { where: allOf([inGroup(group), { filter: 'active', key: 'true' }]) },
  'with a search': { where: allOf([inGroup(group), asked('user').where]), sort: { by: 'created' } },
  'as an alternative': { where: anyOf([inGroup(group), { filter: 'role', key: 'none' }]) },
});

function brokenCases({ ui, store }: Bench): void {
  for (const [what, end] of Object.entries(endings))
    ui.it(`breaks off any list of the members of a group that ${what}`, async () => {
      for (const [how, query] of Object.entries(lists(''))) {
        const scene = await aScene(store());
        const asks = { ...query, ...lists(scene.group.id)[how] };
        const read = readAll(listUsers(store()), asks, () => end(scene));
        await refused(read, 'unavailable');
      }
    });
  ui.it('ends a list with an error when its members were removed after they were counted', async () => {
    const { group, remove } = await aScene(store());
    const view = {};
    const where = inGroup(group.id);
    expect(await store().count({ where, view })).to.equal(7);
    await remove();
    await refused(store().list({ where, view, limit: 9 }), 'unavailable');
    expect(await store().list({ where, view: {}, limit: 9 }), 'another list').to.deep.equal([]);
  });
  for (const isAgain of [false, true])
    ui.it(
      `breaks off a list of the groups of a user that is deleted${isAgain ? ' and created again' : ''}`,
      async () => {
        for (const sort of [{}, { by: 'displayName' }]) {
          const user = aUser();
          await store().insert(user);
          await store().insert(aUser());
          for (let made = 0; made < 5; made += 1) await store().groups.insert(aGroup(), [user.id]);
          const read = readAll(
            (query) => store().groups.list(query),
            { where: ofMember(user.id), sort },
            async () => {
              await store().remove(user.id, user.meta.version);
              const meta = { ...user.meta, created: '2027-01-02T03:04:05.678Z' };
              if (isAgain) await store().insert({ ...user, meta });
            },
          );
          await refused(read, 'unavailable');
        }
      },
    );
}

function goingOnCases({ ui, store }: Bench): void {
  ui.it('lists the members that stay, while others come and go and all are written', async () => {
    const { group, members } = await aGroupOf(store(), 7);
    const [first, second, ...rest] = [...members].sort((one, other) => (one.id < other.id ? -1 : 1));
    const { groups } = store();
    const read = readAll(listUsers(store()), { where: inGroup(group.id) }, async () => {
      const [third, ...others] = rest;
      if (third === undefined) return expect.fail();
      await groups.changeMembers(group.id, removing(third));
      for (const user of others) await store().replace(changed(user, { title: 'new' }), user.meta.version);
      const found = (await groups.find(group.id)) ?? group;
      await groups.replace(changedGroup(found, { description: 'new' }), found.version);
      await groups.changeMembers(group.id, {
        isWhole: true,
        add: idsOf(members.filter((u) => u !== third)),
        remove: [],
      });
    });
    expect(await read).to.deep.equal(idsOf([first, second, ...rest.slice(1)].flatMap((user) => user ?? [])));
  });
  ui.it('lists the groups of a user while it joins and leaves some', async () => {
    const user = aUser();
    await store().insert(user);
    const groups = Array.from({ length: 6 }, () => aGroup());
    for (const group of groups) await store().groups.insert(group, [user.id]);
    const ids = idsOf(groups);
    const read = readAll(
      (query) => store().groups.list(query),
      { where: ofMember(user.id) },
      async () => {
        await store().groups.changeMembers(ids[2] ?? '', removing(user));
        const left = await store().groups.find(ids[3] ?? '');
        await store().groups.remove(ids[3] ?? '', left?.version ?? '');
        await store().replace(changed(user, { title: 'new' }), user.meta.version);
      },
    );
    expect(await read).to.deep.equal(ids.filter((_, at) => at !== 2 && at !== 3));
  });
  ui.it('shows no members of a group that is created while the list is read', async () => {
    const others = Array.from({ length: 4 }, () => aUser({ roles: ['other'] }));
    for (const user of others) await store().insert(user);
    const group = aGroup();
    const member = aUser({ id: 'ffffffff-ffff-4fff-8fff-ffffffffffff' });
    await store().insert(member);
    const where = anyOf([inGroup(group.id), { filter: 'role', key: 'other' }]);
    const read = readAll(listUsers(store()), { where }, async () => {
      await store().groups.insert(group);
      await store().groups.changeMembers(group.id, adding(member));
    });
    expect(await read).to.deep.equal(idsOf(others));
  });
}

export function groupViewCases(bench: Bench): void {
  bench.ui.describe('when a list by membership is read in batches', () => {
    brokenCases(bench);
    goingOnCases(bench);
  });
}
