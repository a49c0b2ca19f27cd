import { expect } from 'chai';
import { coreUrn } from '../../../../support/scim-users.ts';
import { type Ask, aUser, bulk, bulkOf, expectError, giveScim, patchOf } from '../scim-client.ts';
import {
  aGroup,
  createGroup,
  createUsers,
  giveGroups,
  groupIn,
  groupUrn,
  membersOf,
  valuesOf,
} from './group-client.ts';

describe('A Bulk of users and groups', () => {
  let ask: Ask;
  giveGroups('SQLite', (its) => {
    ask = its;
  });
  const idOf = ({ location }: { readonly location?: string } = {}) => location?.slice(-36) ?? '';

  it('creates groups with members that it also creates, before or after them', async () => {
    const [old = ''] = await createUsers(ask, 1);
    const outcomes = await bulk(ask, [
      { method: 'POST', path: '/Users', bulkId: 'a', data: aUser() },
      {
        ...{ method: 'POST', path: '/Groups', bulkId: 'g' },
        data: aGroup({ members: valuesOf([old, 'bulkId:a', 'bulkId:b']) }),
      },
      { method: 'POST', path: '/Users', bulkId: 'b', data: aUser() },
      {
        ...{ method: 'PATCH', path: '/Groups/bulkId:g' },
        data: patchOf({ op: 'add', path: 'members', value: valuesOf(['bulkId:c']) }),
      },
      { method: 'POST', path: '/Users', bulkId: 'c', data: aUser() },
    ]);
    expect(outcomes.map(({ method, bulkId = '', status }) => `${method} ${bulkId} ${status}`)).to.deep.equal([
      ...['POST a 201', 'POST g 201', 'POST b 201', 'PATCH  200', 'POST c 201'],
    ]);
    const [a, group, b, , c] = outcomes.map(idOf);
    expect(await membersOf(ask, group ?? '')).to.deep.equal([old, a, b, c].sort());
    const { version } = groupIn(await ask(`/Groups/${group}`)).meta;
    expect(outcomes[3]?.version).to.equal(version);
  });

  it('fails for a group whose member could not be created, and names the missing member', async () => {
    const outcomes = await bulk(ask, [
      { method: 'POST', path: '/Groups', bulkId: 'g', data: aGroup({ members: valuesOf(['bulkId:a']) }) },
      { method: 'POST', path: '/Users', bulkId: 'a', data: { ...aUser(), userName: '' } },
      { method: 'PUT', path: '/Groups/bulkId:g', data: aGroup() },
      { method: 'POST', path: '/Users', data: aUser({ nickName: 'bulkId:g' }) },
    ]);
    expect(outcomes.map(({ status }) => status)).to.deep.equal(['400', '400', '400', '400']);
    expect(outcomes[0]?.response?.detail).to.include('A user is referred to');
    expect(outcomes[3]?.response?.detail).to.include('A group is referred to');
  });

  it('needs the scope of each operation', async () => {
    const group = await createGroup(ask);
    const operations = [
      { method: 'POST', path: '/Users', data: aUser() },
      { method: 'POST', path: '/Groups', data: aGroup() },
      { method: 'DELETE', path: `/Groups/${group.id}` },
    ];
    const statuses = async (...scopes: readonly string[]) =>
      (await bulk(ask, operations, {}, { scopes })).map(({ status }) => status);
    expect(await statuses('users:write')).to.deep.equal(['201', '403', '403']);
    operations[0] = { method: 'POST', path: '/Users', data: aUser() };
    expect(await statuses('groups:write')).to.deep.equal(['403', '201', '403']);
    expect(await statuses('groups:delete')).to.deep.equal(['403', '403', '204']);
    for (const scopes of [['users:read', 'groups:read'], []])
      expectError(await ask('/Bulk', { method: 'POST', body: bulkOf(operations), scopes }), 403);
  });
});

