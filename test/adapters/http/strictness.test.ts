import { expect } from 'chai';
import { startService, type TestService } from '../../support/service.ts';

const json = { 'content-type': 'application/json' };
const xml = { 'content-type': 'application/xml' };
const absent = '/users/00000000-0000-4000-8000-000000000000';

describe('The service neither drops nor misreads', () => {
  let service: TestService;
  let path: string;
  const user = {
    userName: 'ada',
    name: { givenName: 'Ada' },
    roles: ['a'],
    emails: [{ value: 'a@b' }],
  };
  before(async () => {
    service = await startService();
    const body = JSON.stringify(user);
    path =
      (await service.send('/users', { method: 'POST', headers: json, body })).headers.get('location') ?? '';
  });
  after(() => service.close());
  const send = (method: string, at: string, body: unknown, headers: Record<string, string> = {}) =>
    service.send(at, {
      method,
      headers: { ...(typeof body === 'string' ? xml : json), ...headers },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    });

  it('a mistake in a PUT that otherwise repeats the stored user', async () => {
    const mistakes = [
      { ...user, name: { givenName: 'Ada', familyNam: 'Lovelace' } },
      { ...user, emails: [{ value: 'a@b', tpye: 'work' }] },
      { ...user, roles: ['a', 'b\u0001'] },
      { ...user, emails: [{ value: 'a@b' }, { value: 'x\u0001@b' }] },
    ];
    for (const body of mistakes) expect((await send('PUT', path, body)).status).to.equal(422);
  });

  it('a mistake in the body of a request for a missing user or an old version', async () => {
    const stale = { 'if-match': '"old"' };
    const large = Object.fromEntries(Array.from({ length: 20 }, (_, i) => [`a${i}`, 'x'.repeat(1000)]));
    const id = absent.slice('/users/'.length);
    const requests: [string, string, unknown, Record<string, string>?][] = [
      ['PATCH', absent, { bogus: 1 }],
      ['PATCH', absent, '<user><bogus>1</bogus></user>'],
      ['PATCH', path, { bogus: 1 }, stale],
      ['PATCH', path, { id }, stale],
      ['PUT', path, { ...user, id }, stale],
      ['PUT', absent, { ...user, attributes: large }],
      ['PUT', path, { ...user, attributes: large }, stale],
      ['PUT', '/users/nope', { bogus: 1 }],
    ];
    for (const [method, at, body, headers] of requests) {
      expect((await send(method, at, body, headers)).status, `${method} ${at}`).to.equal(422);
    }
    expect((await send('PUT', '/users/nope', user)).status).to.equal(404);
  });

  it('a value under xsi:nil', async () => {
    const nil = 'xmlns:i="http://www.w3.org/2001/XMLSchema-instance" i:nil="true"';
    const body = `<user><userName>ada</userName><displayName ${nil}>Keep me</displayName></user>`;
    const answer = await send('PUT', path, body, { accept: 'application/json' });
    expect([answer.status, answer.json().errors[0]?.pointer]).to.deep.equal([422, '/displayName']);
  });

  it('repeated members of meta, which is ignored', async () => {
    const body = '{"userName":"mm","meta":{"a":1,"a":2}}';
    expect((await service.send('/users', { method: 'POST', headers: json, body })).status).to.equal(201);
  });

  it('invalid dates, and dates in each of the three forms', async () => {
    const status = async (date: string) =>
      (await service.send(path, { headers: { 'if-modified-since': date } })).status;
    expect(await status('Mon Feb 30 00:00:00 2099')).to.equal(200);
    expect(await status('Mon, 01 Feb 2099 00:00:00 +0200 GMT')).to.equal(200);
    expect(await status('Sun, 01 Feb 2099 00:00:00 GMT')).to.equal(304);
    expect(await status('Sun Feb  1 00:00:00 2099')).to.equal(304);
    expect(await status('Sunday, 01-Feb-70 00:00:00 GMT')).to.equal(304);
    expect(await status('Tuesday, 01-Feb-94 00:00:00 GMT')).to.equal(200);
  });

  it('the format of a body: a merge patch is JSON, a GET has none, and a 406 has the default format', async () => {
    const other = await startService({ defaultFormat: 'xml' });
    const made = await other.send('/users', { method: 'POST', headers: json, body: '{"userName":"x"}' });
    const patch = await other.send(made.headers.get('location') ?? '', {
      method: 'PATCH',
      headers: { 'content-type': 'application/merge-patch+json' },
      body: '{"title":"t"}',
    });
    expect(patch.headers.get('content-type')).to.equal('application/json');
    const get = await service.send(path, { headers: xml });
    expect(get.headers.get('content-type')).to.equal('application/json');
    const none = await send('POST', '/users', '<user/>', { accept: 'image/png' });
    expect([none.status, none.headers.get('content-type')]).to.deep.equal([406, 'application/problem+json']);
    await other.close();
  });

  it('the methods of the probes', async () => {
    const post = await service.send('/health/live', { method: 'POST', anonymous: true });
    expect([post.status, post.headers.get('allow')]).to.deep.equal([405, 'GET, HEAD, OPTIONS']);
    expect((await service.send('/health/ready', { method: 'OPTIONS', anonymous: true })).status).to.equal(
      204,
    );
  });
});
