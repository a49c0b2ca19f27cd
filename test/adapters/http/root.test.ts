import { expect } from 'chai';
import { answersTo } from '../../support/raw-answers.ts';
import { type ServiceSettings, startService, type TestService } from '../../support/service.ts';

describe('The root of the service', () => {
  let service: TestService;
  afterEach(() => service.close());
  const ask = (path: string, method = 'GET') => service.send(path, { method, anonymous: true });

  const places: readonly [settings: Partial<ServiceSettings>, paths: readonly string[], docs: string][] = [
    [{}, ['/'], '/docs'],
    [{ basePath: '/v1' }, ['/v1', '/v1/'], '/v1/docs'],
    [{ basePath: '/v1', publicUrl: 'https://a.example/dir' }, ['/v1/'], 'https://a.example/dir/docs'],
  ];
  for (const [settings, paths, docs] of places) {
    it(`redirects ${paths.join(' and ')} to ${docs}, also without credentials`, async () => {
      service = await startService(settings);
      for (const path of paths) {
        for (const method of ['GET', 'HEAD']) {
          const answer = await ask(path, method);
          expect([answer.status, answer.headers.get('location')]).to.deep.equal([303, docs]);
        }
      }
      if (settings.publicUrl === undefined) expect((await ask(docs)).status).to.equal(200);
    });
  }

  it('answers other methods at the root as published documents do', async () => {
    service = await startService();
    for (const path of ['/', '/docs']) {
      for (const [method, status] of [
        ['OPTIONS', 204],
        ['POST', 405],
        ['DELETE', 405],
      ] as const) {
        const answer = await ask(path, method);
        expect([answer.status, answer.headers.get('allow')], path).to.deep.equal([
          status,
          'GET, HEAD, OPTIONS',
        ]);
      }
    }
  });

  it('has nothing at / when a base path is configured', async () => {
    service = await startService({ basePath: '/v1' });
    expect((await ask('/')).status).to.equal(401);
    expect((await service.send('/')).status).to.equal(404);
  });

  it('lists the methods by OPTIONS *, also without credentials, and has no other method for *', async () => {
    service = await startService();
    const request = (method: string) => `${method} * HTTP/1.1\r\nHost: here\r\n`;
    const close = 'Connection: close\r\n\r\n';
    const [options, get] = await answersTo(service.url, `${request('OPTIONS')}\r\n`, request('GET') + close);
    expect(options?.status).to.equal(204);
    expect(options?.headers).to.deep.include(['Allow', 'DELETE, GET, HEAD, OPTIONS, PATCH, POST, PUT']);
    expect([get?.status, /problems\/([\w-]+)/.exec(String(get?.body))?.[1]]).to.deep.equal([
      400,
      'malformed-request',
    ]);
  });
});
