import { expect } from 'chai';
import fc from 'fast-check';
import { matchAll } from '../../../src/domain/find/conditions.ts';
import { hostileBodies } from '../../support/hostile-bodies.ts';
import { runs } from '../../support/runs.ts';
import { startService, type TestService } from '../../support/service.ts';

const count = runs(1000);
const atOnce = 20;

describe('Bodies that no honest client sends', () => {
  let service: TestService;
  before(async () => {
    service = await startService();
  });
  after(() => service.close());

  for (const [kind, bodies] of Object.entries(hostileBodies)) {
    it(`are refused with a position or a pointer, and no user is stored: ${kind}`, async () => {
      const samples = fc.sample(bodies, count);
      for (let i = 0; i < samples.length; i += atOnce) {
        await Promise.all(
          samples.slice(i, i + atOnce).map(async ({ type, body }) => {
            const headers = { 'content-type': type };
            const answer = await service.send('/users', { method: 'POST', headers, body });
            const sent = Buffer.from(body).toString('latin1').slice(0, 200);
            expect(answer.status, sent).to.be.oneOf([400, 413, 422]);
            const inXml = type.startsWith('application/xml');
            const problem = inXml ? 'application/problem+xml; charset=utf-8' : 'application/problem+json';
            expect(answer.headers.get('content-type')).to.equal(problem);
            expect(answer.text, sent).to.match(
              /pointer|line \d|byte \d|charset|encoding|empty|at most|depth|deep/i,
            );
          }),
        );
      }
      expect(await service.store.list({ where: matchAll, limit: 10 })).to.deep.equal([]);
    });
  }
});
