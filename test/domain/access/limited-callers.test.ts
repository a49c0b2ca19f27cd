/** The use cases of callers with an access profile. */

import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { markWrites } from '../../../src/adapters/stores/mark-writes.ts';
import { memoryStore } from '../../../src/adapters/stores/memory/store.ts';
import { limitedStores } from '../../../src/domain/access/limited-store.ts';
import { changeLogOf } from '../../../src/domain/changes/log.ts';
import {
  allOf,
  anyOf,
  type Condition,
  matchAll,
  matchNone,
  noneOf,
  usesFilter,
} from '../../../src/domain/find/conditions.ts';
import { byMember, byOwner } from '../../../src/domain/find/owners.ts';
import type { User } from '../../../src/domain/kinds/user/user.ts';
import { type Kinds, kindsOf } from '../../../src/domain/kinds.ts';
import type { Caller } from '../../../src/domain/ports.ts';
import { Stored } from '../../../src/domain/resource/stored.ts';
import { scopes } from '../../../src/domain/scopes.ts';
import type { Store, StoredResource, Write } from '../../../src/domain/store.ts';
import { groups } from '../../../src/domain/use-cases/groups.ts';
import { users } from '../../../src/domain/use-cases/users.ts';
import { DomainError, type UnknownMembers } from '../../../src/domain/validation/errors.ts';
import { refused } from '../../contract/refusals.ts';
import { aGroup } from '../../support/a-group.ts';
import { aUser, changed } from '../../support/a-user.ts';
import { asked } from '../../support/asked.ts';
import { cutOffUser } from '../../support/overflowing-users.ts';
import { profileOf, type Rules } from '../../support/profiles.ts';
import { tester } from '../../support/store-verbs.ts';
import { overridden } from '../../support/stores.ts';

const clock = { now: () => new Date() };
const ids = { id: randomUUID, version: randomUUID };
const everything: Caller = { id: 'operator', via: 'test', scopes: new Set(scopes) };
const callerWith = (rules: Rules): Caller => ({ ...everything, id: 'limited', access: profileOf(rules) });

const sales: Condition = { filter: 'department', key: 'sales' };
const inSales = { enterprise: { department: 'Sales' } };
const inLegal = { enterprise: { department: 'Legal' } };
const all = { read: '*', write: '*', create: true, delete: true } as const;
/** Of all groups, and of users in Sales. */
const clerk = callerWith({ user: { ...all, where: sales }, group: all });

class Directory {
  readonly store: Store;
  readonly kinds: Kinds;

  constructor(store: Store = memoryStore(), kinds = kindsOf()) {
    const profiles = { find: () => clerk.access, all: clerk.access ? [clerk.access] : [] };
    [this.store, this.kinds] = [markWrites(store, kinds, profiles), kinds];
  }

  get users() {
    return users(this.store, clock, ids, this.kinds);
  }

  get groups() {
    return groups(this.store, clock, ids, this.kinds);
  }

  async add(kind: 'user' | 'group', next: StoredResource, members?: readonly string[]): Promise<string> {
    const write: Write = { kind, id: next.id, op: 'create', next, members };
    expect(await this.store.commit([write], tester)).to.deep.equal(['done']);
    return next.id;
  }

  user = (content: Partial<User>) => this.add('user', Stored.of(aUser(content)));
  group = (...members: string[]) => this.add('group', aGroup(), members);

  async membersOf(group: string): Promise<readonly string[]> {
    return ((await this.store.related('group', [group], 20_000)).get(group) ?? []).toSorted();
  }

  async idsOf(caller: Caller, where: Condition): Promise<readonly string[]> {
    const { items, total } = await this.users.page(caller, { where, limit: 100, total: 'exact' });
    expect(total).to.equal(items.length);
    return items.map(({ id }) => id);
  }
}

