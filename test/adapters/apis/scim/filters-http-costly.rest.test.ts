import { expect } from 'chai';
import { maxComparisons } from '../../../../src/adapters/apis/scim/filter/parse.ts';
import { until } from '../../../support/deadlines.ts';
import { aToken } from '../../../support/service.ts';
import { idOf } from '../../../support/sortable-users.ts';
import type { UserStore } from '../../../support/verbs.ts';
import {
  idsOf,
  inMemory,
  inSqlite,
  type Lists,
  onEachStore,
  pathOf,
  type Query,
  startLists,
} from './lists.ts';
import { found, meanings, someone } from './people.ts';

const people = someone(400);
const maxScanned = 100;

/** No index answers them, and they leave more than may be looked at. */
const costly = [
  'title pr',
  'displayName co "a"',
  'not (title eq "nobody")',
  'active eq true and title co "boss"',
  'name.familyName sw "hop" and not (nickName eq "x")',
  'userName eq "user-0" or nickName pr',
  frequentWords('T'),
];

/** As many alternatives as may be, each of which finds very many. @param mark makes another filter of it */
function frequentWords(mark: string): string {
  const words = ['c', 'cl', 'cle', 'cler', 'clerk'].map((start) => `title sw "${start}"`);
  const others = Array.from(
    { length: maxComparisons - words.length },
    (_, at) => `displayName sw "${mark}${at}"`,
  );
  return [...words, ...others].join(' or ');
}

/** An index answers these, however many they are, or leaves few. */
const cheap = [
  'active eq true',
  'roles eq "auditor"',
  'title sw "boss" and roles eq "auditor"',
  'userName eq "user-0"',
  'not (userName eq "nobody")',
  'not (roles eq "auditor")',
  'externalId pr and active ne false',
  '',
];

/** Every part of a query that may make it be read another way. */
const ways: readonly Exclude<Query, string>[] = [
  {},
  { count: 0 },
  { count: 1 },
  { startIndex: 5, sortBy: 'userName' },
  { cursor: '' },
  { cursor: '', sortBy: 'meta.created', sortOrder: 'descending' },
];

onEachStore('A filter that costs too much', (open) => {
  let lists: Lists;
  let read = 0;
  const counted: (number | undefined)[] = [];
  before(async () => {
    const opened = await open();
    lists = await startLists({ ...opened, store: counting(opened.store) }, people, { scim: { maxScanned } });
  });
  after(() => lists.discard());

  function counting(store: UserStore): UserStore {
    const list = store.list.bind(store);
    store.list = async (query) => {
      const users = await list(query);
      read += users.length;
      return users;
    };
    const count = store.count.bind(store);
    store.count = (conditions) => {
      counted.push(conditions.most);
      return count(conditions);
    };
    return store;
  }

  it('is counted only until it is refused', async () => {
    for (const filter of costly) {
      counted.length = 0;
      await lists.refuse({ filter });
      expect(counted, filter).to.deep.equal([maxScanned]);
    }
  });

  it('is refused as tooMany with a message, before its users are read', async () => {
    for (const filter of costly)
      for (const way of ways) {
        read = 0;
        const fault = await lists.refuse({ filter, ...way });
        expect(fault.scimType, filter).to.equal('tooMany');
        expect(fault.detail).to.match(/^More than 100 users would have to be looked at for this filter\. /);
        expect(fault.detail).to.contain(
          'userName, externalId, emails, roles, urn:ietf:params:scim:schemas:extension:enterprise:2.0:User:manager, urn:ietf:params:scim:schemas:extension:enterprise:2.0:User:employeeNumber or groups',
        );
        expect(read, filter).to.be.at.most(20);
      }
  });

  it('is also refused in a .search', async () => {
    const body = JSON.stringify({
      schemas: ['urn:ietf:params:scim:api:messages:2.0:SearchRequest'],
      filter: 'title pr',
    });
    const headers = { 'content-type': 'application/scim+json' };
    for (const path of ['/scim/v2/.search', '/scim/v2/Users/.search']) {
      const { status, text } = await lists.service.send(path, { method: 'POST', headers, body });
      expect([status, JSON.parse(text).scimType]).to.deep.equal([400, 'tooMany']);
    }
  });

  it('is only one that no index answers and that matches many users', async () => {
    for (const filter of cheap)
      for (const way of ways) {
        const list = await lists.list({ ...(filter && { filter }), ...way });
        if (filter in meanings) expect(list.totalResults, filter).to.equal(found(people, filter).length);
      }
    const bosses = await lists.list({ filter: 'title sw "the b" and active eq true', sortBy: 'id' });
    const wanted = people.filter(({ title, active }) => active && title === 'The Boss').map(({ id }) => id);
    expect(idsOf(bosses)).to.deep.equal(wanted);
  });

  it('includes comparisons of users with more groups than the limit', async () => {
    const outside = (groups: number) => {
      const those = Array.from({ length: groups }, (_, at) => `groups.value eq "${idOf(at)}"`);
      // An index decides memberships, unless an alternative has to be compared.
      return `title sw "the b" and (not (${those.join(' or ')}) or displayName co "x")`;
    };
    expect((await lists.list({ filter: outside(2) })).totalResults).to.equal(40);
    const { scimType, detail } = await lists.refuse({ filter: outside(3) });
    expect(scimType).to.equal('tooMany');
    expect(detail).to.match(/^More than 33 users /);
  });

  it('delays no other request, and later filters are answered', async () => {
    const [refused, answered] = await Promise.all([
      Promise.all(Array.from({ length: 30 }, () => lists.refuse({ filter: 'title pr' }))),
      Promise.all(Array.from({ length: 30 }, () => lists.list({ filter: 'userName eq "user-7919"' }))),
    ]);
    expect(refused.map(({ scimType }) => scimType)).to.deep.equal(
      Array.from({ length: 30 }, () => 'tooMany'),
    );
    for (const list of answered) expect(list.totalResults).to.equal(1);
  });
});

