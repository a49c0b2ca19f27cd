import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { aToken, type Request, startService, type TestService } from '../../../support/service.ts';

const json = { 'content-type': 'application/json' };
const xml = { 'content-type': 'application/xml', accept: 'application/xml' };

describe('Groups', () => {
  let service: TestService;
  before(async () => {
    service = await startService();
  });
  after(() => service.close());

  const send = (path: string, method = 'GET', body?: unknown, headers: Request['headers'] = {}) =>
    service.send(path, {
      method,
      headers: { ...(body === undefined ? {} : json), ...headers },
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
  const create = async (displayName: string = randomUUID(), more: object = {}) => {
    const answer = await send('/groups', 'POST', { displayName, ...more });
    expect(answer.status, answer.text).to.equal(201);
    return { ...answer, id: String(answer.json().id), tag: answer.headers.get('etag') ?? '' };
  };
  const createUser = async (): Promise<string> =>
    String((await send('/users', 'POST', { userName: randomUUID() })).json().id);
  const membersOf = async (group: string): Promise<string[]> =>
    (await send(`/users?group=${group}`)).json().users.map(({ id }) => id);
  const countOf = async (group: string) => (await send(`/groups/${group}`)).json().memberCount;

  it('are created, read, replaced, changed and deleted, in JSON and XML alike', async () => {
    const { id, json: made, headers } = await create('Büro & Co', { description: 'first' });
    expect(headers.get('location')).to.equal(`/groups/${id}`);
    const { meta, ...rest } = made();
    expect(rest).to.deep.equal({ id, displayName: 'Büro & Co', description: 'first', memberCount: 0 });
    const read = await send(`/groups/${id}`, 'GET', undefined, { accept: 'application/xml' });
    expect(read.text).to.equal(
      `<?xml version="1.0" encoding="UTF-8"?><group xmlns="urn:user-management:1"><id>${id}</id>` +
        '<displayName>Büro &amp; Co</displayName><description>first</description><memberCount>0</memberCount>' +
        `<meta><created>${meta.created}</created><lastModified>${meta.lastModified}</lastModified>` +
        `<version>${meta.version}</version></meta></group>`,
    );
    const again = await send(`/groups/${id}`, 'PUT', read.text.replace('first', 'second'), xml);
    expect(again.status, again.text).to.equal(200);
    expect(again.text).to.contain('<description>second</description>');
    const patched = await send(`/groups/${id}`, 'PATCH', { description: null, externalId: 'x' });
    expect(patched.json()).to.include({ displayName: 'Büro & Co', externalId: 'x', memberCount: 0 });
    expect(patched.json()).not.to.have.property('description');
    expect((await send(`/groups/${id}`, 'DELETE')).status).to.equal(204);
    const gone = await send(`/groups/${id}`);
    expect([gone.status, gone.json().type]).to.deep.equal([404, '/problems/group-not-found']);
  });

  it('have a unique name, whatever the case of its letters', async () => {
    await create('Straße Nord');
    const taken = await send('/groups', 'POST', { displayName: 'STRAßE nord' });
    expect([taken.status, taken.json().type]).to.deep.equal([409, '/problems/display-name-taken']);
    expect(taken.json().errors).to.deep.equal([
      { pointer: '/displayName', detail: 'another group has this displayName' },
    ]);
    const wrong = await send('/groups', 'POST', { displayName: '', members: [] });
    expect([wrong.status, wrong.json().type]).to.deep.equal([422, '/problems/invalid-group']);
  });

  it('are listed, searched, sorted, counted and paged as users are', async () => {
    const word = `w${randomUUID().slice(0, 8)}`;
    for (const name of ['c', 'a', 'b']) await create(`${word} ${name}`, { externalId: word });
    const list = async (query: string) => {
      const answer = await send(`/groups?${query}`);
      expect(answer.status, answer.text).to.equal(200);
      return { ...answer, names: answer.json().groups.map(({ displayName }) => displayName.slice(-1)) };
    };
    expect((await list(`externalId=${word}&sort=displayName`)).names).to.deep.equal(['a', 'b', 'c']);
    const page = await list(`search=${word}&sort=-displayName&limit=2&total=true`);
    expect([page.names, page.json().total]).to.deep.equal([['c', 'b'], 3]);
    const [, next = ''] = /<\/groups\?([^>]*)>; rel="next"/.exec(page.headers.get('link') ?? '') ?? [];
    expect((await list(next)).names).to.deep.equal(['a']);
    const cursor = new URLSearchParams(next).get('after');
    expect((await send(`/users?sort=-displayName&search=${word}&limit=2&after=${cursor}`)).status).to.equal(
      400,
    );
    const inXml = await send(`/groups?displayName=${word}%20A&total=true`, 'GET', undefined, xml);
    expect(inXml.text).to.match(/^<\?xml[^>]*><groups xmlns="urn:user-management:1" total="1"><group><id>/);
    const tag = { 'if-none-match': page.headers.get('etag') ?? '' };
    expect(
      (await send(`/groups?search=${word}&sort=-displayName&limit=2&total=true`, 'GET', undefined, tag))
        .status,
    ).to.equal(304);
    expect((await send('/groups?role=x')).status).to.equal(400);
  });

  it('get and lose members one at a time, without a lock', async () => {
    const [{ id }, user, other] = [await create(), await createUser(), await createUser()];
    const path = `/groups/${id}/members/${user}`;
    const notYet = await send(path);
    expect([notYet.status, notYet.json().type, notYet.json().detail]).to.deep.equal([
      404,
      '/problems/member-not-found',
      'No member of this group has this id.',
    ]);
    for (let round = 0; round < 2; round += 1) expect((await send(path, 'PUT')).status).to.equal(204);
    expect((await send(path)).status).to.equal(204);
    await send(`/groups/${id}/members/${other.toUpperCase()}`, 'PUT');
    expect([await membersOf(id), await countOf(id)]).to.deep.equal([[user, other].sort(), 2]);
    const groups = (await send(`/groups?member=${user}`)).json().groups;
    expect(groups.map((group) => [group.id, group.memberCount])).to.deep.equal([[id, 2]]);
    for (let round = 0; round < 2; round += 1) expect((await send(path, 'DELETE')).status).to.equal(204);
    expect([await membersOf(id), await countOf(id)]).to.deep.equal([[other], 1]);
    await send(`/users/${other}`, 'DELETE');
    expect([await membersOf(id), await countOf(id)]).to.deep.equal([[], 0]);
    const typeOf = async (of: string, method: string) => (await send(of, method)).json().type;
    for (const method of ['GET', 'PUT', 'DELETE']) {
      const who = method === 'GET' ? 'member' : 'user';
      expect(await typeOf(`/groups/${id}/members/${other}`, method)).to.equal(`/problems/${who}-not-found`);
      expect(await typeOf(`/groups/${randomUUID()}/members/${user}`, method)).to.equal(
        '/problems/group-not-found',
      );
      const nested = (await send(`/groups/${id}/members/${id}`, method)).json();
      expect([nested.type, nested.detail]).to.deep.equal([
        '/problems/user-not-found',
        "This is a group, not a user: groups can't be nested.",
      ]);
    }
  });

  it('answer a GET of their members with a 405 that names the filter of the list of users', async () => {
    const { id } = await create();
    const answer = await send(`/groups/${id}/members`);
    expect([answer.status, answer.headers.get('allow')]).to.deep.equal([405, 'OPTIONS, POST']);
    expect(answer.json().detail).to.include('GET /users?group=');
  });

  it('change many members in one step, in JSON and XML', async () => {
    const { id } = await create();
    const users = await Promise.all(Array.from({ length: 5 }, createUser));
    const [one = '', two = ''] = users;
    const path = `/groups/${id}/members`;
    const added = await send(path, 'POST', { add: [...users, one.toUpperCase()] });
    expect([added.status, await countOf(id)]).to.deep.equal([204, 5]);
    const body = `<members xmlns="urn:user-management:1"><remove><id>${one}</id><id>${two}</id></remove></members>`;
    expect((await send(path, 'POST', body, xml)).status).to.equal(204);
    expect(await membersOf(id)).to.deep.equal(users.slice(2).sort());
    const wrong: [body: unknown, pointer: string, detail: string][] = [
      [{ add: [one, randomUUID()] }, '/add/1', 'belongs to no user'],
      [{ remove: [one, 'x'] }, '/remove/1', 'belongs to no user'],
      [{ remove: [randomUUID()] }, '/remove/0', 'belongs to no user'],
      [{ add: [one], remove: [one.toUpperCase()] }, '/remove/0', 'is in both lists'],
      [{ add: [one], put: [] }, '/put', 'is not known here'],
      [{ add: [one, 3] }, '/add/1', 'must be a string'],
      [{ add: [one, id] }, '/add/1', "is a group: groups can't be nested"],
      [{ remove: [one, id] }, '/remove/1', "is a group: groups can't be nested"],
    ];
    for (const [change, pointer, detail] of wrong) {
      const refused = await send(path, 'POST', change);
      expect([refused.status, refused.json().type], detail).to.deep.equal([422, '/problems/invalid-members']);
      expect(refused.json().errors).to.deep.equal([{ pointer, detail }]);
    }
    const all = await send(path, 'POST', { add: [one, 'ada', randomUUID(), id] });
    expect(all.json().errors).to.deep.equal([
      { pointer: '/add/1', detail: 'belongs to no user' },
      { pointer: '/add/2', detail: 'belongs to no user' },
      { pointer: '/add/3', detail: "is a group: groups can't be nested" },
    ]);
    expect(await countOf(id)).to.equal(3);
    expect((await send(`/groups/${randomUUID()}/members`, 'POST', { add: [one] })).status).to.equal(404);
  });

  it('accept up to 10,000 ids in one change, and refuse more with the reason', async () => {
    const { id } = await create();
    const user = await createUser();
    const unknown = (count: number) => Array.from({ length: count }, () => randomUUID());
    const path = `/groups/${id}/members`;
    const most = await send(path, 'POST', { add: [user], remove: unknown(9_999) });
    expect([most.status, most.json().errors?.length]).to.deep.equal([422, 20]);
    const inXml = `<members><add>${unknown(10_000)
      .map((one) => `<id>${one}</id>`)
      .join('\n')}</add></members>`;
    expect((await send(path, 'POST', inXml, xml)).status).to.equal(422);
    const tooMany = await send(path, 'POST', { add: unknown(6_000), remove: unknown(4_001) });
    expect(tooMany.json().errors).to.deep.equal([{ pointer: '', detail: 'must have at most 10000 ids' }]);
    expect((await send(path, 'POST', { add: unknown(20_000) })).status).to.be.oneOf([400, 422]);
    expect((await send(path, 'POST', { add: unknown(60_000) })).status).to.equal(413);
    expect(await countOf(id)).to.equal(0);
  });

  it('have a tag that changes with their members, but still locks the group itself', async () => {
    const [{ id, tag, headers }, user] = [await create(), await createUser()];
    expect(headers.get('last-modified')).to.equal(null);
    const path = `/groups/${id}`;
    const held = { 'if-none-match': tag, 'if-modified-since': new Date(Date.now() + 9_000).toUTCString() };
    expect((await send(path, 'GET', undefined, held)).status).to.equal(304);
    await send(`${path}/members/${user}`, 'PUT');
    const changed = await send(path, 'GET', undefined, held);
    expect([changed.status, changed.json().memberCount]).to.deep.equal([200, 1]);
    const since = { 'if-modified-since': held['if-modified-since'] };
    expect((await send(path, 'GET', undefined, since)).status, 'by date alone').to.equal(200);
    const version = changed.json().meta.version;
    const locked = await send(path, 'PUT', { displayName: randomUUID() }, { 'if-match': tag });
    expect([locked.status, locked.json().memberCount], locked.text).to.deep.equal([200, 1]);
    expect(locked.json().meta.version).not.to.equal(version);
    const stale = await send(path, 'DELETE', undefined, { 'if-match': tag });
    expect(stale.status).to.equal(412);
  });

  it('need their own scopes, and lists of members need the scopes of users, too', async () => {
    const [{ id }, user] = [await create(), await createUser()];
    const status = async (granted: readonly string[], path: string, method = 'GET', body?: unknown) => {
      const authorization = `Bearer ${await aToken(granted)}`;
      const answer = await send(path, method, body, { authorization });
      return answer.status === 403 ? answer.json().detail : answer.status;
    };
    const all = 'users:read users:write users:delete groups:read groups:write groups:delete'.split(' ');
    const takes = async (scope: string, path: string, method = 'GET', body?: unknown) => {
      const others = all.filter((one) => one !== scope && one !== scope.replace('read', 'write'));
      expect(await status(others, path, method, body)).to.equal(`This takes the scope ${scope}.`);
      expect(await status(all, path, method, body)).to.be.oneOf([200, 201, 204, 404]);
    };
    await takes('groups:read', '/groups');
    await takes('groups:read', `/groups/${id}`);
    await takes('groups:read', `/groups/${id}/members/${user}`);
    await takes('groups:read', `/users?group=${id}`);
    await takes('users:read', `/users?group=${id}`);
    await takes('groups:write', '/groups', 'POST', { displayName: randomUUID() });
    await takes('groups:write', `/groups/${id}`, 'PUT', { displayName: randomUUID() });
    await takes('groups:write', `/groups/${id}`, 'PATCH', { description: 'x' });
    await takes('groups:write', `/groups/${id}/members`, 'POST', { add: [user] });
    await takes('groups:write', `/groups/${id}/members/${user}`, 'PUT');
    await takes('groups:write', `/groups/${id}/members/${user}`, 'DELETE');
    await takes('groups:delete', `/groups/${id}`, 'DELETE');
  });

  it('filter the list of users, together with a search, an order, other filters and a total', async () => {
    const { id } = await create();
    const word = `x${randomUUID().slice(0, 8)}`;
    const users = [];
    for (const name of ['c', 'a', 'b', 'd']) {
      const body = { userName: `${word}-${name}`, displayName: `${word} ${name}`, active: name !== 'd' };
      users.push(String((await send('/users', 'POST', body)).json().id));
    }
    await send(`/groups/${id}/members`, 'POST', { add: users.slice(1) });
    const list = await send(`/users?group=${id}&search=${word}&active=true&sort=-displayName&total=true`);
    expect(list.json().users.map(({ userName }) => userName)).to.deep.equal([`${word}-b`, `${word}-a`]);
    expect(list.json().total).to.equal(2);
    expect((await send(`/users?group=${randomUUID()}`)).json().users).to.deep.equal([]);
    expect((await send('/users?group=x')).status).to.equal(400);
  });
});