describe('A user outside of the profile', () => {
  it('is not found by any read or write, and nothing of it changes', async () => {
    const directory = new Directory();
    const outside = await directory.user({ userName: 'lex', ...inLegal });
    const before = await directory.store.find('user', outside);
    const to = { userName: 'lex', ...inSales };
    for (const attempt of [
      () => directory.users.read(clerk, outside),
      () => directory.users.replace(clerk, outside, to),
      () => directory.users.change(clerk, outside, (user) => ({ ...user, ...to })),
      () => directory.users.patch(clerk, outside, { enterprise: inSales.enterprise }),
      () => directory.users.remove(clerk, outside),
    ])
      await refused(attempt(), 'user-not-found');
    // Whether or not there is such a user.
    await refused(directory.users.remove(clerk, outside, undefined, true), 'outside-of-profile');
    expect(await directory.users.readAll(clerk, [outside])).to.have.lengthOf(0);
    expect((await directory.store.find('user', outside))?.text).to.equal(before?.text);
    const { entries } = await changeLogOf(directory.store).history(10, undefined, {
      kind: 'user',
      id: outside,
    });
    expect(entries.map(({ values }) => values !== undefined)).to.deep.equal([true]);
  });

  it('reserves its name and its id, without being revealed', async () => {
    const directory = new Directory();
    const outside = await directory.user({ userName: 'lex', ...inLegal });
    const create = (input: object) => directory.users.create(clerk, { ...inSales, ...input });
    const { message, violations } = await refused(create({ userName: 'LEX' }), 'user-name-taken');
    expect(JSON.stringify([message, violations])).not.to.contain(outside);
    await refused(create({ userName: 'other', id: outside }), 'id-taken');
  });

  it('cannot be created, nor can another one be moved outside; nothing is changed', async () => {
    const directory = new Directory();
    await refused(directory.users.create(clerk, { userName: 'a', ...inLegal }), 'outside-of-profile');
    const inside = await directory.user({ userName: 'sam', ...inSales });
    const before = await directory.store.find('user', inside);
    for (const input of [{ userName: 'sam', ...inLegal }, { userName: 'sam' }]) {
      const { message } = await refused(directory.users.replace(clerk, inside, input), 'outside-of-profile');
      expect(message)
        .to.contain('tested')
        .and.not.to.match(/sales|legal/i);
    }
    await refused(directory.users.patch(clerk, inside, { enterprise: null }), 'outside-of-profile');
    expect((await directory.store.find('user', inside))?.text).to.equal(before?.text);
    expect(await directory.idsOf(everything, matchAll)).to.deep.equal([inside]);
  });

  it('is not found by a write during which it moves outside', async () => {
    const port = memoryStore();
    const user = aUser({ userName: 'sam', ...inSales });
    let moved: User | undefined;
    const directory = new Directory(
      overridden(port, {
        async commit(writes, by) {
          const before = Stored.of(user);
          if (writes[0]?.op === 'replace' && moved === undefined) {
            moved = changed(user, inLegal);
            await port.commit(
              [{ kind: 'user', id: user.id, op: 'replace', before, next: Stored.of(moved) }],
              by,
            );
          }
          return await port.commit(writes, by);
        },
      }),
    );
    await directory.add('user', Stored.of(user));
    await refused(directory.users.patch(clerk, user.id, { title: 'Boss' }), 'user-not-found');
    expect((await port.find('user', user.id))?.value).to.deep.equal(moved);
  });

  it('has no version that a write may name', async () => {
    const directory = new Directory();
    const { store } = directory;
    const outside = Stored.of(aUser(inLegal));
    await directory.add('user', outside);
    const next = Stored.of(changed(outside.value, inSales));
    const limited = limitedStores(store, kindsOf())(clerk);
    const named = { kind: 'user', id: outside.id, before: outside } as const;
    const outcomes = await limited.commit(
      [
        { ...named, op: 'replace', next },
        { ...named, op: 'remove' },
      ],
      tester,
    );
    expect(outcomes.map((one) => one instanceof DomainError && one.code)).to.deep.equal([
      'user-not-found',
      'user-not-found',
    ]);
    expect((await store.find('user', outside.id))?.text).to.equal(outside.text);
  });

  it('may be one that cannot be read, unless the filter is a negation', async () => {
    const directory = new Directory();
    const id = randomUUID();
    const broken = new Stored<User>(`{"id":"${id}","userName`);
    const port = overridden(directory.store, {
      find: async () => broken,
      page: async () => ({ items: [broken], more: false }),
    });
    const others = callerWith({ user: { read: '*', where: noneOf(sales), except: ['ims'] } });
    const found = async (caller: Caller) =>
      (await limitedStores(port, kindsOf())(caller).find('user', id))?.id;
    expect([await found(clerk), await found(others)]).to.deep.equal([undefined, id]);
    const { items } = await users(port, clock, ids).page(others, {
      where: noneOf(asked('x').where),
      limit: 9,
    });
    expect(items).to.deep.equal([]);
  });

  it('cannot be the value of an attribute that refers to a user', async () => {
    const kinds = kindsOf({ attributes: { mentor: { type: 'user' } } });
    const directory = new Directory(memoryStore(kinds), kinds);
    const [inside, outside] = [await directory.user({ ...inSales }), await directory.user({ ...inLegal })];
    const create = (mentor: string) =>
      directory.users.create(clerk, { userName: mentor, ...inSales, attributes: { mentor } });
    await create(inside);
    const { violations } = await refused(create(outside), 'invalid-user');
    const unknown = await refused(create(randomUUID()), 'invalid-user');
    expect(violations).to.deep.equal(unknown.violations);
  });
});

