import { expect } from 'chai';
import { type Answer, startService, type TestService } from '../../../support/service.ts';
import { createGroup, valuesOf } from './groups/group-client.ts';
import {
  type Ask,
  type Asked,
  aUser,
  bulk,
  client,
  create,
  expectError,
  giveScim,
  type Json,
  mediaType,
  nobody,
  patchOf,
  rename,
} from './scim-client.ts';

const types = [mediaType, 'application/json'] as const;
const past = 'Sun, 06 Nov 1994 08:49:37 GMT';
const future = 'Sun, 01 Feb 2099 00:00:00 GMT';

const tagOf = (answer: Answer): string => answer.headers.get('etag') ?? 'none';
const versionOf = (answer: Answer): string => answer.json().meta.version;

describe('A version in the SCIM API', () => {
  let service: TestService;
  let ask: Ask;
  giveScim((its, itsService) => {
    [ask, service] = [its, itsService];
  });

  it('is exactly the tag, in each media type and in every response with the user', async () => {
    for (const accept of types) {
      const headers = { accept };
      const made = await ask('/Users', { method: 'POST', body: aUser(), headers });
      const path = `/Users/${made.json().id}`;
      const put = await ask(path, { method: 'PUT', body: aUser(), headers });
      const patched = await ask(path, { method: 'PATCH', body: rename, headers });
      const read = await ask(path, { headers });
      for (const answer of [made, put, patched, read]) {
        expect(tagOf(answer)).to.match(/^"[\w~-]+\.scim1(?:-1)?"$/);
        expect(versionOf(answer)).to.equal(tagOf(answer));
        expect(answer.headers.get('content-type')).to.equal(accept);
      }
      expect(new Set([made, put, patched].map(tagOf)).size).to.equal(3);
      expect(tagOf(read)).to.equal(tagOf(patched));
      const search = { schemas: ['urn:ietf:params:scim:api:messages:2.0:SearchRequest'] };
      const lists = [
        await ask('/Users?count=1000', { headers }),
        await ask('/.search', { method: 'POST', body: search, headers }),
      ];
      for (const list of lists) {
        const users = list.json().Resources as readonly { id: string; meta: { version: string } }[];
        expect(users.find(({ id }) => id === read.json().id)?.meta.version).to.equal(tagOf(read));
        expect(list.headers.has('etag')).to.equal(false);
      }
    }
  });

  describe('stays, like the date, when a PATCH changes nothing', () => {
    const add = (path: string, value: unknown): Json => ({ op: 'add', path, value });
    const email = { value: 'ada@example.com', type: 'work' };
    const own = 'urn:user-management:1:User';
    const given = {
      ...{ title: 'T', emails: [{ ...email, primary: true }], roles: [{ value: 'r' }] },
      [own]: { validUntil: '2999-01-01T00:00:00Z' },
    };
    const idle: Record<string, readonly Json[]> = {
      'by adding a text that is there': [add('title', 'T')],
      'by adding an item that is there': [add('emails', [email])],
      'by adding a role that is there': [add('roles', ['r'])],
      'by replacing a text by itself, without a path': [{ op: 'replace', value: { title: 'T' } }],
      'by replacing an instant by another form of it': [
        add(`${own}:validUntil`, '2999-01-01T01:00:00+01:00'),
        { op: 'replace', value: { [own]: { validUntil: '2999-01-01T00:00:00Z' } } },
      ],
      'by putting back what it removes': [{ op: 'remove', path: 'title' }, add('title', 'T')],
    };

    for (const [title, operations] of Object.entries(idle))
      it(title, async () => {
        const { id } = await create(ask, given);
        const before = await ask(`/Users/${id}`);
        const patched = await ask(`/Users/${id}`, { method: 'PATCH', body: patchOf(...operations) });
        expect(patched.status).to.equal(200);
        expect(patched.json()).to.deep.equal(before.json());
        expect(tagOf(patched)).to.equal(tagOf(before));
        const [inBulk] = await bulk(ask, [
          { method: 'PATCH', path: `/Users/${id}`, data: patchOf(...operations) },
        ]);
        expect(inBulk).to.include({ status: '200', version: tagOf(before) });
        expect((await ask(`/Users/${id}`)).json()).to.deep.equal(before.json());
      });

    it('but changes with another operation that has an effect', async () => {
      const { id, etag } = await create(ask, given);
      const body = patchOf(add('title', 'T'), add('nickName', 'N'));
      expect(tagOf(await ask(`/Users/${id}`, { method: 'PATCH', body }))).not.to.equal(etag);
    });

    it('and is still compared with If-Match', async () => {
      const { id } = await create(ask, given);
      const headers = { 'if-match': '"of-another"' };
      const answer = await ask(`/Users/${id}`, {
        method: 'PATCH',
        body: patchOf(add('title', 'T')),
        headers,
      });
      expectError(answer, 412);
    });
  });

  it('differs between media types, but not between selections and codings', async () => {
    const { id, etag } = await create(ask, {
      title: 'x'.repeat(200),
      nickName: 'y'.repeat(200),
      displayName: 'z'.repeat(200),
      userType: 'u'.repeat(200),
      profileUrl: `urn:${'v'.repeat(500)}`,
    });
    const other = await ask(`/Users/${id}`, { headers: { accept: 'application/json' } });
    expect(tagOf(other)).not.to.equal(etag);
    for (const path of [`/Users/${id}?attributes=userName`, `/Users/${id}?excludedAttributes=meta`])
      expect(tagOf(await ask(path))).to.equal(etag);
    const plain = await ask(`/Users/${id}`, { headers: { 'accept-encoding': 'gzip, br' } });
    expect([tagOf(plain), plain.headers.has('content-encoding')]).to.deep.equal([etag, false]);
    const list = await ask('/Users', { headers: { 'accept-encoding': 'gzip' } });
    expect(list.headers.get('content-encoding')).to.equal('gzip');
  });

  it('gets 304 if it is current, otherwise the user', async () => {
    const { id, etag } = await create(ask);
    const read = (headers: Record<string, string>) => ask(`/Users/${id}`, { headers });
    for (const held of [etag, `W/${etag}`, `"x", ${etag}`, '*']) {
      const answer = await read({ 'if-none-match': held });
      expect([answer.status, answer.text, tagOf(answer)], held).to.deep.equal([304, '', etag]);
    }
    for (const held of ['"x"', etag.replace('.scim1', '.scim1-1'), etag.replace('.scim1', '.json1')])
      expect((await read({ 'if-none-match': held })).status, held).to.equal(200);
    expect((await read({ 'if-none-match': etag, accept: 'application/json' })).status).to.equal(200);
    expect((await read({ 'if-modified-since': future })).status).to.equal(304);
    expect((await read({ 'if-modified-since': past })).status).to.equal(200);
    expect((await read({ 'if-none-match': '"x"', 'if-modified-since': future })).status).to.equal(200);
    const head = await ask(`/Users/${id}`, { method: 'HEAD', headers: { 'if-none-match': etag } });
    expect(head.status).to.equal(304);
    expectError(await read({ 'if-none-match': 'x' }), 400);
    expectError(await read({ 'if-match': '"x"' }), 412);
    expectError(await read({ 'if-unmodified-since': past }), 412);
    expectError(await ask(`/Users/${nobody}`, { headers: { 'if-none-match': '*' } }), 404);
  });

  it('locks one change, in whichever media type and API it was read', async () => {
    const { id } = await create(ask);
    const ways: readonly [path: string, accept: string][] = [
      [`/scim/v2/Users/${id}`, mediaType],
      [`/scim/v2/Users/${id}`, 'application/json'],
      [`/users/${id}`, 'application/json'],
      [`/users/${id}`, 'application/xml'],
    ];
    for (const [from, accept] of ways) {
      const etag = tagOf(await service.send(from, { headers: { accept } }));
      const body = patchOf({ op: 'replace', path: 'displayName', value: `by ${from} in ${accept}` });
      const change = () => ask(`/Users/${id}`, { method: 'PATCH', body, headers: { 'if-match': etag } });
      expect((await change()).status, accept).to.equal(200);
      expectError(await change(), 412);
    }
    const etag = tagOf(await ask(`/Users/${id}`));
    const inXml = { 'content-type': 'application/xml', 'if-match': etag };
    const body = '<user><userName>from-xml@example.com</userName></user>';
    expect((await service.send(`/users/${id}`, { method: 'PUT', headers: inXml, body })).status).to.equal(
      200,
    );
  });

  const writes: readonly [method: string, body: Asked['body'], done: number][] = [
    ['PUT', aUser(), 200],
    ['PATCH', rename, 200],
    ['DELETE', undefined, 204],
  ];
  for (const [method, body, done] of writes) {
    it(`that is out of date changes nothing: ${method}`, async () => {
      const { id, etag } = await create(ask);
      const write = (headers: Record<string, string>) => ask(`/Users/${id}`, { method, body, headers });
      const stale = ['"x"', `W/${etag}`, etag.replace(/^"./, '"'), '"x.scim1", "y.scim1"'];
      for (const tag of stale) expectError(await write({ 'if-match': tag }), 412);
      expectError(await write({ 'if-none-match': '*' }), 412);
      expectError(await write({ 'if-none-match': `"x", ${etag}` }), 412);
      expectError(await write({ 'if-unmodified-since': past }), 412);
      for (const name of ['if-match', 'if-none-match'])
        expectError(await write({ [name]: etag.slice(1) }), 400);
      expect(tagOf(await ask(`/Users/${id}`))).to.equal(etag);
      expect((await write({ 'if-match': `"x", ${etag}` })).status).to.equal(done);
      expectError(await ask(`/Users/${nobody}`, { method, body, headers: { 'if-match': '*' } }), 404);
    });
  }

  it('has no effect on a creation, except as a precondition on the list, which always exists', async () => {
    const post = (headers: Record<string, string>) =>
      ask('/Users', { method: 'POST', body: aUser(), headers });
    expect((await post({ 'if-match': '*' })).status).to.equal(201);
    expectError(await post({ 'if-match': '"x"' }), 412);
    expectError(await post({ 'if-none-match': '*' }), 412);
  });

  it('differs after each of many simultaneous changes, all of which take effect', async () => {
    const { id } = await create(ask);
    const roles = Array.from({ length: 20 }, (_, index) => `role${index}`);
    const answers = await Promise.all(
      roles.map((value) =>
        ask(`/Users/${id}`, {
          method: 'PATCH',
          body: patchOf({ op: 'add', path: 'roles', value: [{ value }] }),
        }),
      ),
    );
    expect(new Set(answers.map(versionOf)).size).to.equal(20);
    const { roles: kept } = (await ask(`/Users/${id}`)).json() as unknown as { roles: { value: string }[] };
    expect(kept.map(({ value }) => value).sort()).to.deep.equal([...roles].sort());
  });
});

describe('With required locks, the SCIM API', () => {
  let ask: Ask;
  giveScim(
    (its) => {
      ask = its;
    },
    { requireIfMatch: true },
  );

  it('refuses changes without a version (428) before it looks for the user, and accepts changes with one', async () => {
    const { id, etag } = await create(ask);
    for (const path of [`/Users/${id}`, `/Users/${nobody}`, '/Users/x'])
      for (const [method, body] of [
        ['PUT', aUser()],
        ['PATCH', rename],
        ['DELETE', undefined],
      ] as const)
        expectError(await ask(path, { method, body }), 428);
    const changed = await ask(`/Users/${id}`, {
      method: 'PATCH',
      body: rename,
      headers: { 'if-match': etag },
    });
    expect(changed.status).to.equal(200);
    expect((await ask(`/Users/${id}`, { method: 'DELETE', headers: { 'if-match': '*' } })).status).to.equal(
      204,
    );
  });

  it('requires a version in each operation of a Bulk', async () => {
    const { id, etag } = await create(ask);
    const path = `/Users/${id}`;
    const outcomes = await bulk(ask, [
      { method: 'POST', path: '/Users', data: aUser() },
      { method: 'PATCH', path, data: rename },
      { method: 'PUT', path, data: aUser(), version: '' },
      { method: 'DELETE', path },
      { method: 'PATCH', path, data: rename, version: '"x.scim1"' },
      { method: 'PATCH', path, data: rename, version: etag },
      { method: 'DELETE', path, version: etag },
      { method: 'DELETE', path, version: '*' },
    ]);
    expect(outcomes.map(({ status }) => status)).to.deep.equal([
      '201',
      '428',
      '428',
      '428',
      '412',
      '200',
      '412',
      '204',
    ]);
  });
});

describe('With shared caches, the SCIM API', () => {
  it('lets them store users and lists, and nothing else', async () => {
    const service = await startService({ sharedCaching: true });
    const ask = client(service);
    const { id } = await create(ask);
    const control = async (path: string, asked = {}) => (await ask(path, asked)).headers.get('cache-control');
    for (const path of ['/Users', `/Users/${id}`, '/Users?cursor='])
      expect(await control(path), path).to.equal('public, no-cache, must-revalidate');
    expect(await control(`/Users/${id}`, { method: 'PATCH', body: rename })).to.equal('no-store');
    expect(await control('/Users', { method: 'POST', body: aUser() })).to.equal('no-store');
    expect(await control(`/Users/${nobody}`)).to.equal('no-store');
    await service.close();
  });

  it('does not let them store members and groups, which depend on the scopes of the client', async () => {
    const service = await startService({ sharedCaching: true });
    const ask = client(service);
    const user = await create(ask);
    const { id } = await createGroup(ask, { members: valuesOf([user.id]) });
    const control = async (path: string) => (await ask(path)).headers.get('cache-control');
    for (const path of [`/Groups/${id}`, '/Groups?attributes=members', `/Users/${user.id}?attributes=groups`])
      expect(await control(path), path).to.equal('private, no-cache');
    for (const path of [`/Groups/${id}?excludedAttributes=members`, '/Groups'])
      expect(await control(path), path).to.equal('public, no-cache, must-revalidate');
    await service.close();
  });
});
