import { expect } from 'chai';
import { type Ask, bulkOf, expectError, patchOf } from '../scim-client.ts';
import { aGroup, createGroup, giveGroups, groupUrn, membersOf, valuesOf } from './group-client.ts';

describe('Groups in the SCIM API with many members', () => {
  let ask: Ask;
  let users: string[];
  giveGroups('memory', (its) => {
    ask = its;
  });
  before(async () => {
    users = [];
    while (users.length < 10_001) {
      const operations = Array.from({ length: 1000 }, (_, at) => ({
        ...{ method: 'POST', path: '/Users' },
        data: {
          schemas: ['urn:ietf:params:scim:schemas:core:2.0:User'],
          userName: `many${users.length + at}`,
        },
      }));
      const made = (await ask('/Bulk', { method: 'POST', body: bulkOf(operations) })).json();
      for (const { location } of made.Operations as readonly { location: string }[])
        users.push(location.slice(-36));
    }
  });

  it('return up to 10,000 of them; beyond that, they return none', async () => {
    const all = users
      .slice(0, 10_000)
      .map((value) => ({ value, type: 'User', display: 'x', $ref: `/${value}` }));
    const { id, members } = await createGroup(ask, { members: all });
    expect(members?.map(({ value }) => value)).to.deep.equal(users.slice(0, 10_000).sort());
    const add = patchOf({ op: 'add', path: 'members', value: valuesOf(users.slice(10_000, 10_001)) });
    const answer = await ask(`/Groups/${id}?attributes=members`, { method: 'PATCH', body: add });
    expect(answer.json()).to.deep.equal({ schemas: [groupUrn], id });
    const { json } = await ask(
      `/Users?count=1&${new URLSearchParams({ filter: `groups.value eq "${id}"` })}`,
    );
    expect(json()).to.include({ totalResults: 10_001 });
  });

  it('accept at most 10,000 at a time', async () => {
    const { id } = await createGroup(ask);
    const many = valuesOf(users.slice(0, 10_001));
    expectError(
      await ask(`/Groups/${id}`, { method: 'PUT', body: aGroup({ members: many }) }),
      400,
      'invalidValue',
    );
    const halves = [many.slice(0, 5001), many.slice(5000)].map((value) => ({
      op: 'add',
      path: 'members',
      value,
    }));
    expectError(
      await ask(`/Groups/${id}`, { method: 'PATCH', body: patchOf(...halves) }),
      400,
      'invalidSyntax',
    );
    expect(await membersOf(ask, id)).to.deep.equal([]);
    const additions = users
      .slice(0, 10_000)
      .map((value) => ({ op: 'Add', path: 'members', value: [{ $ref: null, value, type: 'User' }] }));
    const added = await ask(`/Groups/${id}`, { method: 'PATCH', body: patchOf(...additions) });
    expect(added.status, added.text).to.equal(204);
    expect(await membersOf(ask, id)).to.have.length(10_000);
    const removals = users
      .slice(0, 2000)
      .map((user) => ({ op: 'remove', path: `members[value eq "${user}"]` }));
    expect((await ask(`/Groups/${id}`, { method: 'PATCH', body: patchOf(...removals) })).status).to.equal(
      204,
    );
  });
});
