import { expect } from 'chai';
import { aToken, startService, type TestService } from '../../support/service.ts';

const json = { 'content-type': 'application/json' };

describe('The order of checks', () => {
  let service: TestService;
  before(async () => {
    service = await startService();
  });
  after(() => service.close());
  const statusOf = async (request: Parameters<TestService['send']>[1], at = '/users') =>
    (await service.send(at, request)).status;

  it('is 401, 404, 405, 403, 406, 415, 413, 400, 422', async () => {
    const reader = { authorization: `Bearer ${await aToken(['users:read'])}` };
    const bad = { accept: 'image/png', 'content-type': 'text/plain' };
    const big = 'x'.repeat(300_000);
    expect(await statusOf({ headers: { authorization: 'Bearer x' } }, '/nowhere')).to.equal(401);
    expect(await statusOf({ headers: reader }, '/nowhere')).to.equal(404);
    expect(await statusOf({ method: 'DELETE', headers: reader })).to.equal(405);
    expect(await statusOf({ method: 'POST', headers: { ...reader, ...bad }, body: big })).to.equal(403);
    expect(await statusOf({ method: 'POST', headers: bad, body: big })).to.equal(406);
    const plain = { ...bad, accept: '*/*' };
    expect(await statusOf({ method: 'POST', headers: plain, body: big })).to.equal(415);
    expect(await statusOf({ method: 'POST', headers: json, body: big })).to.equal(413);
    expect(await statusOf({ method: 'POST', headers: json, body: '{' })).to.equal(400);
    expect(await statusOf({ method: 'POST', headers: json, body: '[]' })).to.equal(422);
  });
});
