/** The contract of deletions, which keep all that a restoration needs, and of restorations (`restored` in src/domain/store.ts). */
import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { type Entry, maxMemberships } from '../../src/domain/changes/change.ts';
import type { ChangeLog } from '../../src/domain/changes/log.ts';
import type { GroupDocument } from '../../src/domain/kinds/group/kind.ts';
import type { User } from '../../src/domain/kinds/user/user.ts';
import type { Stored } from '../../src/domain/resource/stored.ts';
import type { Outcome, Store, Write } from '../../src/domain/store.ts';
import { DomainError } from '../../src/domain/validation/errors.ts';
import { aGroup } from '../support/a-group.ts';
import { aUser, changed } from '../support/a-user.ts';
import { tester } from '../support/store-verbs.ts';
import {
  changeMembers,
  createGroup,
  createUser,
  type OpenedLog,
  removeGroup,
  removeUser,
} from './change-log.ts';
import type { ContractUi } from './user-store.ts';

type Group = Stored<GroupDocument>;

const idsOf = (all: readonly (User | Group)[]): string[] => all.map(({ id }) => id).sort();

const restoreUser = (user: User, restored: readonly string[] = []): Write =>
  ({ ...createUser(user), restored }) as Write;
const restoreGroup = (group: Group, restored: readonly string[] = []): Write =>
  ({ ...createGroup(group), restored }) as Write;

/** The deleted resource, from the entry of its deletion. */
const documentOf = ({ id, values }: Entry): unknown => ({ id, ...values?.before, ...values?.kept });