describe('Filters that have to examine all users', () => {
  it('do not delay filters with an index, however many of them run', async () => {
    const { store, discard } = await inMemory();
    const list = store.list.bind(store);
    let letGo: () => void = () => undefined;
    const held = new Promise<void>((resolve) => {
      letGo = resolve;
    });
    let scanning = 0;
    store.list = async (query) => {
      // A batch, and one more to see whether more follow.
      if (query.limit === 65) {
        scanning += 1;
        await held;
      }
      return list(query);
    };
    const lists = await startLists({ store, discard }, people);
    const scans = Array.from({ length: 60 }, (_, at) =>
      lists.list({ filter: `title co "${at}boss"`, count: 1 }),
    );
    await until('eight scan', () => scanning === 8);
    for (const filter of [
      'userName eq "user-7919"',
      'userName eq "nobody"',
      'roles eq "auditor"',
      'active eq true',
    ])
      expect((await lists.list({ filter, count: 5 })).totalResults).to.equal(
        filter.includes('nobody') ? 0 : found(people, filter.replace('user-7919', 'USER-7919')).length,
      );
    expect(scanning).to.equal(8);
    letGo();
    for (const { totalResults } of await Promise.all(scans)) expect(totalResults).to.equal(0);
    await lists.discard();
  });
});

describe('Filters that cost too much, with users in SQLite, which searches one after the other,', () => {
  let lists: Lists;
  let counting = 0;
  let letGo: () => void;
  before(async () => {
    const opened = await inSqlite();
    const count = opened.store.count.bind(opened.store);
    const held = new Promise<void>((resolve) => {
      letGo = resolve;
    });
    opened.store.count = async (conditions) => {
      counting += 1;
      await held;
      return count(conditions);
    };
    lists = await startLists(opened, people, { scim: { maxScanned } });
  });
  after(() => lists.discard());

  it('take turns with filters of other clients, however many there are', async () => {
    const tokens = await Promise.all(['greedy', 'other'].map((client) => aToken(undefined, '1h', client)));
    const [greedy, other] = tokens.map((token) => ({ headers: { authorization: `Bearer ${token}` } }));
    let refused = 0;
    const many = 60;
    /** Lists that one client may have under way. */
    const mostOfOne = 32;
    const asking = Array.from({ length: many }, async (_, at) => {
      const { status, text } = await lists.service.send(pathOf({ filter: frequentWords(`T${at}`) }), greedy);
      refused += 1;
      expect([status, JSON.parse(text).scimType]).to.deep.equal([400, 'tooMany']);
    });
    await until('some are under way', () => counting === mostOfOne);
    const asked = lists.service.send(pathOf({ filter: 'title sw "the b"', count: 5 }), other);
    await until('the other is there', () => counting > mostOfOne);
    letGo();
    const { status, text } = await asked;
    expect([status, JSON.parse(text).totalResults]).to.deep.equal([200, 40]);
    expect(refused).to.be.below(mostOfOne);
    await Promise.all(asking);
  });
});
