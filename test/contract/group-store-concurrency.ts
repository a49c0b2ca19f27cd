import { expect } from 'chai';
import type { GroupDocument } from '../../src/domain/kinds/group/kind.ts';
import type { User } from '../../src/domain/kinds/user/user.ts';
import type { Stored } from '../../src/domain/resource/stored.ts';
import { aGroup, changedGroup } from '../support/a-group.ts';
import { aUser } from '../support/a-user.ts';
import type { PlainStore } from '../support/plain-store.ts';
import { adding, aGroupOf, groupsOf, idsOf, inGroup, membersOf, removing } from './group-store.ts';
import { outcome } from './refusals.ts';
import type { Bench } from './user-store.ts';

const racers = 32;
const each = <T>(run: (racer: number) => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: racers }, (_, racer) => run(racer)));

/** Half of them add themselves, half remove themselves, and all add the same user. */
async function raceChanges(stores: readonly PlainStore[]): Promise<void> {
  const [store] = stores as [PlainStore];
  const { group, members } = await aGroupOf(store, racers);
  const same = aUser();
  await store.insert(same);
  const leaving = members.filter((_, at) => at % 2 === 0);
  const coming = Array.from({ length: racers }, () => aUser());
  await Promise.all(coming.map((user) => store.insert(user)));
  await each(async (racer) => {
    const { groups } = stores[racer % stores.length] as PlainStore;
    const user = leaving[racer];
    const change =
      user === undefined ? adding(coming[racer] as User, same) : { add: [same.id], remove: [user.id] };
    expect(await groups.changeMembers(group.id, change)).to.equal(true);
  });
  const stayed = members.filter((_, at) => at % 2 === 1);
  const came = coming.slice(leaving.length);
  for (const one of stores)
    expect(await membersOf(one, group.id)).to.deep.equal(idsOf([...stayed, ...came, same]));
}

async function raceRemovals(stores: readonly PlainStore[]): Promise<void> {
  const [store] = stores as [PlainStore];
  const { group, members } = await aGroupOf(store, racers);
  const more = Array.from({ length: racers }, () => aUser());
  await Promise.all(more.map((user) => store.insert(user)));
  // Each user is added again while it is removed.
  await each(async (racer) => {
    const one = stores[racer % stores.length] as PlainStore;
    const user = (racer % 2 ? members[racer] : more[racer]) as User;
    const added = outcome(one.groups.changeMembers(group.id, adding(user)));
    const removed = one.remove(user.id, user.meta.version);
    expect(await added).to.be.oneOf([true, 'invalid-members']);
    expect(await removed).to.equal(true);
  });
  const stayed = members.filter((_, at) => at % 2 === 0);
  for (const one of stores) expect(await membersOf(one, group.id)).to.deep.equal(idsOf(stayed));
}

async function raceGroupRemoval(stores: readonly PlainStore[]): Promise<void> {
  const [store] = stores as [PlainStore];
  const { group, members } = await aGroupOf(store, racers);
  const removeGroup = async (one: PlainStore): Promise<void> => {
    for (let removed = false; !removed; ) {
      const { version = '' } = (await one.groups.find(group.id)) ?? {};
      removed = version === '' || (await one.groups.remove(group.id, version));
    }
  };
  const [, ...outcomes] = await Promise.all([
    removeGroup(stores.at(-1) as PlainStore),
    ...members.map((user, at) =>
      (stores[at % stores.length] as PlainStore).groups.changeMembers(group.id, removing(user)),
    ),
  ]);
  for (const changed of outcomes) expect(changed).to.be.a('boolean');
  for (const one of stores) {
    expect(await membersOf(one, group.id)).to.deep.equal([]);
    expect(await groupsOf(one, (members[0] as User).id)).to.deep.equal([]);
  }
}

async function raceDocuments(stores: readonly PlainStore[]): Promise<void> {
  const [store] = stores as [PlainStore];
  const { group, members } = await aGroupOf(store, racers);
  const replaced = await each(async (racer) => {
    const { groups } = stores[racer % stores.length] as PlainStore;
    if (racer % 2) return groups.changeMembers(group.id, removing(members[racer] as User));
    const found = (await groups.find(group.id)) as Stored<GroupDocument>;
    return groups.replace(changedGroup(found, { description: `by ${racer}` }), found.version);
  });
  expect(replaced.filter((_, racer) => racer % 2)).to.not.include(false);
  const { description } = (await store.groups.find(group.id))?.value ?? {};
  const winners = replaced.flatMap((done, racer) => (done && racer % 2 === 0 ? [`by ${racer}`] : []));
  expect(description === undefined ? winners : winners.includes(description)).to.deep.equal(
    description === undefined ? [] : true,
  );
  expect(await membersOf(store, group.id)).to.have.length(racers / 2);
}

export function groupConcurrencyCases({ ui, store, reopen }: Bench, persists: boolean): void {
  const races = [
    ['loses no change of members, and counts each once', raceChanges],
    ['leaves no member behind that was removed while it was added', raceRemovals],
    ['leaves no member of a group that was removed while its members changed', raceGroupRemoval],
    ['keeps each change of members while the document is replaced', raceDocuments],
  ] as const;
  ui.describe(`when ${racers} change a group at once`, () => {
    for (const [title, race] of races) {
      ui.it(title, async () => race([store()]));
      if (persists) ui.it(`${title}, through two stores`, async () => race([store(), await reopen()]));
    }
    ui.it('counts all members of a group that is being removed, or none, or is unavailable', async () => {
      const { group } = await aGroupOf(store(), 200);
      const { version = '' } = (await store().groups.find(group.id)) ?? {};
      const counts: unknown[] = [];
      const removal = store().groups.remove(group.id, version);
      for (let left = 30; left > 0; left -= 1) {
        counts.push(await outcome(store().count({ where: inGroup(group.id) })));
        counts.push((await store().groups.related([group.id], 1000)).get(group.id)?.length ?? 0);
      }
      expect(await removal).to.equal(true);
      expect([0, 200, 'unavailable']).to.include.members(counts);
      await store().groups.insert(aGroup({ id: group.id }));
      expect(await membersOf(store(), group.id)).to.deep.equal([]);
    });
  });
}
