import { expect } from 'chai';
import { contractVersions } from '../../../../src/adapters/contracts/versions.ts';
import type { Store } from '../../../../src/domain/store.ts';
import { later, startGrown } from '../../../support/grown-users.ts';
import { type Answer, aToken, type TestService } from '../../../support/service.ts';

const [json, xml] = ['application/json', 'application/xml'];
const whole = {
  userName: 'ada',
  name: { familyName: 'Lovelace', ...later.name },
  badge: later.badge,
  validUntil: later.validUntil,
};

describe('A client that is pinned to a version of the contract', () => {
  let service: TestService;
  let path: string;
  let store: Store | undefined;
  const tokens: Record<string, string> = {};

  before(async () => {
    for (const client of ['old', 'new']) tokens[client] = await aToken(undefined, '1h', client);
  });
  beforeEach(async () => {
    service = await startGrown({ contractClients: 'old=1.12' }, store);
    path = (await send('new', 'POST', '/grown/users', whole)).headers.get('location') ?? '';
  });
  afterEach(() => service.close());

  function send(client: string, method: string, to: string, body?: object | string, more: object = {}) {
    const type = typeof body === 'string' ? xml : json;
    const text = typeof body === 'object' ? JSON.stringify(body) : body;
    return service.send(to, {
      method,
      headers: {
        authorization: `Bearer ${tokens[client]}`,
        ...{ accept: type, ...more },
        ...(text !== undefined && { 'content-type': type }),
      },
      ...(text !== undefined && { body: text }),
    });
  }
  const read = async (client: string) => (await send(client, 'GET', path)).json();
  const tagOf = ({ headers }: Answer): string => headers.get('etag') ?? '';

  it('sees no later members, in single users and in lists, in JSON and XML', async () => {
    expect(await read('new')).to.deep.include(later.badge && { badge: later.badge });
    const seen = await read('old');
    expect(seen).to.not.have.any.keys('badge', 'validUntil');
    expect(seen.name).to.deep.equal({ familyName: 'Lovelace' });
    const [listed] = (await send('old', 'GET', '/grown/users')).json().users;
    expect(listed).to.deep.equal(seen);
    for (const to of [path, '/grown/users']) {
      const { text } = await send('old', 'GET', to, undefined, { accept: xml });
      expect(text).to.include('<familyName>Lovelace</familyName>');
      expect(text).to.not.match(/preferred|badge|validUntil/);
      expect((await send('new', 'GET', to, undefined, { accept: xml })).text).to.include('<preferred>');
    }
  });

  it('keeps later members with a PUT of what it has read, also if the PUT leaves objects out', async () => {
    const seen = await read('old');
    const replaced = await send('old', 'PUT', path, { ...seen, title: 'Countess' });
    expect(replaced.status, replaced.text).to.equal(200);
    expect(replaced.json()).to.include({ title: 'Countess' }).and.not.have.any.keys('badge', 'validUntil');
    expect(await read('new')).to.deep.include({ ...whole, title: 'Countess' });
    await send('old', 'PUT', path, '<user xmlns="urn:user-management:1"><userName>ada</userName></user>');
    const { badge, validUntil } = later;
    expect(await read('new')).to.deep.include({ name: later.name, badge, validUntil });
    expect(await read('old')).to.not.have.any.keys('name', 'title', 'badge', 'validUntil');
  });

  it('loses later members without the pin', async () => {
    const seen = await read('old');
    await send('new', 'PUT', path, seen);
    expect(await read('new')).to.not.have.any.keys('badge', 'validUntil');
  });

  it('keeps later members with a PATCH of other members, also in the same object', async () => {
    const patched = await send('old', 'PATCH', path, { name: { familyName: '', givenName: 'Ada' } });
    expect(patched.json().name).to.deep.equal({ givenName: 'Ada' });
    expect((await read('new')).name).to.deep.equal({ givenName: 'Ada', ...later.name });
    await send('old', 'PATCH', path, { name: null });
    expect(await read('new')).to.deep.include({ name: later.name, badge: later.badge });
  });

  it('gets an error that names members it cannot know, and changes nothing', async () => {
    const before = await read('new');
    const seen = await read('old');
    for (const [method, to, body] of [
      ['POST', '/grown/users', { userName: 'bob', validUntil: later.validUntil }],
      ['PATCH', path, { validUntil: later.validUntil }],
      ['PATCH', path, { validUntil: null }],
      ['PUT', path, { ...seen, validUntil: later.validUntil }],
    ] as const) {
      const { status, json: problem } = await send('old', method, to, body);
      expect(status, method).to.equal(422);
      expect(problem().errors.map(({ pointer }) => pointer)).to.deep.equal(['/validUntil']);
    }
    const nested = await send('old', 'PATCH', path, '<user><name><preferred>A</preferred></name></user>');
    expect([nested.status, nested.text]).to.satisfy(
      ([status, text]: [number, string]) => status === 422 && text.includes('/name/preferred'),
    );
    expect(await read('new')).to.deep.equal(before);
  });

  it('gets no hint, in JSON and XML, that names a member it cannot know', async () => {
    const bodies = [
      { userName: 'ada', validUntl: 'x', name: { prefered: 'x' } },
      '<user><userName>ada</userName><validUntl>x</validUntl><name><prefered>x</prefered></name></user>',
      '<user><userName>ada</userName><badge><numbr>1</numbr></badge></user>',
    ];
    for (const body of bodies) {
      const { status, text } = await send('old', 'PUT', path, body, { accept: json });
      expect(status, text).to.equal(422);
      expect(text).to.not.match(/perhaps [\w/]*(validUntil|preferred|number)/);
      expect(text).to.not.include('/badge/');
    }
    const { text } = await send('new', 'PUT', path, bodies[1], { accept: json });
    expect(text).to.include('perhaps validUntil');
  });

  it('gets different entity tags, which lock as the tags of other clients do', async () => {
    const [old, own] = [await send('old', 'GET', path), await send('new', 'GET', path)];
    expect(tagOf(old))
      .to.match(/-v1-12"$/)
      .and.not.equal(tagOf(own));
    const held = (client: string, tag: string) =>
      send(client, 'GET', path, undefined, { 'if-none-match': tag });
    expect((await held('old', tagOf(old))).status).to.equal(304);
    expect((await held('old', tagOf(own))).status).to.equal(200);
    expect((await held('new', tagOf(old))).status).to.equal(200);
    const put = (tag: string) => send('old', 'PUT', path, { userName: 'ada' }, { 'if-match': tag });
    expect((await put(tagOf(old))).status).to.equal(200);
    expect((await put(tagOf(old))).status).to.equal(412);
    const lists = await Promise.all(['old', 'new'].map((client) => send(client, 'GET', '/grown/users')));
    expect(new Set(lists.map(tagOf))).to.have.property('size', 2);
  });

  it('gets its own representation from a shared cache that lost the tags and revalidates by date alone', async () => {
    const dated = { 'if-modified-since': new Date(Date.now() + 60_000).toUTCString() };
    const answers = async (at: string) =>
      Promise.all(
        ['old', 'new'].map(async (client) => {
          const { status, headers } = await send(client, 'GET', at, undefined, dated);
          return `${status} ${headers.get('cache-control')?.split(',')[0]}`;
        }),
      );
    expect(await answers(path)).to.deep.equal(['304 private', '304 private']);
    await service.close();
    service = await startGrown({ contractClients: 'old=1.12', sharedCaching: true }, store);
    path = (await send('new', 'POST', '/grown/users', { userName: 'bob' })).headers.get('location') ?? '';
    expect(await answers(path)).to.deep.equal(['200 private', '304 public']);
    expect(await answers('/grown/users')).to.deep.equal(['200 private', '200 public']);
    await service.close();
    service = await startGrown({ contract: '1.12', contractClients: 'new=1.13', sharedCaching: true }, store);
    path = (await send('new', 'POST', '/grown/users', { userName: 'bo' })).headers.get('location') ?? '';
    expect(await answers(path)).to.deep.equal(['304 public', '200 private']);
  });

  it('sees only members that it knows in changes and histories', async () => {
    await send('new', 'PATCH', path, { title: 'x', validUntil: null, name: { preferred: 'L.' } });
    await send('new', 'PATCH', path, { validUntil: later.validUntil });
    const history = async (client: string) =>
      (await send(client, 'GET', `${path}/history`)).json().changes as { [member: string]: unknown }[];
    const [last, change, made] = await history('old');
    expect(last).to.deep.include({ changed: [], before: {}, after: {} });
    expect(change).to.deep.include({ changed: ['/title'], before: {}, after: { title: 'x' } });
    expect(made?.after).to.not.have.any.keys('badge', 'validUntil');
    expect((await history('new'))[1]?.changed).to.include.members(['/title', '/validUntil']);
    const { text } = await send('old', 'GET', `${path}/history`, undefined, { accept: xml });
    expect(text)
      .to.include('<title>x</title>')
      .and.not.match(/badge|validUntil|preferred/);
    const feed = (await send('old', 'GET', '/grown/changes?since=start')).json().changes as {
      changed?: string[];
    }[];
    expect(feed.map(({ changed }) => changed)).to.deep.equal([undefined, ['/title'], []]);
  });

  it('sees only members that it knows in changes that it waits for', async () => {
    const { next } = (await send('old', 'GET', '/grown/changes?since=now')).json();
    const waiting = send('old', 'GET', `/grown/changes?since=${next}&wait=30`);
    await send('new', 'PATCH', path, { title: 'y', validUntil: null });
    const { changes } = (await waiting).json() as unknown as { changes: { changed?: string[] }[] };
    expect(changes.map(({ changed }) => changed)).to.deep.equal([['/title']]);
  });

  it('gets its version from /access', async () => {
    for (const [client, contract] of [
      ['old', '1.12'],
      ['new', contractVersions.at(-1)],
    ] as const)
      expect((await send(client, 'GET', '/grown/access')).json()).to.include({ client, contract });
  });

  it('can be any client without its own version, if the installation has a default', async () => {
    await service.close();
    service = await startGrown({ contract: '1.12' });
    const made = await send('new', 'POST', '/grown/users', { userName: 'bob', validUntil: later.validUntil });
    expect(made.status).to.equal(422);
  });
});
