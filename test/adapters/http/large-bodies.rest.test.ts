import { expect } from 'chai';
import { problems } from '../../support/contract.ts';
import { type FilledBody, filledBodies } from '../../support/filled-bodies.ts';
import { some } from '../../support/runs.ts';
import { type SchemaBody, schemaBodies } from '../../support/schema-bodies.ts';
import { sendHostile } from '../../support/send-hostile.ts';
import { startService, type TestService } from '../../support/service.ts';
import type { HostileRequest } from '../../support/watched-service.ts';

const types = { json: 'application/json', xml: 'application/xml' };
const problemTypes = { json: 'application/problem+json', xml: 'application/problem+xml; charset=utf-8' };
const refusals = [
  problems['unreadable-body']?.status,
  problems['body-too-large']?.status,
  problems['invalid-user']?.status,
];

/** How long they hold the event loop is measured by `npm run bench -- hostile`. */
describe('A large body', () => {
  let service: TestService;
  let victim: string;
  let drawn: readonly SchemaBody[];
  /** The user whom a PUT or PATCH is for. */
  const asItWas = { method: 'PUT', type: types.json, body: '{"userName":"victim"}' } as const;

  const users = async () => (await service.send('/users')).text;

  before(async () => {
    drawn = some([...schemaBodies()]);
    service = await startService();
    const { headers } = await sendHostile(service, { ...asItWas, method: 'POST', path: '/users' });
    victim = headers.get('location') ?? '';
  });
  after(() => service.close());

  async function check(
    { name, format, body, good }: FilledBody & { readonly good?: boolean | undefined },
    method: HostileRequest['method'],
    gzip: boolean,
  ): Promise<void> {
    const path = method === 'POST' ? '/users' : victim;
    // A patch keeps what was there.
    if (method === 'PATCH' && good !== false) await sendHostile(service, { ...asItWas, path });
    const before = good === false ? await users() : '';
    const answer = await sendHostile(service, { method, path, type: types[format], body, gzip });
    const what = `${method} ${name}: ${answer.text.slice(0, 300)}`;
    if (answer.status < 300) {
      expect(good, what).not.to.equal(false);
      if (method === 'POST') await service.send(answer.headers.get('location') ?? '', { method: 'DELETE' });
      return;
    }
    expect(good, what).not.to.equal(true);
    expect(answer.status, what).to.be.oneOf(refusals);
    expect(answer.headers.get('content-type'), what).to.equal(problemTypes[format]);
    if (good === false) expect(await users(), name).to.equal(before);
  }

  for (const [number, method] of (['POST', 'PUT', 'PATCH'] as const).entries())
    it(`is accepted or refused by its schema, for any large part, by ${method}`, async () => {
      for (const [at, sent] of drawn.entries())
        if (at % 3 === number) await check(sent, method, at % 2 === 0);
    });

  it('full of parts that are slow to read is accepted or refused', async () => {
    for (const sent of filledBodies) for (const gzip of some([false, true])) await check(sent, 'PUT', gzip);
  });
});
