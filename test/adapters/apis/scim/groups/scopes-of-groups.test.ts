import { expect } from 'chai';
import { type Scope, scopes } from '../../../../../src/domain/scopes.ts';
import { aToken } from '../../../../support/service.ts';
import { type Ask, aUser, bulkOf, expectError, type Json, patchOf } from '../scim-client.ts';
import { aGroup, createGroup, createUsers, giveGroups, membersOf, valuesOf } from './group-client.ts';

const searchOf = (filter: string): Json => ({
  ...{ schemas: ['urn:ietf:params:scim:api:messages:2.0:SearchRequest'], filter },
});

describe('Groups in the SCIM API, by scope,', () => {
  let ask: Ask;
  let [group, user] = ['', ''];
  giveGroups('memory', (its) => {
    ask = its;
  });
  before(async () => {
    [user = ''] = await createUsers(ask, 1);
    ({ id: group } = await createGroup(ask, { members: valuesOf([user]) }));
  });

  type Sent = readonly [method: string, path: string, body?: Json | undefined];
  /** With all scopes that it takes. */
  const requests = (): readonly (readonly [sent: Sent, taken: readonly Scope[]])[] => {
    const filter = new URLSearchParams({ filter: `groups.value eq "${group}"` });
    const add = patchOf({ op: 'add', path: 'members', value: valuesOf([user]) });
    return [
      [['GET', '/Groups'], ['groups:read']],
      [['GET', `/Groups?filter=members.value%20eq%20"${user}"`], ['groups:read']],
      [['GET', '/Groups?attributes=members'], ['groups:read']],
      [['GET', `/Groups/${group}`], ['groups:read']],
      [['POST', '/Groups/.search', searchOf(`members.value eq "${user}"`)], ['groups:read']],
      [['POST', '/Groups', aGroup({ members: valuesOf([user]) })], ['groups:write']],
      [['PUT', `/Groups/${group}`, aGroup()], ['groups:write']],
      [['PATCH', `/Groups/${group}`, add], ['groups:write']],
      [['DELETE', `/Groups/${group}`], ['groups:delete']],
      [
        ['GET', `/Users?${filter}`],
        ['users:read', 'groups:read'],
      ],
      [
        ['GET', '/Users?attributes=groups'],
        ['users:read', 'groups:read'],
      ],
      [
        ['GET', `/Users/${user}?attributes=groups`],
        ['users:read', 'groups:read'],
      ],
      [
        ['POST', '/Users/.search', searchOf(`groups eq "${group}"`)],
        ['users:read', 'groups:read'],
      ],
      [
        ['POST', '/Users?attributes=groups', aUser()],
        ['users:write', 'groups:read'],
      ],
      [
        ['PUT', `/Users/${user}?attributes=groups.display`, aUser()],
        ['users:write', 'groups:read'],
      ],
    ];
  };
  const includes = (held: readonly Scope[], scope: Scope): boolean =>
    held.includes(scope) ||
    (scope.endsWith(':read') && held.includes(scope.replace('read', 'write') as Scope));

  it('are out of reach without credentials, and with wrong or expired ones', async () => {
    const expired = `Bearer ${await aToken(scopes, '-1m')}`;
    for (const [[method, path, body]] of requests())
      for (const asked of [
        { anonymous: true },
        { headers: { authorization: 'Bearer wrong' } },
        { headers: { authorization: expired } },
      ])
        expectError(await ask(path, { method, body, ...asked }), 401);
  });

  it('are read and written with the scopes that this takes, and with no other one', async () => {
    const held = [
      [],
      ...scopes.map((scope) => [scope]),
      ...scopes.map((left) => scopes.filter((one) => one !== left)),
    ];
    const left: (readonly [Sent, readonly Scope[]])[] = [];
    for (const [[method, path, body], taken] of requests())
      for (const some of held) {
        if (taken.every((scope) => includes(some, scope))) left.push([[method, path, body], some]);
        else expectError(await ask(path, { method, body, scopes: some }), 403);
      }
    expect(await membersOf(ask, group)).to.deep.equal([user]);
    for (const [[method, path, body], some] of left) {
      const its = method === 'DELETE' ? `/Groups/${(await createGroup(ask)).id}` : path;
      const { status, text } = await ask(its, { method, body, scopes: some });
      expect(status, `${method} ${path} ${some} ${text}`).to.be.oneOf([200, 201, 204, 409]);
    }
  });

  it('are not shown by anything that users are reached by', async () => {
    const only = ['users:read', 'users:write', 'users:delete'];
    for (const path of [
      '/Users',
      `/Users/${user}`,
      '/Users?attributes=userName,urn:ietf:params:scim:schemas:core:2.0:User',
    ])
      expect((await ask(path, { scopes: only })).text).not.to.include(group);
    const all = await ask('/.search', { method: 'POST', body: searchOf('id pr'), scopes: only });
    expect(all.text).to.include(user).and.not.to.include(group);
    const add = {
      method: 'PATCH',
      path: `/Groups/${group}`,
      data: patchOf({ op: 'remove', path: 'members' }),
    };
    const { Operations } = (await ask('/Bulk', { method: 'POST', body: bulkOf([add]), scopes: only })).json();
    expect((Operations as readonly { status: string }[]).map(({ status }) => status)).to.deep.equal(['403']);
    expect(await membersOf(ask, group)).to.deep.equal([user]);
  });
});