/** @param open makes a store on new data @param ui gets the cases; mocha's running suite by default */
export function restorationCases(
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

  const outcomesOf = async (...writes: readonly Write[]): Promise<(string | undefined)[]> =>
    (await store.commit(writes, tester)).map((one: Outcome) => (one instanceof DomainError ? one.code : one));
  const commit = async (...writes: readonly Write[]): Promise<void> => {
    expect(await outcomesOf(...writes)).to.deep.equal(writes.map(() => 'done'));
  };
  const users = async (count: number): Promise<[User, User, ...User[]]> => {
    const made = Array.from({ length: count }, () => aUser());
    for (let from = 0; from < count; from += 250)
      await commit(...made.slice(from, from + 250).map((user) => createUser(user)));
    return made as [User, User, ...User[]];
  };
  const group = async (displayName: string, members: readonly User[]): Promise<Group> => {
    const made = aGroup({ displayName });
    await commit(createGroup(made, idsOf(members)));
    return made;
  };
  const newest = async (kind: string, id: string): Promise<Entry> => {
    const [entry] = (await log.history(1, undefined, { kind, id })).entries;
    return entry as Entry;
  };
  const related = async (kind: string, id: string): Promise<string[]> =>
    [...((await store.related(kind, [id], 20_000)).get(id) ?? [])].sort();

  ui.it('keeps the whole document of a deleted user, and the groups', async () => {
    const [ann] = await users(2);
    const photos = [{ value: 'https://example.org/ann.png' }];
    const cam = aUser({ photos, attributes: { desk: '7' }, active: false });
    await commit(createUser(cam));
    const groups = [await group('Crew', [ann, cam]), await group('Staff', [cam])];
    const left = await group('Left', [cam]);
    await commit(changeMembers(left.id, { add: [], remove: [cam.id] }));
    await commit(removeGroup(await group('Gone', [cam])), changeMembers(left.id, { isWhole: true, add: [] }));
    await commit(removeUser(cam));
    const entry = await newest('user', cam.id);
    expect(documentOf(entry)).to.deep.equal(cam);
    expect(entry.values?.before, 'what histories show').to.not.have.property('photos');
    expect([...(entry.values?.memberships ?? [])].sort()).to.deep.equal(idsOf(groups));
  });

  ui.it('keeps the whole document of a deleted group, and the members', async () => {
    const [ann, bob, ...others] = await users(4);
    const crew = await group('Crew', [ann, bob, ...others]);
    await commit(changeMembers(crew.id, { add: [], remove: [bob.id] }), removeUser(others[0] as User));
    await commit(removeGroup(crew));
    const entry = await newest('group', crew.id);
    expect(documentOf(entry)).to.deep.equal(crew.value);
    expect([...(entry.values?.memberships ?? [])].sort()).to.deep.equal(idsOf([ann, ...others.slice(1)]));
  });

  ui.it('keeps up to the maximum number of members, and none at all beyond it', async () => {
    const all = await users(maxMemberships + 1);
    const crew = await group('Crew', all);
    await commit(removeGroup(crew));
    const { before, kept, memberships } = (await newest('group', crew.id)).values ?? {};
    expect([before, kept, memberships]).to.deep.equal([
      ...[{ displayName: 'Crew' }, { meta: crew.meta }, undefined],
    ]);
    const most = idsOf(all.slice(1));
    await commit(restoreGroup(crew, most));
    expect(await related('group', crew.id)).to.deep.equal(most);
    await commit(removeGroup(crew));
    expect([...((await newest('group', crew.id)).values?.memberships ?? [])].sort()).to.deep.equal(most);
  });

  ui.it('has no memberships of a deleted user once the user is erased', async () => {
    const [ann, bob] = await users(2);
    await group('Crew', [ann, bob]);
    await commit(removeUser(ann, true), removeUser(bob));
    expect(await log.erase({ kind: 'user', id: bob.id })).to.equal(true);
    for (const { id } of [ann, bob]) {
      const entry = await newest('user', id);
      expect([entry.type, entry.values]).to.deep.equal(['user.deleted', undefined]);
    }
  });

  ui.it('restores a user with the groups that still exist', async () => {
    const [ann, bob] = await users(2);
    const [crew, staff, gone] = [await group('Crew', [ann, bob]), await group('Staff', []), randomUUID()];
    await commit(removeUser(ann));
    const again = changed(ann);
    const before = await log.latest();
    await commit(restoreUser(again, [crew.id, gone, staff.id]));
    expect((await store.find('user', ann.id))?.value).to.deep.equal(again);
    expect(await related('user', ann.id)).to.deep.equal(idsOf([crew, staff]));
    expect(await related('group', crew.id)).to.deep.equal(idsOf([ann, bob]));
    const { entries } = await log.history(9);
    const made = entries.filter(({ number }) => number > before).toReversed();
    const shown = made.map(({ type, id, version, added, values }) => [type, id, version, added, values]);
    const { id, meta, ...content } = again;
    expect(shown[0]).to.deep.equal([
      ...['user.restored', id, meta.version, undefined, { label: ann.userName, after: content }],
    ]);
    expect(shown.slice(1)).to.have.deep.members([
      ['group.members-changed', crew.id, `${crew.meta.version}.2`, [id], { label: 'Crew' }],
      ['group.members-changed', staff.id, `${staff.meta.version}.1`, [id], { label: 'Staff' }],
    ]);
    expect((await store.find('group', staff.id))?.membership).to.deep.equal({ memberCount: 1, revision: 1 });
    const own = (await log.history(9, undefined, { kind: 'user', id })).entries.map(({ type }) => type);
    expect(own.slice(0, 3)).to.have.members([
      ...['group.members-changed', 'group.members-changed', 'user.restored'],
    ]);
  });

  ui.it('restores a group with the members that still exist', async () => {
    const [ann, bob] = await users(2);
    const crew = await group('Crew', [ann, bob]);
    await commit(removeGroup(crew));
    await commit(restoreGroup(crew, [ann.id, randomUUID(), bob.id]));
    const found = await store.find('group', crew.id);
    expect([found?.value, found?.membership?.memberCount]).to.deep.equal([crew.value, 2]);
    expect(await related('group', crew.id)).to.deep.equal(idsOf([ann, bob]));
    const [change, restored] = (await log.history(2, undefined, { kind: 'group', id: crew.id })).entries;
    expect([...(change?.added ?? [])].sort()).to.deep.equal(idsOf([ann, bob]));
    expect([restored?.type, restored?.values]).to.deep.equal([
      ...['group.restored', { label: 'Crew', after: { displayName: 'Crew' } }],
    ]);
  });

  ui.it('restores a user and a group that were deleted together', async () => {
    const [ann, bob] = await users(2);
    const crew = await group('Crew', [ann, bob]);
    await commit(removeUser(ann), removeGroup(crew));
    const deletions = await Promise.all([newest('user', ann.id), newest('group', crew.id)]);
    const [groups = [], members = []] = deletions.map(({ values }) => values?.memberships);
    expect([...groups, ...members]).to.include.members([crew.id, bob.id]);
    await commit(restoreUser(ann, [crew.id]), restoreGroup(crew, [bob.id, ann.id]));
    expect(await related('group', crew.id)).to.deep.equal(idsOf([ann, bob]));
    expect(await related('user', ann.id)).to.deep.equal([crew.id]);
  });

  ui.it('changes nothing when the id or the name is taken', async () => {
    const [ann, bob] = await users(2);
    const crew = await group('Crew', [ann, bob]);
    const before = await log.latest();
    expect(await outcomesOf(restoreUser(ann, [crew.id]))).to.deep.equal(['id-taken']);
    const other = aUser({ userName: bob.userName.toUpperCase() });
    expect(await outcomesOf(restoreUser(other, [crew.id]))).to.deep.equal(['user-name-taken']);
    const twin = aGroup({ displayName: 'CREW' });
    expect(await outcomesOf(restoreGroup(twin, [ann.id]))).to.deep.equal(['display-name-taken']);
    expect(await log.read('start', 20).then(({ entries }) => entries.at(-1)?.number)).to.equal(before);
    expect(await store.find('user', other.id)).to.equal(undefined);
    expect(await related('user', ann.id)).to.deep.equal([crew.id]);
    expect((await store.find('group', crew.id))?.membership?.revision).to.equal(0);
  });
}