describe('A search of all resource types', () => {
  let ask: Ask;
  giveGroups('SQLite', (its) => {
    ask = its;
  });
  const urn = 'urn:ietf:params:scim:api:messages:2.0:SearchRequest';
  const search = (body: object, scopes = ['users:read', 'groups:read']) =>
    ask('/.search', { method: 'POST', body: { schemas: [urn], ...body }, scopes });
  let [users, groups]: [readonly string[], string[]] = [[], []];
  before(async () => {
    users = [...(await createUsers(ask, 5))].sort();
    for (let count = 0; count < 5; count += 1)
      groups.push(
        (await createGroup(ask, { displayName: `Users ${count}`, members: valuesOf(users.slice(0, 1)) })).id,
      );
    groups = groups.sort();
  });

  it('returns users before groups, in pages over both', async () => {
    const found = async (more: object) => {
      const answer = await search({ filter: 'displayName sw "user"', attributes: ['id'], ...more });
      const { totalResults, Resources } = answer.json();
      expect(totalResults, answer.text).to.equal(10);
      return (Resources as readonly { readonly id: string }[]).map(({ id }) => id);
    };
    const all = [...users, ...groups];
    expect(await found({})).to.deep.equal(all);
    for (let first = 0; first <= 10; first += 3)
      expect(await found({ startIndex: first + 1, count: 3 })).to.deep.equal(all.slice(first, first + 3));
    expect(await found({ count: 0 })).to.deep.equal([]);
    expect(await found({ filter: 'displayName co "ser"' })).to.deep.equal(all);
    expect(await found({ filter: 'not (displayName eq "x")', startIndex: 4, count: 4 })).to.deep.equal(
      all.slice(3, 7),
    );
  });

  it('has pages by cursor, forwards and backwards', async () => {
    for (const filter of ['displayName sw "user"', 'displayName co "ser"'])
      for (let count = 1; count <= 10; count += 1) {
        const pages: (readonly string[])[] = [];
        const read = async (cursor: string) => {
          const page = (await search({ filter, count, cursor })).json();
          const ids = (page.Resources as readonly { readonly id: string }[]).map(({ id }) => id);
          return { ...page, ids } as { ids: string[]; nextCursor?: string; previousCursor?: string };
        };
        let previous: string | undefined;
        for (let cursor: string | undefined = ''; cursor !== undefined; ) {
          const page = await read(cursor);
          pages.push(page.ids);
          [cursor, previous] = [page.nextCursor, page.previousCursor];
        }
        expect(pages.flat()).to.deep.equal([...users, ...groups]);
        expect(pages.every(({ length }) => length > 0 && length <= count)).to.equal(true);
        const back: (readonly string[])[] = [];
        while (previous !== undefined) {
          const page = await read(previous);
          back.unshift(page.ids);
          previous = page.previousCursor;
        }
        expect(back).to.deep.equal(pages.slice(0, -1));
      }
  });

  it('treats attributes that a type lacks as absent', async () => {
    const total = async (filter: string, more: object = {}) => {
      const answer = await search({ filter, ...more });
      expect(answer.status, answer.text).to.equal(200);
      return answer.json().totalResults;
    };
    expect(await total('userName pr')).to.equal(5);
    expect(await total('not (userName pr)')).to.equal(5);
    expect(await total('userName sw "user" or displayName eq "users 1"', { sortBy: 'userName' })).to.equal(6);
    expect(await total(`members.value eq "${users[0]}"`)).to.equal(5);
    expect(await total(`groups.value eq "${groups[0]}" or members.value eq "${users[0]}"`)).to.equal(6);
    for (const [filter, found] of [
      [`${groupUrn}:displayName co "ser"`, 5],
      [`${groupUrn}:displayName co "ser" or userName eq "nobody"`, 5],
      [`not (${coreUrn}:displayName co "ser")`, 5],
      [`${coreUrn}:displayName ne null and displayName co "ser"`, 5],
    ] as const)
      expect(await total(filter), filter).to.equal(found);
    const shown = await search({ attributes: [`${groupUrn}:displayName`], filter: 'displayName co "ser"' });
    expect(shown.text.match(/"displayName"/g)).to.have.length(5);
    expectError(await search({ filter: 'nothing pr' }), 400, 'invalidFilter');
    expectError(await search({ sortBy: 'nickName' }), 400, 'invalidValue');
  });

  it('returns only the types that the client may read', async () => {
    for (const [scopes, found] of [
      [['users:read'], users],
      [['groups:read'], groups],
    ] as const) {
      const answer = await search({ filter: 'displayName co "ser"', cursor: '' }, [...scopes]);
      expect((answer.json().Resources as readonly { id: string }[]).map(({ id }) => id)).to.deep.equal(found);
    }
    expectError(await search({}, ['users:delete']), 403);
    expectError(await search({ filter: `groups.value eq "${groups[0]}"` }, ['users:read']), 403);
  });
});

describe('A search of all resource types by an attribute of one type', () => {
  let ask: Ask;
  giveScim(
    (its) => {
      ask = its;
    },
    { scim: { maxScanned: 20 } },
  );

  it('looks at no resource of the other types, nor does one by the type itself', async () => {
    for (let count = 0; count < 25; count += 1) await createGroup(ask);
    const [user] = await createUsers(ask, 1);
    for (const filter of [
      ...['title co "x"', 'name.familyName sw "x"', 'emails[type eq "work" and value co "x"]', 'nickName pr'],
      ...['title eq null and nickName ne "x" and userName pr', 'validUntil gt "2026-01-01T00:00:00Z"'],
      ...['meta.resourceType eq "User" and title pr', 'not (meta.resourceType ne "User") and title pr'],
    ]) {
      const answer = await ask('/.search', { method: 'POST', body: { filter } });
      expect(answer.status, `${filter}: ${answer.text}`).to.equal(200);
      const ids = (answer.json().Resources as readonly { id: string }[]).map(({ id }) => id);
      expect(ids, filter).to.deep.equal(filter.includes('null') ? [user] : []);
    }
  });
});