describe('A profile without creations and deletions', () => {
  it('changes resources, but neither makes, removes nor restores one', async () => {
    const directory = new Directory();
    const editor = callerWith({ user: { read: '*', write: '*' } });
    const id = await directory.user({ userName: 'sam' });
    await directory.users.patch(editor, id, { title: 'Boss' });
    const { message } = await refused(
      directory.users.create(editor, { userName: 'b' }),
      'outside-of-profile',
    );
    expect(message).to.equal('The profile tested does not create users.');
    for (const one of [id, randomUUID()])
      await refused(directory.users.remove(editor, one), 'outside-of-profile');
    await directory.users.remove(everything, id);
    await refused(directory.users.restore(editor, id, false), 'outside-of-profile');
  });

  it('has no resources of a kind that it leaves out', async () => {
    const directory = new Directory();
    const user = await directory.user({});
    const group = await directory.group(user);
    const reader = callerWith({ user: { read: '*' } });
    await refused(directory.groups.read(reader, group), 'group-not-found');
    const page = await directory.groups.page(reader, { where: matchAll, limit: 9, total: 'exact' });
    expect(page).to.deep.include({ items: [], total: 0, more: false });
    expect(await directory.groups.related(reader, 'user', [user], 9)).to.have.lengthOf(0);
  });
});

describe('A user that was deleted outside of the profile', () => {
  it('keeps its id and its history', async () => {
    const directory = new Directory();
    const [outside, inside] = [await directory.user({ ...inLegal }), await directory.user({ ...inSales })];
    for (const id of [inside, outside]) await directory.users.remove(everything, id);
    const create = (id: string) => directory.users.create(clerk, { id, userName: `new-${id}`, ...inSales });
    await refused(create(outside), 'id-taken');
    await create(inside);
    await refused(directory.users.remove(clerk, inside, undefined, true), 'outside-of-profile');
    expect((await directory.users.restore(everything, outside, false)).id).to.equal(outside);
  });
});

describe('A restored user', () => {
  it('must have been inside of the profile of the caller', async () => {
    const directory = new Directory();
    const [inside, outside] = [await directory.user({ ...inSales }), await directory.user({ ...inLegal })];
    for (const id of [inside, outside]) await directory.users.remove(everything, id);
    expect((await directory.users.restore(clerk, inside, false)).id).to.equal(inside);
    await refused(directory.users.restore(clerk, outside, false), 'not-restorable');
    expect(await directory.idsOf(everything, matchAll)).to.deep.equal([inside]);
  });
});

