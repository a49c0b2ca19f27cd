import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { memoryStore } from '../../../../src/adapters/stores/memory/store.ts';
import { createUser } from '../../../contract/change-log.ts';
import { needed } from '../../../outside/tools.ts';
import { aUser } from '../../../support/a-user.ts';
import { publishedText } from '../../../support/contract.ts';
import { kinds } from '../../../support/kinds.ts';
import { overridden } from '../../../support/stores.ts';
import { faultsBySchema } from '../../../support/xml-schema.ts';
import { type ChangesBody, type Directory, openDirectory } from './directory.ts';
import { unavailable } from './unavailable.ts';

describe('The feed of changes', () => {
  let directory: Directory;
  beforeEach(async () => {
    directory = await openDirectory();
  });
  afterEach(() => directory.close());

  const refusal = async (path: string): Promise<readonly [number, string, string]> => {
    const { status, text } = await directory.send(path);
    const { type, detail } = JSON.parse(text);
    return [status, type, detail];
  };

  it('accepts the maximum number of values for all filters at once', async () => {
    const fifty = (name: string, value: () => string) =>
      Array.from({ length: 50 }, () => `&${name}=${value()}`).join('');
    const filters =
      fifty('id', randomUUID) +
      fifty('by', randomUUID) +
      fifty('notBy', randomUUID) +
      fifty('type', () => 'user.created');
    const { status } = await directory.send(`/changes?since=start&limit=10${filters}`);
    expect(status).to.equal(200);
  });

  it('has each change with its author and resource, and without values', async () => {
    const request = randomUUID();
    const id = await directory.write('POST', '/users', { userName: 'ada', title: 'Analyst' });
    await directory.write(
      'PATCH',
      `/users/${id}`,
      { title: 'Countess', name: { givenName: 'Ada' } },
      'billing',
    );
    const group = await directory.write('POST', '/groups', { displayName: 'Engines' });
    await directory.write('PUT', `/groups/${group}/members/${id}`);
    await directory.send(`/users/${id}`, { method: 'DELETE', headers: { 'x-request-id': request } });
    const answer = await directory.send('/changes?since=start');
    expect(answer.text).not.to.match(/Analyst|Countess|"ada"/);
    expect(answer.headers.get('cache-control')).to.equal('no-store');
    const { changes, next, more } = JSON.parse(answer.text) as ChangesBody;
    expect([next, more]).to.deep.equal([changes.at(-1)?.cursor, false]);
    const contents = changes.map(({ cursor, at, version, request: _, by, ...content }) => content);
    expect(contents).to.deep.equal([
      { type: 'user.created', id, via: 'users' },
      { type: 'user.updated', id, via: 'users', changed: ['/name/givenName', '/title'] },
      { type: 'group.created', id: group, via: 'groups' },
      { type: 'group.members-changed', id: group, via: 'groups', added: [id] },
      { type: 'user.deleted', id, via: 'users' },
    ]);
    expect(changes.map(({ by }) => (by as { client: string }).client)).to.deep.equal([
      ...['hr-sync', 'billing', 'hr-sync', 'hr-sync', ''],
    ]);
    expect(changes.at(-1)?.request).to.equal(request);
    for (const { at } of changes) expect(String(at)).to.match(/^\d{4}-\d\d-\d\dT[\d:.]{12}Z$/);
  });

  it('can be followed from page to page, and continued where it ended', async () => {
    const ids = await directory.addUsers(5);
    const met: string[] = [];
    let next = 'start';
    for (const count of [2, 2, 1, 0]) {
      const page = await directory.read(`/changes?since=${next}&limit=2`);
      expect(page.changes).to.have.length(count);
      met.push(...page.changes.map(({ id }) => id));
      next = page.next;
    }
    expect(met).to.deep.equal(ids);
    const [another] = await directory.addUsers(1);
    const { changes } = await directory.read(`/changes?since=${next}`);
    expect(changes.map(({ id }) => id)).to.deep.equal([another]);
  });

  it('can begin with future changes, or after any change', async () => {
    const [first, ...others] = await directory.addUsers(3);
    const { changes } = await directory.read('/changes?since=start');
    expect(changes[0]?.id).to.equal(first);
    const rest = await directory.read(`/changes?since=${changes[0]?.cursor}`);
    expect(rest.changes.map(({ id }) => id)).to.deep.equal(others);
    const now = await directory.read('/changes?since=now');
    expect(now).to.deep.equal({ changes: [], next: changes[2]?.cursor, more: false });
  });

  it('says how to begin when since is missing, and what is wrong with a query', async () => {
    const wrong: readonly (readonly [query: string, detail: RegExp])[] = [
      ['', /^since is missing: send since=start .* since=now .* next of the page before/],
      ['?since=', /^since is missing/],
      ['?since=now&since=start', /^since occurs more than once/],
      ['?since=now&limit=0', /^limit must be a whole number from 1 to 1000/],
      ['?since=now&limit=1001', /^limit must be/],
      ['?since=now&typ=user.created', /^"typ" is not a parameter of this request \(perhaps type\)/],
      ['?since=now&type=user.renamed', /^type must be one of user.created, /],
      ['?since=now&id=ada', /^id must be a UUID/],
      ['?since=now&by=', /^by must not be empty/],
      ['?since=now&from=yesterday', /^from must be a date and time with a zone/],
      [`?since=now${'&by=x'.repeat(51)}`, /^by occurs more than 50 times/],
    ];
    for (const [query, expected] of wrong) {
      const [status, type, detail] = await refusal(`/changes${query}`);
      expect([status, type], query).to.deep.equal([400, '/problems/invalid-parameter']);
      expect(detail, query).to.match(expected);
    }
  });

  it('has no names of attributes, which are as personal as their values, but says that attributes were changed', async () => {
    const attributes = { 'hiv-positive': 'yes', 'second-job': 'yes' };
    const id = await directory.write('POST', '/users', { userName: 'jane', attributes: { gone: 'x' } });
    await directory.write('PATCH', `/users/${id}`, { title: 'x', attributes: { ...attributes, gone: null } });
    const { text } = await directory.send('/changes?since=start');
    expect(text).not.to.match(/gone|hiv|second/);
    expect(JSON.parse(text).changes[1].changed).to.have.members(['/title', '/attributes']);
    const xml = await directory.send('/changes?since=start', { headers: { accept: 'application/xml' } });
    expect(xml.text)
      .to.include('<pointer>/attributes</pointer>')
      .and.not.match(/gone|hiv|second/);
    const known = (await directory.read(`/users/${id}/history`)).changes[0]?.changed;
    expect(known).to.include('/attributes/hiv-positive');
  });

  it('can be filtered by type, resource, author and time, and skips what the filters exclude', async () => {
    const [a = '', b = ''] = await directory.addUsers(2);
    await directory.write('PATCH', `/users/${a}`, { title: 'x' }, 'billing');
    const group = await directory.write('POST', '/groups', { displayName: 'Engines' }, 'console');
    const all = (await directory.read('/changes?since=start')).changes;
    const end = all.at(-1)?.cursor;
    const later = new Date(Date.now() + 60_000).toISOString();
    const cases: Readonly<Record<string, readonly number[]>> = {
      'type=user.created': [0, 1],
      'type=user.updated&type=group.created': [2, 3],
      [`id=${a.toUpperCase()}`]: [0, 2],
      [`id=${a}&id=${group}`]: [0, 2, 3],
      [`id=${a}&type=user.updated`]: [2],
      'by=billing': [2],
      'notBy=billing&notBy=console': [0, 1],
      [`from=${all[0]?.at}`]: [0, 1, 2, 3],
      [`to=${all[0]?.at}`]: [],
      [`from=${later}`]: [],
      [`id=${randomUUID()}`]: [],
    };
    for (const [query, places] of Object.entries(cases)) {
      const { changes, next, more } = await directory.read(`/changes?since=start&${query}`);
      expect(changes, query).to.deep.equal(places.map((at) => all[at]));
      expect([next, more], query).to.deep.equal([end, false]);
    }
    const first = await directory.read('/changes?since=start&type=user.created&limit=1');
    expect([first.next, first.more]).to.deep.equal([all[0]?.cursor, true]);
    const second = await directory.read(`/changes?since=${first.next}&type=user.created&limit=1`);
    expect(second.changes.map(({ id }) => id)).to.deep.equal([b]);
  });

  it('answers 410 to the cursor of another log, and of changes that were removed', async () => {
    const early = (await directory.read('/changes?since=start')).next;
    await directory.addUsers(1);
    const { next } = await directory.read('/changes?since=now');
    for (const cursor of ['elsewhere.1.abc', next.replace(/[.]\d+[.]/, '.99.')])
      expect((await refusal(`/changes?since=${cursor}`)).slice(0, 2), cursor).to.deep.equal([
        410,
        '/problems/cursor-foreign',
      ]);
    await directory.store.changes?.prune({
      ...{ now: Date.now(), feedFrom: Date.now() + 60_000, historyFrom: 0, maxBytes: 2 ** 40 },
    });
    expect((await refusal(`/changes?since=${early}`)).slice(0, 2)).to.deep.equal([
      410,
      '/problems/cursor-expired',
    ]);
    expect((await directory.read(`/changes?since=${next}`)).changes).to.deep.equal([]);
  });

  it('answers 400 to an invalid cursor, so that a client with a bug does not start again', async () => {
    const { next } = await directory.read('/changes?since=now');
    for (const cursor of ['garbage', '..', '%00', next.replace(/[.].*/, ''), `${next}!`, 'NOW'])
      expect(await refusal(`/changes?since=${cursor}`), cursor).to.deep.equal([
        400,
        '/problems/invalid-parameter',
        'since must be start, now, next of a page or the cursor of a change, unchanged.',
      ]);
  });

  it('examines a limited number of changes per request, and says that more follow', async () => {
    const store = memoryStore();
    const long = await openDirectory(store);
    for (let count = 0; count < 41; count += 1) {
      const writes = Array.from({ length: 250 }, () => createUser(aUser()));
      await store.commit(writes, { client: 'import', via: 'import' });
    }
    await store.commit([createUser(aUser())], { client: 'last', via: 'import' });
    const first = await long.read('/changes?since=start&by=last');
    expect([first.changes.length, first.more]).to.deep.equal([0, true]);
    const second = await long.read(`/changes?since=${first.next}&by=last`);
    expect([second.changes.length, second.more]).to.deep.equal([1, false]);
    await long.close();
  });

  it('has the same content in XML, valid against its schema', async function () {
    needed(this, 'xmllint');
    const [user] = await directory.addUsers(1);
    const group = await directory.write('POST', '/groups', { displayName: 'A & B' }, 'c<&>"\u0001');
    await directory.write('POST', `/groups/${group}/members`, { add: [user] });
    const accept = { accept: 'application/xml' };
    const pages = [
      await directory.send('/changes?since=start', { headers: accept }),
      await directory.send('/changes?since=now', { headers: accept }),
    ];
    const { next } = await directory.read('/changes?since=now');
    const [first, last] = pages.map(({ text }) => text);
    expect(last).to.equal(
      `<?xml version="1.0" encoding="UTF-8"?><changes xmlns="urn:user-management:1" next="${next}" more="false"></changes>`,
    );
    expect(first).to.match(/^<\?xml [^>]*><changes xmlns="[^"]*" next="[^"]*" more="false"><change><cursor>/);
    expect(first).to.include(`<added><id>${user}</id></added>`);
    expect(first).to.include('<by><client>c&lt;&amp;&gt;"\uFFFD</client></by>');
    const faults = faultsBySchema(await publishedText('/schemas/changes.xsd'), [first ?? '', last ?? '']);
    expect(faults).to.deep.equal([undefined, undefined]);
  });

  it('answers 404 with the reason when the change log is turned off', async () => {
    const unlogged = await openDirectory(memoryStore(kinds, false));
    const id = await unlogged.write('POST', '/users', { userName: 'ada' });
    for (const path of ['/changes?since=start', `/users/${id}/history`]) {
      const { status, text } = await unlogged.send(path);
      expect([status, JSON.parse(text).type]).to.deep.equal([404, '/problems/not-logged']);
    }
    await unlogged.close();
  });

  it('answers 503 while the log cannot be read', async () => {
    const store = memoryStore();
    const away = await openDirectory(overridden(store, { changes: unavailable }));
    expect((await away.send('/changes?since=start')).status).to.equal(503);
    await away.close();
  });
});
