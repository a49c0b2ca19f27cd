import { expect } from 'chai';
import { matching } from '../../src/domain/find/conditions.ts';
import type { FilterName, Filters } from '../../src/domain/find/filters.ts';
import type { User } from '../../src/domain/kinds/user/user.ts';
import { aUser, changed } from '../support/a-user.ts';
import { filterNames, makeKeys } from '../support/kinds.ts';
import { positionAt } from '../support/plain-store.ts';
import type { Bench } from './user-store.ts';

const oddKeys = [
  '$where',
  '$',
  'a.b',
  '.',
  "it's",
  '"',
  '\\',
  '%',
  '_',
  '*',
  'null',
  'true',
  '0',
  '007',
  'é',
  'e\u0301',
  '👩‍🚀',
  'ﬀ',
  ' a',
  '{"$gt":""}',
];

const rich = (index: number): User =>
  aUser({
    userName: `Rich-${index}`,
    externalId: `ext-${index}`,
    emails: [{ value: `Rich${index}@Example.org` }, { value: 'shared@example.org' }],
    active: index % 2 === 0,
    roles: ['staff', `role-${index}`],
    userType: 'Employee',
    title: 'Søfarer',
    addresses: [{ locality: 'Ålborg' }, { locality: `Town ${index}` }],
    enterprise: {
      ...{ department: `Forschung ${index % 2} & Søn`, manager: { value: `Boss-${index % 2}` } },
      ...{ costCenter: 'K 7', employeeNumber: `E-${index}` },
    },
  });

const byId = (users: readonly User[]): User[] => [...users].sort((a, b) => (a.id < b.id ? -1 : 1));

/** The plain meaning of a filter, with which the store is compared. */
const havingAll = (users: readonly User[], filters: Filters): User[] =>
  byId(users).filter((user) => {
    const keys = makeKeys(user).filters.map((pair) => pair.join(':'));
    return Object.entries(filters).every((pair) => keys.includes(pair.join(':')));
  });

function exactCases({ ui, store }: Bench): void {
  const found = (filters: Filters): Promise<User[]> => store().list({ where: matching(filters), limit: 100 });

  ui.it('finds by each filter exactly the users with the key', async () => {
    const users = [0, 1, 2, 3].map(rich);
    for (const user of users) await store().insert(user);
    const tried = new Set<FilterName>();
    for (const [filter, key] of users.flatMap((user) => makeKeys(user).filters)) {
      tried.add(filter);
      expect(await found({ [filter]: key }), `${filter} ${key}`).to.deep.equal(
        havingAll(users, { [filter]: key }),
      );
    }
    // The filter by membership has its own cases (group-store.ts).
    expect([...tried, 'group']).to.have.members(filterNames);
  });
  ui.it('finds no user by an unused key, or by a key of another filter', async () => {
    await store().insert(rich(0));
    for (const filter of filterNames) expect(await found({ [filter]: 'nobody' }), filter).to.deep.equal([]);
    expect(await found({ role: 'ext-0' })).to.deep.equal([]);
    expect(await found({ role: 'role' })).to.deep.equal([]);
    expect(await found({ role: 'ROLE-0' })).to.deep.equal([]);
  });
  ui.it('takes keys literally, whatever they mean to a query language', async () => {
    const users = oddKeys.map((key) => aUser({ externalId: key, roles: [key] }));
    for (const user of users) await store().insert(user);
    for (const [index, key] of oddKeys.entries()) {
      expect(await found({ externalId: key }), key).to.deep.equal([users[index]]);
      expect(await found({ role: key }), key).to.deep.equal([users[index]]);
    }
  });
  ui.it('finds only users that all filters match', async () => {
    const users = [0, 1, 2, 3, 4, 5].map(rich);
    for (const user of users) await store().insert(user);
    const combinations: Filters[] = [
      { active: 'true', role: 'staff' },
      { role: 'role-2', active: 'true' },
      { role: 'role-2', active: 'false' },
      {
        userName: 'rich-3',
        externalId: 'ext-3',
        email: 'shared@example.org',
        active: 'false',
        role: 'staff',
      },
      {
        userName: 'rich-3',
        externalId: 'ext-4',
        email: 'shared@example.org',
        active: 'false',
        role: 'staff',
      },
    ];
    for (const filters of combinations) {
      expect(await found(filters), JSON.stringify(filters)).to.deep.equal(havingAll(users, filters));
    }
  });
  ui.it('pages through matching users, in the order of their ids', async () => {
    const users = Array.from({ length: 25 }, (_, index) => rich(index));
    for (const user of users) await store().insert(user);
    const filters: Filters = { active: 'true', role: 'staff' };
    const seen: User[] = [];
    for (;;) {
      const page = await store().list({
        where: matching(filters),
        after: positionAt(seen.at(-1)?.id),
        limit: 4,
      });
      expect(page.length).to.be.at.most(4);
      seen.push(...page);
      if (page.length === 0) break;
    }
    expect(seen).to.deep.equal(havingAll(users, filters));
  });
}

function followingCases({ ui, store }: Bench): void {
  const found = (filters: Filters): Promise<User[]> => store().list({ where: matching(filters), limit: 100 });

  ui.it('finds a replaced user by its new keys and no longer by the old ones', async () => {
    const user = rich(1);
    await store().insert(user);
    const next = changed(user, {
      userName: 'renamed',
      externalId: 'ext-new',
      emails: [{ value: 'shared@example.org' }],
      active: true,
      roles: ['staff', 'role-new'],
    });
    await store().replace(next, user.meta.version);
    const newKeys = new Set(makeKeys(next).filters.map((pair) => pair.join(':')));
    for (const [filter, key] of [...makeKeys(user).filters, ...makeKeys(next).filters]) {
      const expected = newKeys.has(`${filter}:${key}`) ? [next] : [];
      expect(await found({ [filter]: key }), `${filter} ${key}`).to.deep.equal(expected);
    }
  });
  ui.it('finds a removed user by none of its keys, even if its id is used again', async () => {
    const user = rich(1);
    await store().insert(user);
    await store().remove(user.id, user.meta.version);
    for (const [filter, key] of makeKeys(user).filters)
      expect(await found({ [filter]: key })).to.deep.equal([]);
    const next = aUser({ id: user.id });
    await store().insert(next);
    expect(await found({ role: 'staff' })).to.deep.equal([]);
    expect(await found({ active: 'true' })).to.deep.equal([next]);
  });
  ui.it('finds a user by its old keys after a refused write', async () => {
    const [user, other] = [rich(1), rich(2)];
    await store().insert(user);
    await store().insert(other);
    await store().replace(changed(user, { roles: ['lost'] }), 'another version');
    await store()
      .replace(changed(user, { userName: other.userName, roles: ['lost'] }), user.meta.version)
      .catch(() => {});
    await store()
      .insert(aUser({ userName: other.userName, roles: ['lost'] }))
      .catch(() => {});
    expect(await found({ role: 'lost' })).to.deep.equal([]);
    expect(await found({ role: 'role-1' })).to.deep.equal([user]);
  });
}

export function filterCases(bench: Bench): void {
  bench.ui.describe('asked for filters', () => {
    exactCases(bench);
    followingCases(bench);
  });
}
