import { expect } from 'chai';
import type { Answer } from '../../../support/service.ts';
import { type Directory, openDirectory, scim } from './directory.ts';

const tagOf = ({ headers }: Answer): string => headers.get('etag') ?? 'none';
const anyTag = /^"[\w~-]+[.]\w+-p[\w-]+(?:[.]\w+)?"$/;

describe('A response to a client with a profile', () => {
  let its: Directory;
  before(async () => {
    its = await openDirectory({ sharedCaching: true });
  });
  after(() => its.close());

  it('is never stored by a shared cache, and varies with Authorization', async () => {
    const { ada, eve, ask, club } = its;
    const paths = [
      ...[`/users/${ada}`, '/users', '/users?limit=1', `/users/${eve}`, '/users?limit=x', '/nothing'],
      ...['/groups', `/groups/${club}`, '/access', '/webhooks', `/users/${ada}/history`, '/changes'],
      ...['/Users', `/Users/${ada}`, `/Users/${eve}`, '/Groups', '/Schemas', '/Users?filter=x'].map(
        (path) => scim + path,
      ),
    ];
    for (const method of ['GET', 'HEAD', 'OPTIONS'])
      for (const accept of ['application/json', 'application/xml'])
        for (const path of paths) {
          const isOpen = path.endsWith('/Schemas') && method === 'OPTIONS';
          if (isOpen || (path.startsWith(scim) && accept.endsWith('xml'))) continue;
          const { headers } = await ask(method, path, { as: 'sales', headers: { accept } });
          expect(headers.get('cache-control') ?? 'no-store', path).to.match(
            /^(?:private, no-cache|no-store)$/,
          );
          expect(headers.get('vary'), `${method} ${path}`).to.match(/(?:^|, )Authorization$/);
        }
    for (const method of ['PUT', 'PATCH', 'DELETE']) {
      const { headers } = await ask(method, `/users/${eve}`, { as: 'sales', body: { userName: 'x' } });
      expect(headers.get('cache-control')).to.equal('no-store');
      expect(headers.get('vary')).to.match(/, Authorization$/);
    }
    const shared = await ask('GET', `/users/${ada}`);
    expect(shared.headers.get('cache-control')).to.equal('public, no-cache, must-revalidate');
    expect(shared.headers.get('vary')).to.equal('Accept, Accept-Encoding');
  });

  it('has a tag that depends on the profile: no other client gets a 304 with it', async () => {
    const { ada, ask } = its;
    for (const path of [`/users/${ada}`, `/users?limit=1`, `${scim}/Users/${ada}`]) {
      const tags = new Map<string | undefined, string>();
      for (const as of [undefined, 'sales', 'phonebook', 'whole'] as const)
        tags.set(as, tagOf(await ask('GET', path, { as })));
      expect(new Set(tags.values()).size, path).to.equal(4);
      if (!path.includes('?')) expect(tags.get('sales')).to.match(anyTag);
      for (const as of [undefined, 'sales', 'phonebook', 'whole'] as const)
        for (const [other, tag] of tags) {
          const { status } = await ask('GET', path, { as, headers: { 'if-none-match': tag } });
          expect(status, `${path} of ${other} by ${as}`).to.equal(as === other ? 304 : 200);
        }
    }
  });

  it('is never fresh by its date, since a change of the profile does not change the date', async () => {
    const { ada, ask } = its;
    const headers = { 'if-modified-since': 'Sun, 01 Feb 2099 00:00:00 GMT' };
    for (const path of [`/users/${ada}`, `${scim}/Users/${ada}`]) {
      expect((await ask('GET', path, { headers })).status).to.equal(304);
      expect((await ask('GET', path, { as: 'sales', headers })).status).to.equal(200);
    }
  });
});

