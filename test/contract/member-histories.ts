/** The contract of memberships in the histories of users (src/domain/changes/member-changes.ts). */
import { expect } from 'chai';
import { type Entry, maxIds } from '../../src/domain/changes/change.ts';
import type { ChangeLog, Cursor } from '../../src/domain/changes/log.ts';
import type { GroupDocument } from '../../src/domain/kinds/group/kind.ts';
import type { User } from '../../src/domain/kinds/user/user.ts';
import type { Stored } from '../../src/domain/resource/stored.ts';
import type { Store, Write } from '../../src/domain/store.ts';
import { aGroup, changedGroup } from '../support/a-group.ts';
import { aUser, changed } from '../support/a-user.ts';
import { until } from '../support/deadlines.ts';
import { follow } from '../support/logged-writes.ts';
import { tester } from '../support/store-verbs.ts';
import {
  changeMembers,
  createGroup,
  createUser,
  type OpenedLog,
  pruneAll,
  removeGroup,
  removeUser,
  replaceGroup,
  replaceUser,
  withoutValues,
} from './change-log.ts';
import type { ContractUi } from './user-store.ts';

/** What an entry says about one user, such as `+ Admins`. */
function tell({ type, added, removed, whole, values }: Entry, user: string): string {
  const name = values?.label ?? '';
  const of = `${name}${whole ? ' whole' : ''}`;
  if (added ?? removed) expect(added ?? removed, 'only this user').to.deep.equal([user]);
  if (!type.endsWith('.members-changed')) return `${type} ${of}`.trim();
  return `${added ? '+' : ''}${removed ? '-' : ''} ${of}`.trim();
}

