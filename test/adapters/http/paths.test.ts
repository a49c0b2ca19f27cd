import { expect } from 'chai';
import { clientNames, clients, nobody } from '../../support/clients.ts';
import type { Fields } from '../../support/exchanges.ts';
import { type ServiceSettings, startService, type TestService } from '../../support/service.ts';

/** Hosts and paths that a proxy or an attacker may name. */
const misleading: Fields = [
  ['Host', 'evil.example'],
  ['Forwarded', 'for=1.2.3.4;host=evil.example;proto=https'],
  ['X-Forwarded-Host', 'evil.example'],
  ['X-Forwarded-Proto', 'https'],
  ['X-Forwarded-Port', '4711'],
  ['X-Forwarded-Prefix', '/evil'],
  ['X-Original-URL', '/evil'],
  ['X-Rewrite-URL', '/evil'],
];

/** Where the service is told to be, the path it answers at, and what its links begin with. */
const places: readonly [what: string, settings: Partial<ServiceSettings>, path: string, base: string][] = [
  ['at the root', {}, '', ''],
  ['below a base path', { basePath: '/v1' }, '/v1', '/v1'],
  ['behind a gateway', { publicUrl: 'https://users.example' }, '', 'https://users.example'],
  [
    'behind a gateway, at a path there',
    { publicUrl: 'https://a.example/dir/v1' },
    '',
    'https://a.example/dir/v1',
  ],
  [
    'below one path here and another at the gateway',
    { basePath: '/internal', publicUrl: 'https://a.example/v1/' },
    '/internal',
    'https://a.example/v1',
  ],
];

