import { expect } from 'chai';
import { Stored } from '../../../src/domain/resource/stored.ts';
import { aUser } from '../../support/a-user.ts';
import { clientNames, clients, nobody } from '../../support/clients.ts';
import { aToken, type Request, startService, type TestService } from '../../support/service.ts';

const user = aUser();
const path = `/users/${user.id}`;

/** In the order of `Allow`. */
const allowed = {
  '/users': 'GET, HEAD, OPTIONS, POST',
  [path]: 'DELETE, GET, HEAD, OPTIONS, PATCH, PUT',
  [`/users/${nobody}`]: 'DELETE, GET, HEAD, OPTIONS, PATCH, PUT',
  '/health/live': 'GET, HEAD, OPTIONS',
  '/health/ready': 'GET, HEAD, OPTIONS',
};
const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'PROPFIND', 'QUERY'];

for (const name of clientNames) {
  const { read, problemType } = clients[name];

  describe(`Methods, for a client that speaks ${name},`, () => {
    let service: TestService;
    beforeEach(async () => {
      service = await startService();
      await service.store.insert(Stored.of(user));
    });
    afterEach(() => service.close());

    it('are listed by OPTIONS, and by 405 for an unsupported method', async () => {
      for (const [at, allow] of Object.entries(allowed)) {
        const options = await service.send(at, { method: 'OPTIONS', headers: read });
        expect([options.status, options.headers.get('allow'), options.text], at).to.deep.equal([
          204,
          allow,
          '',
        ]);
        for (const method of methods) {
          const answer = await service.send(at, { method, headers: read });
          const supported = allow.split(', ').includes(method);
          expect(answer.status === 405, `${method} ${at}: ${answer.status}`).to.equal(!supported);
          if (supported) continue;
          expect([answer.headers.get('allow'), answer.headers.get('content-type')]).to.deep.equal([
            allow,
            problemType,
          ]);
        }
      }
    });

    it('do not exist on an unknown path', async () => {
      for (const method of methods) {
        const answer = await service.send('/nowhere', { method, headers: read });
        expect([answer.status, answer.headers.get('allow')], method).to.deep.equal([404, null]);
      }
    });

    it('cannot be overridden by a header', async () => {
      for (const field of ['X-HTTP-Method', 'X-HTTP-Method-Override', 'X-Method-Override']) {
        const answer = await service.send(path, { headers: { ...read, [field]: 'DELETE' } });
        expect(answer.status).to.equal(200);
      }
      expect((await service.send(path)).status).to.equal(200);
    });

    it('include HEAD, with the status and the fields of GET, errors included', async () => {
      const poor = { authorization: `Bearer ${await aToken(['users:delete'])}` };
      const tag = (await service.send(path, { headers: read })).headers.get('etag') ?? '';
      const asked: [status: number, at: string, request?: Request][] = [
        [200, path],
        [200, '/users'],
        [200, '/users?limit=1'],
        [304, path, { headers: { ...read, 'if-none-match': tag } }],
        [304, '/users', { headers: { ...read, 'if-none-match': '*' } }],
        [412, path, { headers: { ...read, 'if-match': '"x"' } }],
        [400, '/users?page=1'],
        [400, path, { headers: { ...read, 'if-none-match': 'x' } }],
        [401, path, { anonymous: true, headers: read }],
        [403, path, { headers: { ...read, ...poor } }],
        [404, `/users/${nobody}`],
        [404, '/nowhere'],
        [406, path, { headers: { accept: 'image/png' } }],
        [204, '/health/live'],
        [204, '/health/ready'],
      ];
      for (const [status, at, request = {}] of asked) {
        const [get, head] = await Promise.all(
          ['GET', 'HEAD'].map((method) => service.send(at, { headers: read, ...request, method })),
        );
        expect([get?.status, head?.status, head?.text], at).to.deep.equal([status, status, '']);
        const fields = [get, head].map((answer) =>
          [...(answer?.headers ?? [])].filter(([field]) => !['date', 'x-request-id'].includes(field)),
        );
        expect(fields[1], at).to.deep.equal(fields[0]);
        if (status !== 204 && status !== 304)
          expect(get?.headers.get('content-length'), at).to.match(/^\d+$/);
      }
    });

    it('include HEAD of a long list, without reading the whole list', async () => {
      let batches = 0;
      const list = service.store.list.bind(service.store);
      for (let at = 0; at < 6000; at += 1)
        await service.store.insert(Stored.of(aUser({ title: 'x'.repeat(200) })));
      service.store.list = (query) => {
        batches += 1;
        return list(query);
      };
      const get = await service.send('/users', { headers: read });
      const whole = batches;
      batches = 0;
      const head = await service.send('/users', { headers: read, method: 'HEAD' });
      expect([get.status, head.status]).to.deep.equal([200, 200]);
      expect(batches).to.be.below(whole);
      for (const field of ['content-type', 'vary', 'cache-control', 'etag', 'content-length'])
        expect(head.headers.get(field), field).to.equal(get.headers.get(field));
      expect(head.text).to.equal('');
    });
  });
}
