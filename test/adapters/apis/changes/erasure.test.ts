import { expect } from 'chai';
import { type Directory, openDirectory } from './directory.ts';

/** How each kind of resource is written, and what is left of it in the log if it isn't erased. */
const kinds = {
  user: {
    path: '/users',
    first: { userName: 'ada', title: 'Analyst' },
    next: { title: 'Countess' },
    other: { userName: 'babbage' },
  },
  group: {
    path: '/groups',
    first: { displayName: 'ada', description: 'Analyst' },
    next: { description: 'Countess' },
    other: { displayName: 'babbage' },
  },
} as const;

/** Its DELETE. */
const places = {
  '/users/{id}': { kind: 'user', at: '/users' },
  '/groups/{id}': { kind: 'group', at: '/groups' },
  '/scim/v2/Users/{id}': { kind: 'user', at: '/scim/v2/Users' },
  '/scim/v2/Groups/{id}': { kind: 'group', at: '/scim/v2/Groups' },
} as const;

for (const [place, { kind, at }] of Object.entries(places))
  describe(`DELETE ${place}?erase=true`, () => {
    const { path, first, next, other: otherOne } = kinds[kind];
    let directory: Directory;
    beforeEach(async () => {
      directory = await openDirectory();
    });
    afterEach(() => directory.close());
    const remove = (id: string, query: string, headers = {}) =>
      directory.send(`${at}/${id}${query}`, { method: 'DELETE', headers });

    it(`deletes the ${kind} and erases its values in the history, except what was changed, when and by whom`, async () => {
      const id = await directory.write('POST', path, first);
      await directory.write('PATCH', `${path}/${id}`, next, 'billing');
      const other = await directory.write('POST', path, otherOne);
      await directory.write('DELETE', `${at}/${id}?erase=true`);
      expect((await directory.send(`${path}/${id}`)).status).to.equal(404);
      const { text } = await directory.send(`${path}/${id}/history`);
      expect(text).not.to.match(/"ada"|Analyst|Countess|label|before|after/);
      const { changes } = await directory.read(`${path}/${id}/history`);
      expect(changes.map(({ type, by, changed }) => ({ type, by, changed }))).to.deep.equal([
        { type: `${kind}.deleted`, by: { client: 'hr-sync' }, changed: undefined },
        { type: `${kind}.updated`, by: { client: 'billing' }, changed: [`/${Object.keys(next)[0]}`] },
        { type: `${kind}.created`, by: { client: 'hr-sync' }, changed: undefined },
      ]);
      const kept = await directory.read(`${path}/${other}/history`);
      expect(kept.changes[0]?.label).to.equal('babbage');
    });

    it(`erases the values of a ${kind} that was already deleted, whatever the precondition, and then answers 404`, async () => {
      const id = await directory.write('POST', path, first);
      await directory.write('DELETE', `${path}/${id}`);
      const erase = async () => (await remove(id, '?erase=true', { 'if-match': '"of-another-time"' })).status;
      expect(await erase()).to.equal(204);
      const { text } = await directory.send(`${path}/${id}/history`);
      expect(text)
        .to.include(`${kind}.deleted`)
        .and.not.match(/"ada"|Analyst/);
      expect(await erase()).to.equal(404);
    });

    it('refuses any other parameter or value, so that a mistyped erasure is not just a deletion', async () => {
      const id = await directory.write('POST', path, first);
      for (const query of ['erase', 'erase=', 'erase=yes', 'erased=true', 'erase=true&erase=true', 'x=1']) {
        const { status, text } = await remove(id, `?${query}`);
        expect(status, `${query}: ${text}`).to.equal(400);
        expect(text).to.match(/problems\/invalid-parameter|"scimType":"invalidValue"/);
      }
      expect((await directory.send(`${path}/${id}`)).status).to.equal(200);
    });

    it('erases nothing when its precondition fails', async () => {
      const id = await directory.write('POST', path, first);
      expect((await remove(id, '?erase=true', { 'if-match': '"another"' })).status).to.equal(412);
      expect((await directory.read(`${path}/${id}/history`)).changes[0]).to.include.keys('label', 'after');
    });
  });

describe('A SCIM Bulk', () => {
  let directory: Directory;
  beforeEach(async () => {
    directory = await openDirectory();
  });
  afterEach(() => directory.close());
  const bulk = async (query: string, operation: object) => {
    const schemas = ['urn:ietf:params:scim:api:messages:2.0:BulkRequest'];
    return await directory.send(`/scim/v2/Bulk${query}`, {
      method: 'POST',
      headers: { 'content-type': 'application/scim+json' },
      body: JSON.stringify({ schemas, Operations: [operation] }),
    });
  };

  it('erases the resources of operations whose path asks for it, and refuses any other parameter', async () => {
    const id = await directory.write('POST', '/users', kinds.user.first);
    for (const query of ['?erase', '?erased=true']) {
      const refused = await bulk('', { method: 'DELETE', path: `/Users/${id}${query}` });
      expect([refused.status, refused.text.includes('"scimType":"invalidValue"')]).to.deep.equal([400, true]);
    }
    expect((await bulk('?erase=true', { method: 'DELETE', path: `/Users/${id}` })).status).to.equal(400);
    expect((await directory.read(`/users/${id}/history`)).changes).to.have.length(1);
    const done = await bulk('', { method: 'DELETE', path: `/Users/${id}?erase=true` });
    expect(JSON.parse(done.text).Operations[0]).to.deep.include({ status: '204' });
    const { text } = await directory.send(`/users/${id}/history`);
    expect(text)
      .to.include('user.deleted')
      .and.not.match(/"ada"|Analyst/);
  });
});
