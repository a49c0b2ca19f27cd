import { expect } from 'chai';
import { startService, type TestService } from '../../support/service.ts';

const json = { 'content-type': 'application/json' };

describe('A client with preferences (Prefer)', () => {
  let service: TestService;
  before(async () => {
    service = await startService();
  });
  after(() => service.close());

  it('gets ETag and Location but no body when it prefers a minimal answer', async () => {
    const headers = { ...json, prefer: 'respond-async, return=minimal' };
    const post = await service.send('/users', { method: 'POST', headers, body: '{"userName":"brief"}' });
    expect([post.status, post.text, post.headers.get('preference-applied')]).to.deep.equal([
      201,
      '',
      'return=minimal',
    ]);
    const path = post.headers.get('location') ?? '';
    const put = await service.send(path, { method: 'PUT', headers, body: '{"userName":"briefer"}' });
    expect([put.status, put.text]).to.deep.equal([204, '']);
    const read = await service.send(path);
    expect(put.headers.get('etag')).to.equal(read.headers.get('etag'));
    const whole = { ...json, prefer: 'return=representation' };
    const again = await service.send(path, { method: 'PUT', headers: whole, body: '{"userName":"brief"}' });
    expect([again.status, again.json().id]).to.deep.equal([200, read.json().id]);
  });
});

describe('A client in a browser', () => {
  let service: TestService;
  const origin = 'https://app.example';
  before(async () => {
    service = await startService({ corsOrigins: `https://other.example ${origin}` });
  });
  after(() => service.close());

  it('gets a preflight answered without a token, and can read the headers that locking and paging need', async () => {
    const preflight = await service.send('/users', {
      method: 'OPTIONS',
      anonymous: true,
      headers: {
        origin,
        'access-control-request-method': 'PUT',
        'access-control-request-headers': 'if-match',
      },
    });
    expect(preflight.status).to.equal(204);
    expect(preflight.headers.get('access-control-allow-origin')).to.equal(origin);
    expect(preflight.headers.get('access-control-allow-headers')).to.equal('if-match');
    const answer = await service.send('/users', { headers: { origin } });
    expect(answer.headers.get('access-control-expose-headers')).to.match(/ETag.*Link.*Location/);
    expect(answer.headers.get('vary')).to.equal('Accept, Accept-Encoding, Origin');
  });

  it('can read errors, too', async () => {
    const answer = await service.send('/nowhere', { headers: { origin } });
    expect([answer.status, answer.headers.get('access-control-allow-origin')]).to.deep.equal([404, origin]);
  });

  it('of another origin receives no CORS headers', async () => {
    const answer = await service.send('/users', { headers: { origin: 'https://evil.example' } });
    expect(answer.headers.get('access-control-allow-origin')).to.equal(null);
    expect(answer.headers.get('vary')).to.equal('Accept, Accept-Encoding, Origin');
  });
});
