import { expect } from 'chai';
import { startService, type TestService } from '../../support/service.ts';

const json = { 'content-type': 'application/json' };
const xml = { 'content-type': 'application/xml', accept: 'application/xml' };
const ada = {
  userName: 'Ada',
  externalId: '007',
  name: { familyName: 'Lovelace', givenName: 'Ada' },
  emails: [{ value: 'ada@example.org', primary: true }],
  roles: ['admin'],
  attributes: { costCenter: '42' },
};

describe('User CRUD over HTTP', () => {
  let service: TestService;
  before(async () => {
    service = await startService({ publicUrl: 'https://directory.example/v1' });
  });
  after(() => service.close());
  const create = async (user: object) => {
    const answer = await service.send('/users', {
      method: 'POST',
      headers: json,
      body: JSON.stringify(user),
    });
    expect(answer.status, answer.text).to.equal(201);
    const { id } = answer.json();
    return { answer, path: `/users/${id}`, tag: answer.headers.get('etag') ?? '' };
  };

  it('creates a user and answers with its location, its content and its ETag', async () => {
    const { answer, path } = await create(ada);
    expect(answer.headers.get('location')).to.equal(`https://directory.example/v1${path}`);
    expect(answer.headers.get('cache-control')).to.equal('no-store');
    expect(answer.headers.get('content-type')).to.equal('application/json');
    const user = answer.json();
    expect(user).to.deep.include({ ...ada, active: true });
    expect(answer.headers.get('etag')).to.equal(`"${user.meta.version}.json1"`);
    expect(Object.keys(user)).to.deep.equal([
      'id',
      'userName',
      'externalId',
      'name',
      'active',
      'emails',
      'roles',
      'attributes',
      'meta',
    ]);
    expect((await service.send(path)).json()).to.deep.equal(user);
  });

  it('lets an XML client change a user that a JSON client wrote, without other changes', async () => {
    const { answer, path } = await create({ ...ada, userName: 'both' });
    const read = await service.send(path, { headers: { accept: 'application/xml' } });
    expect(read.headers.get('content-type')).to.equal('application/xml; charset=utf-8');
    const body = read.text.replace('<familyName>Lovelace<', '<familyName>Byron<');
    const tag = read.headers.get('etag') ?? '';
    const put = await service.send(path, { method: 'PUT', headers: { ...xml, 'if-match': tag }, body });
    expect(put.status, put.text).to.equal(200);
    expect(put.headers.get('content-location')).to.equal(`https://directory.example/v1${path}`);
    const { meta: _old, ...before } = answer.json();
    const { meta: _new, ...now } = (await service.send(path)).json();
    expect(now).to.deep.equal({ ...(before as object), name: { familyName: 'Byron', givenName: 'Ada' } });
    const stale = await service.send(path, { method: 'PUT', headers: { ...xml, 'if-match': tag }, body });
    expect(stale.status).to.equal(412);
    expect(stale.headers.get('content-type')).to.equal('application/problem+xml; charset=utf-8');
    expect(stale.text).to.include('<type>https://directory.example/v1/problems/precondition-failed</type>');
  });

  it('removes a user once, and then answers 404', async () => {
    const { path } = await create({ userName: 'gone' });
    expect((await service.send(path, { method: 'DELETE' })).status).to.equal(204);
    expect((await service.send(path)).status).to.equal(404);
    expect((await service.send(path, { method: 'DELETE' })).status).to.equal(404);
    expect((await service.send(path)).json().detail).to.equal('There is no such user.');
  });

  it('says that a name in the place of an id is not an id', async () => {
    await create({ userName: 'named' });
    for (const path of ['/users/named', '/scim/v2/Users/named']) {
      const { status, text } = await service.send(path);
      expect([status, JSON.parse(text).detail]).to.deep.equal([
        404,
        'There is no such user: the id is not a UUID.',
      ]);
    }
  });

  it('accepts an id that the client chose, in upper or lower case, and refuses it a second time', async () => {
    const id = 'ABCDEFAB-0000-4000-8000-ABCDEFABCDEF';
    const { path } = await create({ id, userName: 'chosen' });
    expect(path).to.equal(`/users/${id.toLowerCase()}`);
    expect((await service.send(`/users/${id}`)).status).to.equal(200);
    const again = await service.send('/users', {
      method: 'POST',
      headers: json,
      body: JSON.stringify({ id, userName: 'another' }),
    });
    expect(again.status).to.equal(409);
    expect(again.json()).to.deep.include({ type: 'https://directory.example/v1/problems/id-taken' });
  });

  it('refuses a userName that another user has in another case', async () => {
    await create({ userName: 'Grace' });
    const body = JSON.stringify({ userName: 'ｇRACE' });
    const answer = await service.send('/users', { method: 'POST', headers: json, body });
    expect(answer.status).to.equal(409);
    expect(answer.json().errors).to.deep.equal([
      { pointer: '/userName', detail: 'another user has this userName' },
    ]);
  });

  it('leaves active unchanged when a PUT omits it', async () => {
    const { path } = await create({ userName: 'sleeper', active: false });
    const put = await service.send(path, { method: 'PUT', headers: json, body: '{"userName":"sleeper"}' });
    expect(put.json().active).to.equal(false);
  });

  it('merges a patch in JSON and in XML, where null and xsi:nil remove', async () => {
    const { path } = await create({ ...ada, userName: 'patched', nickName: 'A', title: 'B' });
    const patch = await service.send(path, {
      method: 'PATCH',
      headers: { 'content-type': 'application/merge-patch+json' },
      body: '{"nickName":null,"name":{"middleName":"King"}}',
    });
    expect(patch.status, patch.text).to.equal(200);
    const body =
      '<user xmlns:i="http://www.w3.org/2001/XMLSchema-instance"><title i:nil="true"/><roles><role>x</role></roles></user>';
    expect((await service.send(path, { method: 'PATCH', headers: xml, body })).status).to.equal(200);
    const user = (await service.send(path)).json();
    expect(user).to.not.have.any.keys('nickName', 'title');
    expect(user.name).to.deep.equal({ familyName: 'Lovelace', givenName: 'Ada', middleName: 'King' });
    expect(user.roles).to.deep.equal(['x']);
  });

  it('reports every mistake by its place in the client’s body, and changes nothing', async () => {
    const body = JSON.stringify({
      userName: 'has space',
      nikName: null,
      roles: ['', 'x', 'x'.repeat(65)],
      emails: [{ type: 'work' }],
      attributes: { '1x': 'v' },
      locale: 'not_a_tag',
      country: 'NL',
    });
    const answer = await service.send('/users', { method: 'POST', headers: json, body });
    expect(answer.status).to.equal(422);
    const pointers = answer.json().errors.map(({ pointer }) => pointer);
    expect(pointers).to.have.members([
      '/nikName',
      '/country',
      '/userName',
      '/roles/2',
      '/emails/0/value',
      '/attributes/1x',
      '/locale',
    ]);
  });

  it('reports very long names and names with forbidden characters in a readable document', async () => {
    const body = JSON.stringify({
      userName: 'odd',
      attributes: { 'a\u0000': 'x' },
      ['x\ud800'.repeat(9000)]: 1,
    });
    const headers = { ...json, accept: 'application/xml' };
    const answer = await service.send('/users', { method: 'POST', headers, body });
    expect(answer.status).to.equal(422);
    expect(answer.text).to.include('<pointer>/attributes/a\uFFFD</pointer>').and.to.have.length.below(2000);
    expect(answer.text).to.not.include('\u0000');
  });

  it('keeps its answer short when names of attributes are very long', async () => {
    const names = Array.from({ length: 20 }, (_, at) => [`${at}/~${'&'.repeat(10_000)}`, 'x']);
    const body = JSON.stringify({ userName: 'odd', attributes: Object.fromEntries(names) });
    const headers = { ...json, accept: 'application/xml' };
    const answer = await service.send('/users', { method: 'POST', headers, body });
    expect(answer.status).to.equal(422);
    expect(answer.text).to.include('<pointer>/attributes/0~1~0&amp;').and.to.have.length.below(20_000);
  });

  it('refuses a PUT with Content-Range', async () => {
    const { path } = await create({ userName: 'in-parts', title: 'Engineer' });
    const headers = { ...json, 'content-range': 'bytes 0-20/400' };
    const answer = await service.send(path, { method: 'PUT', headers, body: '{"userName":"in-parts"}' });
    expect(answer.status).to.equal(400);
    expect(answer.json().type).to.match(/\/problems\/invalid-header$/);
    expect((await service.send(path)).json().title).to.equal('Engineer');
  });

  it('ignores meta in a body and refuses an id that differs from the URL’s', async () => {
    const { path } = await create({ userName: 'steady' });
    const send = (user: object) =>
      service.send(path, { method: 'PUT', headers: json, body: JSON.stringify(user) });
    expect((await send({ userName: 'steady', meta: { version: 'mine', what: 1 } })).status).to.equal(200);
    const other = await send({ userName: 'steady', id: '00000000-0000-4000-8000-000000000000' });
    expect(other.status).to.equal(422);
  });

  it('refuses a user larger than 16 KiB', async () => {
    const attributes = Object.fromEntries(Array.from({ length: 20 }, (_, i) => [`a${i}`, 'x'.repeat(1000)]));
    const body = JSON.stringify({ userName: 'large', attributes });
    const answer = await service.send('/users', { method: 'POST', headers: json, body });
    expect(answer.status).to.equal(422);
  });

  it('answers the probes without a token', async () => {
    for (const probe of ['/health/live', '/health/ready']) {
      expect((await service.send(probe, { anonymous: true })).status).to.equal(204);
    }
  });
});