describe('The members of a group, for a profile with a filter for users,', () => {
  let directory: Directory;
  let [inside, other, outside, group]: string[] = [];

  beforeEach(async () => {
    directory = new Directory();
    inside = await directory.user({ ...inSales });
    other = await directory.user({ ...inSales });
    outside = await directory.user({ ...inLegal });
    group = await directory.group(inside, outside);
  });

  const change = (add: string[], remove: string[] = [], isWhole = false) =>
    directory.groups.change(
      clerk,
      String(group),
      (current) => ({ ...current, description: 'new' }),
      undefined,
      {
        ...{ add, remove, isWhole },
      },
    );
  const membersAre = async (...members: (string | undefined)[]) =>
    expect(await directory.membersOf(String(group))).to.deep.equal(members.toSorted());

  it('are counted for a single group only, without those outside', async () => {
    expect((await directory.groups.read(clerk, String(group))).membership?.memberCount).to.equal(1);
    const { items } = await directory.groups.page(clerk, { where: matchAll, limit: 9 });
    expect(items.map(({ shown }) => JSON.parse(shown))).to.have.lengthOf(1);
    for (const { shown } of items) expect(JSON.parse(shown)).not.to.have.property('memberCount');
    expect((await directory.groups.read(everything, String(group))).membership?.memberCount).to.equal(2);
  });

  it('are those inside', async () => {
    const [one, two, none] = [String(inside), String(outside), String(group)];
    expect(await directory.groups.isMember(clerk, none, one)).to.equal(true);
    expect(await directory.groups.isMember(clerk, none, two)).to.equal(false);
    await refused(directory.groups.assertMember(clerk, none, two), 'member-not-found');
    expect(await directory.groups.related(clerk, 'group', [none], 9)).to.deep.equal(new Map([[none, [one]]]));
    expect(await directory.groups.related(clerk, 'user', [one, two], 9)).to.deep.equal(
      new Map([[one, [none]]]),
    );
    expect(await directory.idsOf(clerk, { filter: byOwner, key: none })).to.deep.equal([one]);
  });

  it('cannot include a user outside, which counts as unknown', async () => {
    const [one, two] = [String(group), String(outside)];
    for (const user of [two, randomUUID()])
      for (const list of ['add', 'remove'] as const) {
        await refused(directory.groups.changeMember(clerk, one, list, user), 'user-not-found');
        const both = { add: [], remove: [], [list]: [String(inside), user] };
        const error = await refused(directory.groups.changeMembers(clerk, one, both), 'invalid-members');
        expect((error as UnknownMembers).unknown).to.deep.equal([
          { position: 1, detail: 'belongs to no user' },
        ]);
      }
    await refused(directory.groups.create(clerk, { displayName: 'n' }, undefined, [two]), 'invalid-members');
    await refused(change([String(inside), two], [], true), 'invalid-members');
    await membersAre(inside, outside);
  });

  it('stay if they are outside, also when all members are replaced', async () => {
    const written = await change([String(other)], [], true);
    expect(written.membership?.memberCount).to.equal(1);
    await membersAre(other, outside);
    await change([String(inside)], [String(outside), String(other)]);
    await membersAre(inside, outside);
    await change([], [], true);
    await membersAre(outside);
  });

  it('are all kept, however many callers change them and the group at once', async () => {
    const added = await Promise.all(Array.from({ length: 12 }, () => directory.user({ ...inSales })));
    const limited = callerWith({
      user: { ...all, where: sales },
      group: { ...all, where: noneOf({ filter: 'externalId', key: 'x' }) },
    });
    await Promise.all(
      added.flatMap((user, at) => [
        directory.groups.changeMember(limited, String(group), 'add', user),
        directory.groups.patch(limited, String(group), { description: `${at}` }),
      ]),
    );
    await membersAre(inside, outside, ...added);
  });

  for (const op of ['replace', 'members'] as const)
    it(`are replaced as a whole, even if users join while they are read: ${op}`, async () => {
      const port = directory.store;
      let joins = 1;
      const page: Store['page'] = async (kind, query) => {
        const found = await port.page(kind, query);
        const change = { add: [String(other)], remove: [] };
        if (usesFilter(query.where, byOwner) && query.limit > 0 && --joins === 0)
          await port.commit([{ kind: 'group', id: String(group), op: 'members', change }], tester);
        return found;
      };
      directory = new Directory(overridden(port, { page }));
      const members = { isWhole: true, add: [], remove: [] };
      if (op === 'members') await directory.groups.changeMembers(clerk, String(group), members);
      else await directory.groups.replace(clerk, String(group), { displayName: 'n' }, undefined, members);
      expect(joins).to.be.at.most(0);
      await membersAre(outside);
    });

  it('are not changed in a group outside, which is not found', async () => {
    const limited = callerWith({ user: all, group: { ...all, where: { filter: 'externalId', key: 'x' } } });
    const user = String(other);
    for (const list of ['add', 'remove'] as const) {
      await refused(directory.groups.changeMember(limited, String(group), list, user), 'group-not-found');
      const both = { add: [], remove: [], [list]: [user] };
      await refused(directory.groups.changeMembers(limited, String(group), both), 'group-not-found');
    }
    await refused(directory.groups.assertMember(limited, String(group), user), 'group-not-found');
    expect(await directory.idsOf(limited, { filter: byOwner, key: String(group) })).to.deep.equal([]);
    await membersAre(inside, outside);
  });

  it('are not changed in a group that moves outside at the same time', async () => {
    const port = directory.store;
    let moves = 1;
    const raced = overridden(port, {
      async commit(writes, by) {
        if (--moves === 0) await directory.groups.patch(everything, String(group), { externalId: 'x' });
        return await port.commit(writes, by);
      },
    });
    const limited = callerWith({
      user: all,
      group: { ...all, where: noneOf({ filter: 'externalId', key: 'x' }) },
    });
    const adding = new Directory(raced).groups.changeMember(limited, String(group), 'add', String(other));
    await refused(adding, 'group-not-found');
    await membersAre(inside, outside);
  });

  it('break off a list when their group moves outside while it is read', async () => {
    const limited = callerWith({
      user: all,
      group: { ...all, where: noneOf({ filter: 'externalId', key: 'x' }) },
    });
    const walk = directory.users.list(limited, {
      where: { filter: byOwner, key: String(group) },
      atOnce: () => 1,
    });
    await walk.next();
    await directory.groups.patch(everything, String(group), { externalId: 'x' });
    await refused(walk.next(), 'unavailable');
  });
});