/** @param open makes a store on new data @param ui gets the cases; mocha's running suite by default */
export function memberHistoryCases(
  open: () => Promise<OpenedLog>,
  ui: Omit<ContractUi, 'describe' | 'after'> = globalThis,
): void {
  let opened: OpenedLog;
  let store: Store;
  let log: ChangeLog;
  ui.beforeEach(async () => {
    opened = await open();
    ({ store } = opened);
    log = store.changes as ChangeLog;
  });
  ui.afterEach(async () => {
    await store.close();
    await opened.discard?.();
  });

  const commit = async (...writes: readonly Write[]): Promise<void> => {
    expect(await store.commit(writes, tester)).to.deep.equal(writes.map(() => 'done'));
  };
  const users = async (count: number): Promise<User[]> => {
    const made = Array.from({ length: count }, () => aUser());
    for (let from = 0; from < count; from += 250)
      await commit(...made.slice(from, from + 250).map((user) => createUser(user)));
    return made;
  };
  const named = (displayName: string) => aGroup({ displayName });
  const members = (group: Stored<GroupDocument>, ...add: User[]) =>
    commit(
      createGroup(
        group,
        add.map(({ id }) => id),
      ),
    );
  const change = (group: Stored<GroupDocument>, add: User[], remove: User[] = []) =>
    commit(changeMembers(group.id, { add: add.map(({ id }) => id), remove: remove.map(({ id }) => id) }));
  const whole = (group: Stored<GroupDocument>, add: User[]) =>
    commit(changeMembers(group.id, { isWhole: true, add: add.map(({ id }) => id) }));
  const history = async (id: string, limit = 1000): Promise<readonly Entry[]> => {
    const all: Entry[] = [];
    for (let before: Cursor | undefined; ; ) {
      const { entries, more, end } = await log.history(limit, before, { kind: 'user', id });
      all.push(...entries);
      if (!more) return all.reverse();
      before = end;
    }
  };
  const told = async ({ id }: User): Promise<string[]> =>
    (await history(id)).map((entry) => tell(entry, id)).filter((text) => !/^user[.]created/.test(text));
  /** Some entries appear seconds later. */
  async function expectTold(user: User, expected: readonly string[]): Promise<void> {
    let found: string[] = [];
    const isTold = async () => {
      found = await told(user);
      return found.length >= expected.length;
    };
    await until('the entries that appear later', isTold).catch(() => {});
    expect(found).to.deep.equal(expected);
  }

  /** @returns members of two groups that have just ended, whose histories may not show that yet */
  async function endLargeGroups(): Promise<User[]> {
    const all = (await users(1_500)).sort((one, other) => (one.id < other.id ? -1 : 1));
    const [crew, staff] = [named('Crew'), named('Staff')];
    await members(crew, ...all);
    await members(staff, ...all);
    await whole(staff, []);
    await commit(removeGroup(crew));
    return all.slice(-20);
  }

  ui.it('shows the groups that a user joins and leaves, and no other members of them', async () => {
    const [ann, bob, cy] = (await users(3)) as [User, User, User];
    const [admins, crew] = [named('Admins'), named('Crew')];
    await members(admins, ann, bob);
    await members(crew);
    await change(crew, [bob, cy], [ann]);
    await change(admins, [cy], [ann]);
    await change(admins, [cy], [ann]);
    const next = changedGroup(admins, { displayName: 'Administrators' });
    const { id } = ann;
    await commit({ ...replaceGroup(admins, next), members: { add: [id], remove: [bob.id] } } as Write);
    expect(await told(ann)).to.deep.equal(['+ Admins', '- Admins', '+ Administrators']);
    expect(await told(bob)).to.deep.equal(['+ Admins', '+ Crew', '- Administrators']);
    expect(await told(cy)).to.deep.equal(['+ Crew', '+ Admins']);
    const [entry] = (await history(id)).filter(({ type }) => type === 'group.members-changed');
    const feed = (await follow(log, 'start')).find(({ number }) => number === entry?.number);
    expect(entry && withoutValues(entry)).to.deep.equal({ ...feed, added: [id] });
    expect(feed?.values, 'the feed has no label').to.equal(undefined);
    const ofGroup = (await log.history(9, undefined, { kind: 'group', id: admins.id })).entries;
    expect(ofGroup.map(({ values }) => values?.label)).to.deep.equal([
      ...['Administrators', 'Administrators', 'Admins', 'Admins', 'Admins'],
    ]);
  });

  ui.it(
    'shows the replacement of a list of members to users who join or leave, and not to those who stay',
    async () => {
      const [ann, bob, cy, dan] = (await users(4)) as [User, User, User, User];
      const group = named('Crew');
      await members(group, ann, bob);
      await whole(group, [ann, cy]);
      await whole(group, [cy, dan]);
      await whole(group, [dan, cy]);
      await whole(group, []);
      await expectTold(ann, ['+ Crew', '- Crew']);
      await expectTold(bob, ['+ Crew', '- Crew']);
      await expectTold(cy, ['+ Crew', '- Crew']);
      await expectTold(dan, ['+ Crew', '- Crew']);
    },
  );

  ui.it('tells lists apart that replace the members of several groups at the same time', async () => {
    const [ann, bob] = (await users(2)) as [User, User];
    const [crew, staff] = [named('Crew'), named('Staff')];
    await members(crew, ann, bob);
    await members(staff, ann, bob);
    const only = ({ id }: Stored<GroupDocument>, user: User) =>
      changeMembers(id, { isWhole: true, add: [user.id] });
    await commit(only(crew, ann), only(staff, bob));
    await expectTold(ann, ['+ Crew', '+ Staff', '- Staff']);
    await expectTold(bob, ['+ Crew', '+ Staff', '- Crew']);
  });

  ui.it('shows the replacement of a list of members by a write that changes the group, too', async () => {
    const [ann, bob] = (await users(2)) as [User, User];
    const group = named('Crew');
    await members(group, ann);
    const next = changedGroup(group, { displayName: 'Staff' });
    const list = { isWhole: true, add: [bob.id], remove: [] };
    await commit({ ...replaceGroup(group, next), members: list } as Write);
    await expectTold(ann, ['+ Crew', '- Staff']);
    await expectTold(bob, ['+ Staff']);
  });

  ui.it('shows that a group loses a user and gets it back, in the order of the commits', async () => {
    const [ann, bob] = (await users(2)) as [User, User];
    const group = named('Crew');
    await members(group, ann);
    for (let turn = 0; turn < 3; turn += 1) {
      await whole(group, [bob]);
      await change(group, [ann]);
    }
    const again = ['- Crew', '+ Crew'];
    await expectTold(ann, ['+ Crew', ...again, ...again, ...again]);
    await expectTold(bob, ['+ Crew']);
  });

  ui.it('has replacements of lists of members that take several entries', async () => {
    const all = await users(maxIds * 2 + 4);
    const [stays, goes, comes] = [all.slice(0, maxIds + 2), all.slice(maxIds + 2, -2), all.slice(-2)];
    const group = named('Crew');
    await members(group, ...stays, ...goes);
    await whole(group, [...comes, ...stays]);
    for (const user of [stays[0], stays.at(-1)]) await expectTold(user as User, ['+ Crew']);
    for (const user of [goes[0], goes.at(-1)]) await expectTold(user as User, ['+ Crew', '- Crew']);
    for (const user of comes) await expectTold(user, ['+ Crew']);
    await commit(removeGroup(group));
    for (const user of [comes[0], stays.at(-1)])
      await expectTold(user as User, ['+ Crew', 'group.deleted Crew']);
    expect(await told(goes[0] as User), 'gone before').to.deep.equal(['+ Crew', '- Crew']);
  });

  ui.it('shows the deletion of a group to its members at that time', async () => {
    const [ann, bob, cy] = (await users(3)) as [User, User, User];
    const group = named('Crew');
    await members(group, ann, bob, cy);
    await change(group, [], [bob]);
    await whole(group, [ann]);
    await commit(removeGroup(group));
    await expectTold(ann, ['+ Crew', 'group.deleted Crew']);
    await expectTold(cy, ['+ Crew', '- Crew']);
    await expectTold(bob, ['+ Crew', '- Crew']);
  });

  ui.it(
    'shows the end of a membership in the history of a user who is deleted before that end is logged',
    async () => {
      const last = await endLargeGroups();
      await commit(...last.map((user) => removeUser(user)));
      for (const user of last)
        await expectTold(user, [
          ...['+ Crew', '+ Staff', '- Staff', 'group.deleted Crew', `user.deleted ${user.userName}`],
        ]);
    },
  );

  ui.it('does not show an erased user the end of a membership later', async () => {
    const last = await endLargeGroups();
    await commit(...last.map((user) => removeUser(user, true)));
    const [bob] = (await users(1)) as [User];
    const other = named('Other');
    await members(other, bob);
    await whole(other, []);
    await expectTold(bob, ['+ Other', '- Other']);
    for (const user of last) expect(await told(user)).to.deep.equal(['user.deleted']);
  });

  ui.it('keeps the memberships of a deleted user beside those of the user created again', async () => {
    const [ann] = (await users(1)) as [User];
    const group = named('Crew');
    await members(group, ann);
    await commit(removeUser(ann));
    const again = aUser({ id: ann.id });
    await commit(createUser(again));
    await change(group, [again]);
    expect(await told(again)).to.deep.equal(['+ Crew', `user.deleted ${ann.userName}`, '+ Crew']);
  });

  ui.it('keeps a user apart from a group with the same id', async () => {
    const [ann] = (await users(1)) as [User];
    await members(aGroup({ id: ann.id, displayName: 'Twin' }), ann);
    expect(await told(ann)).to.deep.equal(['+ Twin']);
    const { entries } = await log.history(9, undefined, { kind: 'group', id: ann.id });
    expect(entries.map(({ type }) => type)).to.deep.equal(['group.members-changed', 'group.created']);
  });

  ui.it('has pages in the order of the log, with none twice and none left out', async () => {
    const [first, ...others] = (await users(4)) as [User, ...User[]];
    let ann = first;
    const group = named('Crew');
    await members(group, ...others);
    for (let turn = 0; turn < 5; turn += 1) {
      await change(group, [ann]);
      const next = changed(ann, { title: `Title ${turn}` });
      await commit(replaceUser(ann, next));
      ann = next;
      await change(group, others.slice(0, 1), [ann]);
      await change(group, [], others.slice(0, 1));
    }
    const all = await history(ann.id);
    expect(all).to.have.length(16);
    const numbers = all.map(({ number }) => number);
    expect(numbers).to.deep.equal([...numbers].sort((one, other) => one - other));
    for (const limit of [1, 2, 7]) expect(await history(ann.id, limit)).to.deep.equal(all);
  });

  ui.it('has long pages, even of entries with many members', async () => {
    const [ann, ...others] = (await users(maxIds)) as [User, ...User[]];
    const group = named('Crew');
    await members(group);
    for (let turn = 0; turn < 16; turn += 1) {
      await change(group, [ann, ...others]);
      await change(group, [], [ann, ...others]);
    }
    const { entries, more } = await log.history(100, undefined, { kind: 'user', id: ann.id });
    expect([entries.length, more]).to.deep.equal([33, false]);
  });

  ui.it('loses the groups of an erased user, and the names of an erased group', async () => {
    const [ann, bob] = (await users(2)) as [User, User];
    const [crew, staff] = [named('Crew'), named('Staff')];
    await members(crew, ann, bob);
    await members(staff, ann, bob);
    await whole(crew, []);
    await commit(removeGroup(staff, true));
    await expectTold(bob, ['+ Crew', '+', '- Crew', 'group.deleted']);
    await commit(removeUser(ann, true));
    expect(await told(ann)).to.deep.equal(['user.deleted']);
    await commit(removeUser(bob));
    expect(await log.erase({ kind: 'user', id: bob.id })).to.equal(true);
    expect(await told(bob)).to.deep.equal(['user.deleted']);
    expect(await log.erase({ kind: 'user', id: bob.id })).to.equal(false);
  });

  ui.it('loses entries when they expire, also those that would appear later', async () => {
    const all = (await users(3)) as [User, User, User];
    const group = named('Crew');
    await members(group, ...all);
    await whole(group, []);
    await expectTold(all[0], ['+ Crew', '- Crew']);
    await members(named('Staff'), ...all);
    await commit(removeGroup(group));
    const soon = Date.now() + 60_000;
    await pruneAll(log, { feedFrom: soon, historyFrom: soon });
    for (const { id } of all) expect(await history(id)).to.deep.equal([]);
    const other = named('Other');
    await members(other, ...all);
    await whole(other, []);
    for (const user of all) await expectTold(user, ['+ Other', '- Other']);
  });

  ui.it('counts the users of an entry as part of its size', async () => {
    const some = await users(200);
    const group = named('Crew');
    await members(group);
    const before = (await log.measure()).bytes ?? 0;
    await change(group, some);
    const grown = ((await log.measure()).bytes ?? 0) - before;
    expect(grown).to.be.within(200 * (39 + 20), 200 * 120);
    await members(named('Staff'));
    await pruneAll(log, { maxBytes: 100 });
    expect(await told(some[0] as User)).to.deep.equal([]);
  });
}