describe('A lock by a client with a profile', () => {
  let its: Directory;
  beforeEach(async () => {
    its = await openDirectory();
  });
  afterEach(() => its.close());

  it('accepts the tag of any representation, and fails after any change', async () => {
    const { ada, ask } = its;
    const path = `/users/${ada}`;
    const whole = tagOf(await ask('GET', path));
    const put = (tag: string, title: string) =>
      ask('PATCH', path, { as: 'sales', headers: { 'if-match': tag }, body: { title } });
    const done = await put(whole, 'One');
    expect(done.status, done.text).to.equal(200);
    expect((await put(whole, 'Two')).status).to.equal(412);
    expect((await put(tagOf(done), 'Two')).status).to.equal(200);
    const seen = tagOf(await ask('GET', path, { as: 'sales' }));
    await ask('PATCH', path, { body: { emails: [{ value: 'other@example.org' }] } });
    expect((await put(seen, 'Three')).status).to.equal(412);
  });

  it('on a resource outside of its filter is 404, whatever the condition', async () => {
    const { eve, ask } = its;
    const conditions: readonly Readonly<Record<string, string>>[] = [
      ...[{ 'if-match': '*' }, { 'if-match': '"x.json1"' }, { 'if-none-match': '*' }],
      ...[{ 'if-modified-since': 'Sun, 01 Feb 2099 00:00:00 GMT' }],
      ...[{ 'if-unmodified-since': 'Sun, 06 Nov 1994 08:49:37 GMT' }],
      ...[{ 'if-match': tagOf(await ask('GET', `/users/${eve}`)) }],
      ...[{ 'if-none-match': tagOf(await ask('GET', `/users/${eve}`)) }],
    ];
    const body = { userName: 'eve' };
    for (const path of [`/users/${eve}`, `${scim}/Users/${eve}`])
      for (const headers of conditions) {
        for (const [method, sent] of [
          ['GET', undefined],
          ['HEAD', undefined],
          ['PUT', body],
          ['DELETE', undefined],
        ] as const) {
          const answer = await ask(method, path, { as: 'sales', headers, ...(sent && { body: sent }) });
          expect(answer.status, `${method} ${path} ${JSON.stringify(headers)}`).to.equal(404);
          expect(tagOf(answer)).to.equal('none');
        }
      }
    expect((await ask('GET', `/users/${eve}`)).status).to.equal(200);
  });

  it('does not change the answer to OPTIONS, inside of the filter or outside', async () => {
    const { ada, eve, ask } = its;
    for (const root of ['/users', `${scim}/Users`]) {
      const [one, other] = [
        await ask('OPTIONS', `${root}/${ada}`, { as: 'sales' }),
        await ask('OPTIONS', `${root}/${eve}`, { as: 'sales' }),
      ];
      expect([one.status, one.headers.get('allow')]).to.deep.equal([
        other.status,
        other.headers.get('allow'),
      ]);
    }
  });
});

describe('A cursor', () => {
  let its: Directory;
  before(async () => {
    its = await openDirectory();
  });
  after(() => its.close());

  const nextIn = ({ headers }: Answer): string =>
    /<[^>]*([?][^>]*)>; rel="next"/.exec(headers.get('link') ?? '')?.[1] ?? 'none';

  it('of one client is refused in a list of a client with another profile', async () => {
    const { ask } = its;
    const clients = [undefined, 'whole', 'sales'] as const;
    for (const from of clients) {
      const next = nextIn(await ask('GET', '/users?limit=1&sort=userName', { as: from }));
      for (const as of clients) {
        const { status, text } = await ask('GET', `/users${next}`, { as });
        expect(status, `${from} to ${as}`).to.equal(as === from ? 200 : 400);
        if (as !== from) expect(text).to.include('after is not a cursor of this list');
      }
    }
  });

  it('of SCIM is refused to a client with another profile', async () => {
    const { ask } = its;
    const clients = [undefined, 'whole', 'sales'] as const;
    for (const from of clients) {
      const first = await ask('GET', `${scim}/Users?cursor&count=1`, { as: from });
      const { nextCursor } = first.json() as unknown as { nextCursor: string };
      for (const as of clients) {
        const { status, text } = await ask('GET', `${scim}/Users?count=1&cursor=${nextCursor}`, { as });
        expect(status, `${from} to ${as}`).to.equal(as === from ? 200 : 400);
        if (as !== from) expect(text).to.include('invalidCursor');
      }
    }
  });
});