describe('The members of a large group, for a profile with a filter for users,', () => {
  it('are not counted, nor replaced as a whole', async () => {
    const directory = new Directory();
    const members = Array.from({ length: 10_001 }, () => Stored.of(aUser(inSales)));
    const write = (next: StoredResource): Write => ({ kind: 'user', id: next.id, op: 'create', next });
    await directory.store.commit(members.map(write), tester);
    const group = await directory.group(...members.map(({ id }) => id));
    expect((await directory.groups.read(clerk, group)).membership).to.have.property('memberCount', undefined);
    const whole = { isWhole: true, add: [], remove: [] };
    const replace = () => directory.groups.replace(clerk, group, { displayName: 'n' }, undefined, whole);
    await refused(replace(), 'query-too-costly');
    await directory.groups.changeMember(clerk, group, 'remove', members[0]?.id ?? '');
    expect((await directory.groups.read(clerk, group)).membership?.memberCount).to.equal(10_000);
    expect((await replace()).membership?.memberCount).to.equal(0);
  });
});

describe('Members that a profile hides, or does not write,', () => {
  for (const [how, group, code] of [
    ['hidden', { ...all, except: ['members'] }, 'attribute-hidden'],
    ['not writable', { ...all, write: ['displayName'] }, 'attribute-read-only'],
  ] as const)
    it(`cannot be changed: ${how}`, async () => {
      const directory = new Directory();
      const [member, other] = [await directory.user({}), await directory.user({})];
      const id = await directory.group(member);
      const caller = callerWith({ user: all, group });
      for (const list of ['add', 'remove'] as const) {
        await refused(directory.groups.changeMember(caller, id, list, other), code);
        await refused(
          directory.groups.changeMembers(caller, id, { add: [], remove: [], [list]: [other] }),
          code,
        );
      }
      const whole = { isWhole: true, add: [other], remove: [] };
      const replace = (members: typeof whole) =>
        directory.groups.replace(caller, id, { displayName: 'n' }, undefined, members);
      await refused(replace(whole), code);
      if (how === 'hidden') await refused(replace({ ...whole, add: [member] }), code);
      else await replace({ ...whole, add: [member] });
      expect(await directory.membersOf(id)).to.deep.equal([member]);
    });

  it('are revealed nowhere', async () => {
    const directory = new Directory();
    const member = await directory.user({});
    const id = await directory.group(member);
    const caller = callerWith({ user: all, group: { ...all, except: ['members'] } });
    expect((await directory.groups.read(caller, id)).shown).not.to.contain('memberCount');
    await refused(directory.groups.isMember(caller, id, member), 'attribute-hidden');
    await refused(
      directory.groups.create(caller, { displayName: 'n' }, undefined, [member]),
      'attribute-hidden',
    );
    expect(await directory.groups.related(caller, 'group', [id], 9)).to.have.lengthOf(0);
    expect(await directory.groups.related(caller, 'user', [member], 9)).to.have.lengthOf(0);
  });
});

