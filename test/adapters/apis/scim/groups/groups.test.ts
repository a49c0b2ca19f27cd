import { expect } from 'chai';
import { type Ask, expectError, type Json, nobody, patchOf } from '../scim-client.ts';
import {
  aGroup,
  createGroup,
  createUsers,
  giveGroups,
  groupIn,
  groupUrn,
  membersOf,
  onEachStore,
  valuesOf,
} from './group-client.ts';

describe('Groups in the SCIM API', () => {
  onEachStore((store) => {
    let ask: Ask;
    let users: readonly string[];
    giveGroups(store, (its) => {
      ask = its;
    });
    before(async () => {
      users = [...(await createUsers(ask, 4))].sort();
    });
    const some = (...at: readonly number[]) => at.map((one) => users[one] ?? '');
    const list = async (query: Readonly<Record<string, string>>, path = '/Groups') => {
      const answer = await ask(`${path}?${new URLSearchParams(query)}`);
      expect(answer.status, answer.text).to.equal(200);
      return JSON.parse(answer.text) as { totalResults: number; Resources: readonly Json[] };
    };
    const idsOf = ({ Resources }: { Resources: readonly Json[] }) => Resources.map(({ id }) => id);

    it('are created with their members, and returned with them', async () => {
      const { meta, ...group } = await createGroup(ask, {
        ...{ displayName: 'Engineering', externalId: 'e7', description: 'Engines' },
        members: [
          { value: users[1], display: 'x', type: 'User', $ref: 'y' },
          { value: users[0]?.toUpperCase() },
        ],
      });
      expect(group).to.deep.equal({
        ...{
          schemas: [groupUrn],
          id: group.id,
          displayName: 'Engineering',
          externalId: 'e7',
          description: 'Engines',
        },
        members: some(0, 1).map((value) => ({
          ...{ value, display: group.members?.find((one) => one.value === value)?.display, type: 'User' },
          $ref: `/scim/v2/Users/${value}`,
        })),
      });
      expect(group.members?.map(({ display }) => display).join()).to.match(/^User \d,User \d$/);
      const read = await ask(`/Groups/${group.id}`);
      expect(read.json()).to.deep.equal({ ...group, meta });
      expect(read.headers.get('etag')).to.equal(meta.version);
      expect(read.headers.get('last-modified')).to.equal(null);
      expect((await createGroup(ask)).members).to.deep.equal([]);
    });

    it('name their members only to clients that may read users', async () => {
      const { id } = await createGroup(ask, { members: valuesOf(some(0)) });
      const { members } = groupIn(await ask(`/Groups/${id}`, { scopes: ['groups:read'] }));
      expect(members).to.deep.equal([{ value: users[0], type: 'User', $ref: `/scim/v2/Users/${users[0]}` }]);
    });

    it('omit members when parameters exclude them, and in lists unless requested', async () => {
      const { id } = await createGroup(ask, { members: valuesOf(some(0)) });
      for (const query of ['excludedAttributes=members', 'attributes=displayName'])
        expect((await ask(`/Groups/${id}?${query}`)).json()).not.to.have.property('members');
      const filter = `id eq "${id}"`;
      const { Resources } = await list({ filter });
      expect(Resources[0]).not.to.have.property('members');
      const asked = await list({ filter, attributes: 'members.value' });
      expect(asked.Resources).to.deep.equal([{ schemas: [groupUrn], id, members: valuesOf(some(0)) }]);
    });

    it('have an empty list when sub-attributes of members are requested and there are no members', async () => {
      const { id } = await createGroup(ask);
      const empty = { schemas: [groupUrn], id, members: [] };
      for (const attributes of ['members.value', 'members.value,members.$ref'])
        expect((await ask(`/Groups/${id}?${new URLSearchParams({ attributes })}`)).json()).to.deep.equal(
          empty,
        );
      const { members } = groupIn(await ask(`/Groups/${id}?excludedAttributes=members.display`));
      expect(members).to.deep.equal([]);
      const { Resources } = await list({ filter: `id eq "${id}"`, attributes: 'members.value' });
      expect(Resources).to.deep.equal([empty]);
    });

    it('are found by name, key and member, in any combination', async () => {
      const one = await createGroup(ask, { displayName: 'Finders A', members: valuesOf(some(0, 1)) });
      const two = await createGroup(ask, {
        displayName: 'Finders B',
        externalId: 'F1',
        members: valuesOf(some(1)),
      });
      const both = [one.id, two.id];
      const cases: readonly (readonly [string, readonly string[]])[] = [
        ['displayName eq "FINDERS a"', [one.id]],
        ['displayName sw "finders"', both],
        ['displayName co "ders B"', [two.id]],
        ['externalId eq "F1"', [two.id]],
        [`id eq "${one.id}"`, [one.id]],
        [`displayName sw "finders" and members.value eq "${users[0]?.toUpperCase()}"`, [one.id]],
        [`displayName co "inders" and members eq "${users[1]}"`, both],
        [`displayName sw "finders" and members[value eq "${users[0]}"]`, [one.id]],
        [`displayName sw "finders" and not (members.value eq "${users[0]}")`, [two.id]],
        [`externalId eq "F1" or (displayName co "ders a" and members.value eq "${users[0]}")`, both],
        [`displayName co "inders" and members.value eq "${nobody}"`, []],
        ['displayName co "inders" and not (members.value eq "no id")', both],
        ['displayName co "inders" and members pr', both],
        ['displayName co "inders" and not (members pr)', []],
        ['externalId eq "F1" and members pr', [two.id]],
        [`not (members.value eq "${users[0]}") and (externalId eq "F1" and members pr)`, [two.id]],
      ];
      for (const [filter, found] of cases) {
        const page = await list({ filter });
        expect([...idsOf(page)].sort(), filter).to.deep.equal([...found].sort());
        expect(page.totalResults, filter).to.equal(found.length);
      }
      for (const filter of [
        'members.value pr',
        'members[value pr]',
        'members eq null',
        'members.value co "x"',
        'members.display eq "x"',
        'members.value ne "x"',
        'members[value eq "x" and type eq "User"]',
      ])
        expectError(await ask(`/Groups?${new URLSearchParams({ filter })}`), 400, 'invalidFilter');
    });

    it('have tags that change with their members, as locks too', async () => {
      const { id, meta } = await createGroup(ask, { members: valuesOf(some(0)) });
      const held = { 'if-none-match': meta.version };
      expect((await ask(`/Groups/${id}`, { headers: held })).status).to.equal(304);
      const dated = { 'if-modified-since': 'Fri, 01 Jan 2100 00:00:00 GMT' };
      expect((await ask(`/Groups/${id}`, { headers: dated })).status).to.equal(200);
      const add = patchOf({ op: 'add', path: 'members', value: valuesOf(some(1)) });
      const locked = { 'if-match': meta.version };
      expect((await ask(`/Groups/${id}`, { method: 'PATCH', body: add, headers: locked })).status).to.equal(
        204,
      );
      expect((await ask(`/Groups/${id}`, { headers: held })).status).to.equal(200);
      for (const [method, body] of [
        ['PATCH', add],
        ['PUT', aGroup()],
        ['DELETE', undefined],
      ] as const)
        expectError(await ask(`/Groups/${id}`, { method, body, headers: locked }), 412);
      // Nothing has changed: nor has the tag.
      const { version } = groupIn(await ask(`/Groups/${id}`)).meta;
      await ask(`/Groups/${id}`, { method: 'PATCH', body: add });
      expect(groupIn(await ask(`/Groups/${id}`)).meta.version).to.equal(version);
      const gone = await ask(`/Groups/${id}`, { method: 'DELETE', headers: { 'if-match': version } });
      expect(gone.status).to.equal(204);
      expectError(await ask(`/Groups/${id}`), 404);
    });

    it('are replaced with their members, or keep their members if the body omits them', async () => {
      const { id } = await createGroup(ask, { members: valuesOf(some(0, 1)) });
      const put = async (more: Json) => {
        const answer = await ask(`/Groups/${id}`, { method: 'PUT', body: aGroup(more) });
        expect(answer.status, answer.text).to.equal(200);
        expect(groupIn(answer).members).to.deep.equal(groupIn(await ask(`/Groups/${id}`)).members);
        return membersOf(ask, id);
      };
      expect(await put({})).to.deep.equal(some(0, 1));
      expect(await put({ members: valuesOf(some(1, 2, 2)) })).to.deep.equal(some(1, 2));
      expect(await put({ members: users[3] === undefined ? [] : [users[3]] })).to.deep.equal(some(3));
      for (const members of [null, '', {}, [{}], [{ value: null }], [{ value: users[0], x: 1 }], 'x', [null]])
        expect((await ask(`/Groups/${id}`, { method: 'PUT', body: aGroup({ members }) })).status).to.equal(
          400,
        );
      expect(await membersOf(ask, id)).to.deep.equal(some(3));
      expect(await put({ members: [] })).to.deep.equal([]);
    });

    it('refuse members that are not users, with their ids, and names that are taken', async () => {
      const { id, displayName } = await createGroup(ask, { members: valuesOf(some(0)) });
      for (const [method, path, body] of [
        ['POST', '/Groups', aGroup({ members: valuesOf([...some(1), nobody]) })],
        ['PUT', `/Groups/${id}`, aGroup({ members: valuesOf([nobody]) })],
        ['PATCH', `/Groups/${id}`, patchOf({ op: 'add', path: 'members', value: valuesOf([nobody]) })],
      ] as const)
        expect(expectError(await ask(path, { method, body }), 400, 'invalidValue')).to.include(nobody);
      const nested = aGroup({ members: [{ value: id, type: 'Group' }] });
      expect(
        expectError(await ask('/Groups', { method: 'POST', body: nested }), 400, 'invalidValue'),
      ).to.include('Group');
      const untyped = aGroup({ members: valuesOf([id]) });
      expect(
        expectError(await ask('/Groups', { method: 'POST', body: untyped }), 400, 'invalidValue'),
      ).to.include('is a group');
      const taken = aGroup({ displayName: displayName.toUpperCase() });
      expectError(await ask('/Groups', { method: 'POST', body: taken }), 409, 'uniqueness');
      expect(await membersOf(ask, id)).to.deep.equal(some(0));
    });

    it('are returned with a user on request, and find users', async () => {
      const [user = ''] = await createUsers(ask, 1);
      const one = await createGroup(ask, { members: valuesOf([user]) });
      const two = await createGroup(ask, { members: valuesOf([user, ...some(2)]) });
      const groups = [one, two]
        .sort((a, b) => (a.id < b.id ? -1 : 1))
        .map(({ id, displayName }) => ({
          ...{ value: id, display: displayName, type: 'direct', $ref: `/scim/v2/Groups/${id}` },
        }));
      const shown = await ask(`/Users/${user}?attributes=userName,groups,meta`);
      expect(shown.json().groups).to.deep.equal(groups);
      expect(shown.json().meta).not.to.have.property('version');
      for (const field of ['etag', 'last-modified']) expect(shown.headers.get(field)).to.equal(null);
      expect((await ask(`/Users/${user}`)).json()).not.to.have.property('groups');
      const { Resources } = await list(
        { filter: `id eq "${user}"`, attributes: 'groups.value,meta' },
        '/Users',
      );
      expect(Resources[0]?.groups).to.deep.equal(groups.map(({ value }) => ({ value })));
      expect(Resources[0]?.meta).to.include({ resourceType: 'User' }).and.not.have.property('version');
      for (const [filter, found] of [
        [`groups.value eq "${two.id}"`, [user, ...some(2)]],
        [`groups eq "${two.id}" and not (groups.value eq "${one.id}")`, some(2)],
        [`displayName co "ser" and groups.value eq "${one.id}"`, [user]],
        [`groups pr and not (groups.value eq "${one.id}") and groups.value eq "${two.id}"`, some(2)],
        [`not (groups pr) and groups.value eq "${two.id}"`, []],
        [`id eq "${user}" and displayName co "ser" and groups pr`, [user]],
        [`id eq "${user}" and displayName co "ser" and not (groups pr)`, []],
      ] as const)
        expect([...idsOf(await list({ filter }, '/Users'))].sort(), filter).to.deep.equal([...found].sort());
      const scopes = ['users:write'];
      for (const path of [
        `/Users/${user}?attributes=groups`,
        '/Users?attributes=groups.value',
        `/Users?${new URLSearchParams({ filter: `not (groups.value eq "${one.id}")` })}`,
        `/Users?${new URLSearchParams({ filter: 'groups.value eq "x"' })}`,
        `/Users?${new URLSearchParams({ filter: 'groups pr' })}`,
        `/Users?${new URLSearchParams({ filter: 'title co "x" and not (groups pr)' })}`,
      ])
        expect(expectError(await ask(path, { scopes }), 403)).to.include('groups:read');
      const whole = await ask(`/Users/${user}?attributes=urn:ietf:params:scim:schemas:core:2.0:User`, {
        scopes,
      });
      expect(whole.status).to.equal(200);
      const rename = patchOf({ op: 'replace', path: 'title', value: 'changed' });
      expectError(
        await ask(`/Users/${user}?attributes=groups`, { method: 'PATCH', body: rename, scopes }),
        403,
      );
      expect((await ask(`/Users/${user}`)).json()).not.to.have.property('title');
    });
  });
});
