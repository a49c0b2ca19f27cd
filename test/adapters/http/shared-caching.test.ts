import { expect } from 'chai';
import { Stored } from '../../../src/domain/resource/stored.ts';
import { aUser } from '../../support/a-user.ts';
import { clientNames, clients } from '../../support/clients.ts';
import type { Exchange } from '../../support/exchanges.ts';
import { answersTo } from '../../support/raw-answers.ts';
import { aToken, startService, type TestService } from '../../support/service.ts';

const user = aUser();
const paths = [`/users/${user.id}`, '/users', '/users?limit=10'];

/** Fields by name. A field that comes twice fails. */
function fieldsOf({ headers }: Exchange): Record<string, string> {
  const names = headers.map(([name]) => name.toLowerCase());
  expect(new Set(names).size, names.join()).to.equal(names.length);
  return Object.fromEntries(headers.map(([name, value]) => [name.toLowerCase(), value]));
}

for (const name of clientNames) {
  describe(`A shared cache, asking for ${name},`, () => {
    let service: TestService;
    let head: string;
    before(async () => {
      service = await startService({ sharedCaching: true });
      await service.store.insert(Stored.of(user));
      head = ` HTTP/1.1\r\nHost: here\r\nAccept: ${clients[name].type}\r\nAuthorization: Bearer ${await aToken()}\r\n`;
    });
    after(() => service.close());

    for (const path of paths) {
      it(`revalidates ${path} with a 304 that has no content`, async () => {
        const last = 'Connection: close\r\n\r\n';
        const [whole] = await answersTo(service.url, `GET ${path}${head}${last}`);
        if (whole === undefined) throw new Error('no answer');
        const { date: _when, 'x-request-id': _id, ...known } = fieldsOf(whole);
        expect(known['cache-control']).to.equal('public, no-cache, must-revalidate');
        const match = `If-None-Match: ${known.etag}\r\n`;
        // One after another on one connection: a byte too many or too few would be taken for the next one's.
        const requests = ['GET', 'HEAD', 'GET', 'HEAD'].map(
          (method) => `${method} ${path}${head}${match}\r\n`,
        );
        const answers = await answersTo(service.url, ...requests, `GET ${path}${head}${last}`);
        expect(answers.map(({ status }) => status)).to.deep.equal([304, 304, 304, 304, 200]);
        for (const answer of answers.slice(0, 4)) {
          const { date, 'x-request-id': id, connection, 'keep-alive': _time, ...fields } = fieldsOf(answer);
          expect([date, id, connection]).to.not.include(undefined);
          const { 'content-type': _type, 'content-length': _length, connection: _close, ...expected } = known;
          expect(fields).to.deep.equal(expected);
        }
        expect(answers[4]?.body.equals(whole.body)).to.equal(true);
      });
    }

    it('stores no error and no answer to a write', async () => {
      const { write } = clients[name];
      const body = clients[name].user({ userName: `written-by-${name}` });
      const post = { method: 'POST', headers: write, body };
      for (const status of [201, 409]) {
        const answer = await service.send('/users', post);
        expect([answer.status, answer.headers.get('cache-control')]).to.deep.equal([status, 'no-store']);
      }
      for (const [at, request] of [
        [paths[0], { anonymous: true }],
        [paths[0], { headers: { accept: 'image/png' } }],
        ['/users?x=1', {}],
        ['/nowhere', {}],
      ] as const)
        expect((await service.send(at ?? '', request)).headers.get('cache-control')).to.equal('no-store');
    });
  });
}