describe('A list by what the profile hides', () => {
  const limited = callerWith({
    user: { read: '*', except: ['emails', 'enterprise.department', 'title', 'validUntil'] },
    group: { read: '*', except: ['members'] },
  });
  const hidden: Readonly<Record<string, { where: Condition; sort?: object }>> = {
    'a filter': { where: { filter: 'email', key: 'a@b' } },
    'a filter by another name': { where: { filter: 'department', key: 'sales' } },
    existence: { where: { exists: 'email' } },
    'a negation in alternatives': {
      where: anyOf([{ filter: 'active', key: 'true' }, noneOf({ filter: 'title', key: 'x' })]),
    },
    'an order': { where: matchAll, sort: { by: 'title' } },
    'a range': { where: { sort: 'validUntil', from: '2026' } },
    'a membership': { where: { filter: byOwner, key: randomUUID() } },
    'a membership of any group': { where: { exists: byOwner } },
  };
  for (const [what, query] of Object.entries(hidden))
    it(`is refused: ${what}`, async () => {
      const directory = new Directory();
      await refused(directory.users.page(limited, { limit: 1, ...query }), 'attribute-hidden');
      await refused(directory.users.list(limited, query).next(), 'attribute-hidden');
      await directory.users.page(
        { ...limited, access: callerWith({ user: { read: '*' }, group: { read: '*' } }).access },
        { limit: 1, ...query },
      );
    });

  it('is answered if it names only visible members or dates', async () => {
    const { users: all } = new Directory();
    for (const by of ['created', 'lastModified', 'userName', 'displayName'])
      await all.page(limited, { where: { filter: 'active', key: 'true' }, sort: { by }, limit: 1 });
  });

  it('is refused if it asks for any group or member, and only some of them are inside', async () => {
    const directory = new Directory();
    const some = callerWith({
      user: { read: '*', where: sales },
      group: { read: '*', where: { filter: 'externalId', key: 'x' } },
    });
    await refused(directory.users.page(some, { where: { exists: byOwner }, limit: 1 }), 'attribute-hidden');
    await refused(
      directory.groups.page(some, { where: noneOf({ exists: byMember }), limit: 1 }),
      'attribute-hidden',
    );
  });
});

describe('A search by a profile that hides some of the searched members', () => {
  const limited = callerWith({ user: { read: '*', except: ['ims', 'nickName'] } });

  it('finds visible texts alone, and counts what it finds', async () => {
    const directory = new Directory();
    const [visible] = [
      await directory.user({ title: 'Quokka' }),
      await directory.user({ nickName: 'Quokka' }),
    ];
    expect(await directory.idsOf(limited, asked('quokka').where)).to.deep.equal([visible]);
    expect(await directory.idsOf(everything, asked('quokka').where)).to.have.lengthOf(2);
    const none = allOf([asked('quokka').where, { filter: 'active', key: 'false' }]);
    expect(await directory.idsOf(limited, none)).to.deep.equal([]);
    expect(await directory.idsOf(limited, matchNone)).to.deep.equal([]);
  });

  it('finds a visible text behind hidden ones that fill the search text', async () => {
    const directory = new Directory();
    const id = await directory.add('user', Stored.of(cutOffUser({})));
    expect(await directory.idsOf(everything, asked('engines').where)).to.deep.equal([]);
    expect(await directory.idsOf(limited, asked('engines').where)).to.deep.equal([id]);
  });

  it('skips and pages by what it finds, both ways', async () => {
    const directory = new Directory();
    const found: string[] = [];
    for (let at = 0; at < 150; at += 1) {
      const id = await directory.user(at % 3 === 0 ? { title: 'Quokka' } : { nickName: 'Quokka' });
      if (at % 3 === 0) found.push(id);
    }
    found.sort();
    const { where } = asked('quokka');
    const page = await directory.users.page(limited, { where, limit: 10, skip: 20, total: { most: 5 } });
    expect(page.items.map(({ id }) => id)).to.deep.equal(found.slice(20, 30));
    expect(page.total).to.be.above(5);
    const last = await directory.users.page(limited, { where, limit: 7, before: 'end' });
    expect(last.items.map(({ id }) => id)).to.deep.equal(found.slice(-7));
    expect(last.more).to.equal(true);
  });

  it('is refused if it would examine more than 10,000 users', async () => {
    const port = memoryStore();
    const endless = overridden(port, {
      page: async (kind, { after: _, ...query }) => ({ ...(await port.page(kind, query)), more: true }),
    });
    const directory = new Directory(endless);
    for (let made = 0; made < 64; made += 1) await directory.user({ nickName: 'Quokka' });
    const { where } = asked('quokka');
    await refused(directory.users.page(limited, { where, limit: 1 }), 'query-too-costly');
    await refused(directory.users.page(limited, { where, limit: 0, total: 'exact' }), 'query-too-costly');
  });

  it('is refused as an alternative to a membership', async () => {
    const directory = new Directory();
    const reader = callerWith({ user: { read: '*', except: ['ims'] }, group: { read: '*' } });
    const where = anyOf([asked('quokka').where, { filter: byOwner, key: randomUUID() }]);
    await refused(directory.users.page(reader, { where, limit: 1 }), 'query-too-costly');
  });
});