for (const name of clientNames) {
  const { write, read, user, member, problemType } = clients[name];

  for (const [what, settings, path, base] of places) {
    describe(`Paths and links in ${name}, ${what},`, () => {
      let service: TestService;
      before(async () => {
        service = await startService(settings);
      });
      after(() => service.close());
      const send = (at: string, method = 'GET', body?: string) =>
        service.send(path + at, {
          method,
          headers: [...misleading, ...Object.entries(body === undefined ? read : write)],
          ...(body === undefined ? {} : { body }),
        });

      it('begin with the configured address, whatever the request says', async () => {
        const made = await send('/users', 'POST', user({ userName: 'one' }));
        const id = member(made.text, 'id');
        expect(made.headers.get('location')).to.equal(`${base}/users/${id}`);
        expect(made.headers.get('content-location')).to.equal(`${base}/users/${id}`);
        await send('/users', 'POST', user({ userName: 'two' }));
        for (const [method, body] of [
          ['PUT', user({ userName: 'one' })],
          ['PATCH', user({ title: 't' })],
        ] as const) {
          const written = await send(`/users/${id}`, method, body);
          expect(written.headers.get('content-location'), written.text).to.equal(`${base}/users/${id}`);
        }
        const page = await send('/users?limit=1&active=true');
        const [, link = ''] = /^<([^>]*)>; rel="next"(?:,|$)/.exec(page.headers.get('link') ?? '') ?? [];
        expect(link.startsWith(`${base}/users?limit=1&active=true&after=`), link).to.equal(true);
        const next = await send(link.slice(base.length));
        expect(next.status).to.equal(200);
        const leads = [...(next.headers.get('link') ?? '').matchAll(/<([^>]*)>; rel="([a-z]+)"/g)];
        expect(leads.map(([, , relation]) => relation)).to.deep.equal(['prev', 'first', 'last']);
        for (const [, target = ''] of leads) {
          expect(target.startsWith(`${base}/users?limit=1&active=true`), target).to.equal(true);
          expect((await send(target.slice(base.length))).status).to.equal(200);
        }
        const problem = await send('/users', 'POST', user({ userName: 'one' }));
        expect(member(problem.text, 'type')).to.equal(`${base}/problems/user-name-taken`);
        for (const answer of [made, page, problem])
          expect(`${[...answer.headers]}${answer.text}`).not.to.match(/evil|:4711/);
      });

      it('are answered only when they are spelled exactly', async () => {
        const id = member((await send('/users', 'POST', user({ userName: 'three' }))).text, 'id') ?? '';
        const nowhere = [
          '/users//',
          `/users/${id}//`,
          '//users',
          '/Users',
          '/users%2F',
          `/users%2F${id}`,
          `/users/${id}%2F`,
          `/users/${id}%00`,
          `/users/${id.slice(0, -1)}`,
          '/users/%00',
          '/users/%2e%2e',
          '/users/..%2f..%2fhealth%2flive',
          '/users/%zz',
          '/users/%',
          '/users/%e4',
          `/users/${id};version=1`,
          `/users/${id}/emails`,
          '/health',
          '/docs/',
          '/openapi.json/',
          '/problems/unauthenticated/',
        ];
        for (const at of nowhere) {
          const answer = await send(at);
          expect([answer.status, answer.headers.get('content-type')], at).to.deep.equal([404, problemType]);
        }
        const coded = [...id].map((letter) => `%${letter.charCodeAt(0).toString(16)}`).join('');
        for (const at of [coded, coded.toUpperCase(), id.toUpperCase(), `${id}?`]) {
          const answer = await send(`/users/${at}`);
          expect([answer.status, answer.text.includes(id)], at).to.deep.equal([200, true]);
        }
        if (path !== '') expect((await service.send('/users', { headers: read })).status).to.equal(404);
        expect((await send('/health/live')).status).to.equal(204);
      });

      it('are the same with a trailing slash, which links omit', async () => {
        const made = await send('/users/', 'POST', user({ userName: 'slashed' }));
        const id = member(made.text, 'id');
        expect([made.status, made.headers.get('location')]).to.deep.equal([201, `${base}/users/${id}`]);
        const page = await send('/users/?limit=1');
        expect([page.status, page.text]).to.deep.equal([200, (await send('/users?limit=1')).text]);
        expect(page.headers.get('link')).to.match(new RegExp(`^<${base}/users[?]limit=1`));
        for (const at of [`/users/${id}/`, `/users/${id}/history/`, `/changes/?since=now`, '/groups/']) {
          const [slashed, plain] = [await send(at), await send(at.replace(/[/]([?]|$)/, '$1'))];
          expect([slashed.status, slashed.text], at).to.deep.equal([200, plain.text]);
        }
        const scim = await service.send(`${path}/scim/v2/Users/${id}/`);
        expect([scim.status, JSON.parse(scim.text).meta.location]).to.deep.equal([
          200,
          `${base}/scim/v2/Users/${id}`,
        ]);
        expect((await service.send(`${path}/scim/v2/Users/?count=1`)).status).to.equal(200);
        expect((await send('/users/', 'OPTIONS')).headers.get('allow')).to.equal('GET, HEAD, OPTIONS, POST');
        expect((await send('/users/', 'DELETE')).status).to.equal(405);
        expect((await send('/health/live/')).status).to.equal(204);
        expect((await send('/users/?x=1')).status).to.equal(400);
        expect((await service.send(`${path}/users/`, { anonymous: true })).status).to.equal(401);
        expect((await send(`/users/${id}/`, 'DELETE')).status).to.equal(204);
      });

      it('are suggested to a client that misspells them', async () => {
        const suggested: readonly [at: string, path?: string][] = [
          ['/users//', '/users'],
          ['//users', '/users'],
          ['/USERS', '/users'],
          ['/user', '/users'],
          ['/api/users', '/users'],
          [`/users/${nobody}//`, '/users/{id}'],
          [`/Users/${nobody}`, '/scim/v2/Users/{id}'],
          ['/Users', '/scim/v2/Users'],
          ['/scim/v2/users', '/scim/v2/Users'],
          ['/scim/v2/Users//', '/scim/v2/Users'],
          ['/scim/Users', '/scim/v2/Users'],
          ['/schemas/users.xsd', '/schemas/user.xsd'],
          ['/nowhere'],
          ['/%zz'],
          [`/${'users'.repeat(1000)}`],
          [`/${'user/'.repeat(200)}`],
          ['/'.repeat(5000)],
        ];
        for (const [at, wanted] of suggested) {
          const answer = await send(at);
          const perhaps = wanted === undefined ? '' : ` (perhaps ${base}${wanted})`;
          expect([answer.status, answer.text], at).to.satisfy(
            ([status, text]: [number, string]) =>
              status === 404 && text.includes(`There is nothing at this path${perhaps}.`),
          );
        }
        if (path === '') return;
        const outside = await service.send('/users', { headers: read });
        expect(outside.text).to.include(`There is nothing at this path (perhaps ${base}/users).`);
      });

      it('have their queries percent-decoded', async () => {
        await send(
          '/users',
          'POST',
          user({ userName: 'Ünal+x', externalId: 'a b&c=d' }).replace('&', name === 'XML' ? '&amp;' : '&'),
        );
        for (const query of [
          'externalId=a%20b%26c%3Dd',
          'externalId=a+b%26c%3Dd',
          '%65xternalId=a%20b%26c%3Dd',
        ])
          expect((await send(`/users?${query}`)).text, query).to.include('Ünal+x');
        expect((await send('/users?userName=%C3%BCnal%2bX')).text).to.include('Ünal+x');
        for (const query of ['userName=%C3', 'userName=%zz', 'userName=%', 'userName=a%00b', 'userName=%ff'])
          expect((await send(`/users?${query}`)).status, query).to.equal(400);
      });
    });
  }
}
