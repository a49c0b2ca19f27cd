import { expect } from 'chai';
import { aToken, startService, type TestService } from '../../support/service.ts';

describe('The Authorization field', () => {
  let service: TestService;
  let token: string;
  before(async () => {
    service = await startService();
    token = await aToken();
  });
  after(() => service.close());
  const send = (authorization: string) => service.send('/users', { headers: { authorization } });

  it('may name the scheme in any case, followed by one or more spaces', async () => {
    for (const before of ['Bearer ', 'bearer ', 'BEARER    ']) {
      expect((await send(before + token)).status, before).to.equal(200);
    }
  });

  it('gives no access in any other form, and the answer names the accepted schemes', async () => {
    const others = [
      token,
      'Bearer',
      `Bearer${token}`,
      `Bearer\t${token}`,
      `Bearer \t${token}`,
      `Basic ${token}`,
    ];
    for (const other of [...others, `Bearers ${token}`, `Bearer, ${token}`, `Bearer ${token},`, '']) {
      const answer = await send(other);
      expect(answer.status, other).to.equal(401);
      expect(answer.headers.get('www-authenticate'), other).to.match(/^Bearer realm="users"/);
    }
  });
});
