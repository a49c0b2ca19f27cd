import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { memoryStore } from '../../../../src/adapters/stores/memory/store.ts';
import { createUser } from '../../../contract/change-log.ts';
import { needed } from '../../../outside/tools.ts';
import { aUser } from '../../../support/a-user.ts';
import { publishedText } from '../../../support/contract.ts';
import { tester } from '../../../support/store-verbs.ts';
import { faultsBySchema } from '../../../support/xml-schema.ts';
import { type Directory, openDirectory } from './directory.ts';

describe('The history', () => {
  let directory: Directory;
  beforeEach(async () => {
    directory = await openDirectory();
  });
  afterEach(() => directory.close());

  it('of a user has old and new values, the newest first, and the name at each time', async () => {
    const id = await directory.write('POST', '/users', { userName: 'ada', name: { givenName: 'Ada' } });
    await directory.write('PATCH', `/users/${id}`, {
      ...{ userName: 'lovelace', name: { familyName: 'Lovelace' }, roles: ['a'] },
    });
    await directory.write('PATCH', `/users/${id}`, { roles: ['a', 'b'], name: null });
    await directory.write('DELETE', `/users/${id}`);
    const { changes, more } = await directory.read(`/users/${id}/history`);
    expect(more).to.equal(false);
    expect(
      changes.map(({ type, label, changed, before, after }) => ({ type, label, changed, before, after })),
    ).to.deep.equal([
      {
        ...{ type: 'user.deleted', label: 'lovelace', changed: undefined, after: undefined },
        before: { userName: 'lovelace', active: true, roles: ['a', 'b'] },
      },
      {
        ...{ type: 'user.updated', label: 'lovelace' },
        changed: ['/name/familyName', '/name/givenName', '/roles'].sort(),
        before: { name: { givenName: 'Ada', familyName: 'Lovelace' }, roles: ['a'] },
        after: { roles: ['a', 'b'] },
      },
      {
        ...{ type: 'user.updated', label: 'lovelace' },
        changed: ['/userName', '/name/familyName', '/roles'],
        before: { userName: 'ada', name: {} },
        after: { userName: 'lovelace', name: { familyName: 'Lovelace' }, roles: ['a'] },
      },
      {
        ...{ type: 'user.created', label: 'ada', changed: undefined, before: undefined },
        after: { userName: 'ada', name: { givenName: 'Ada' }, active: true },
      },
    ]);
  });

  it('of a group includes its members', async () => {
    const [user] = await directory.addUsers(1);
    const id = await directory.write('POST', '/groups', { displayName: 'Engines' });
    await directory.write('PUT', `/groups/${id}/members/${user}`);
    await directory.write('PATCH', `/groups/${id}`, { description: 'All who work on them' });
    const { changes } = await directory.read(`/groups/${id}/history`);
    expect(changes.map(({ type, added, after }) => [type, added, after])).to.deep.equal([
      ['group.updated', undefined, { description: 'All who work on them' }],
      ['group.members-changed', [user], undefined],
      ['group.created', undefined, { displayName: 'Engines' }],
    ]);
    const { meta } = JSON.parse((await directory.send(`/groups/${id}`)).text);
    expect(changes[0]?.version).to.equal(`${meta.version}.1`);
  });

  it('of a user includes the groups that the user joins and leaves', async () => {
    const [user, other] = await directory.addUsers(2);
    const group = await directory.write('POST', '/groups', { displayName: 'Engines' });
    for (const member of [user, other]) await directory.write('PUT', `/groups/${group}/members/${member}`);
    await directory.write('PATCH', `/groups/${group}`, { displayName: 'Machines' });
    await directory.write('DELETE', `/groups/${group}/members/${user}`);
    await directory.write('PUT', `/groups/${group}/members/${user}`);
    await directory.write('DELETE', `/groups/${group}`);
    const { changes } = await directory.read(`/users/${user}/history`);
    expect(
      changes.map(({ type, id, label, added, removed }) => [type, id, label, added ?? removed]),
    ).to.deep.equal([
      ['group.deleted', group, 'Machines', undefined],
      ['group.members-changed', group, 'Machines', [user]],
      ['group.members-changed', group, 'Machines', [user]],
      ['group.members-changed', group, 'Engines', [user]],
      ['user.created', user, 'user1', undefined],
    ]);
    const feed = await directory.read('/changes?since=start&type=group.members-changed');
    expect(feed.changes[1]?.added).to.deep.equal([other]);
    expect(feed.changes[0]?.label).to.equal(undefined);
  });

  it('can be filtered by the id of a request, in either case', async () => {
    const [user] = await directory.addUsers(1);
    const request = randomUUID();
    const group = await directory.write('POST', '/groups', { displayName: 'Engines' });
    const answer = await directory.send(`/groups/${group}/members/${user}`, {
      method: 'PUT',
      headers: { 'x-request-id': request },
    });
    expect(answer.status).to.equal(204);
    await directory.addUsers(1);
    const { changes } = await directory.read(`/history?request=${request.toUpperCase()}`);
    expect(changes.map(({ type, request: by }) => [type, by])).to.deep.equal([
      ['group.members-changed', request],
    ]);
    expect((await directory.read(`/history?request=${randomUUID()}`)).changes).to.deep.equal([]);
    for (const path of ['/history?request=x', `/changes?since=start&request=${request}`])
      expect((await directory.send(path)).status, path).to.equal(400);
  });

  it('can be filtered by the members that updates changed, as the feed can', async () => {
    const [id] = await directory.addUsers(1);
    for (const patch of [
      { title: 'Countess' },
      { name: { givenName: 'Ada' } },
      { emails: [{ value: 'a@b.c' }] },
    ])
      await directory.write('PATCH', `/users/${id}`, patch);
    const found = async (...pointers: string[]) => {
      const query = pointers.map((pointer) => `&changed=${encodeURIComponent(pointer)}`).join('');
      const { changes } = await directory.read(`/history?id=${id}${query}`);
      const { changes: fed } = await directory.read(`/changes?since=start&id=${id}${query}`);
      expect(fed.map(({ changed }) => changed).reverse()).to.deep.equal(
        changes.map(({ changed }) => changed),
      );
      return changes.flatMap(({ changed }) => changed);
    };
    expect(await found('/title')).to.deep.equal(['/title']);
    expect(await found('/name')).to.deep.equal(['/name/givenName']);
    expect(await found('/emails/0/value', '/title')).to.deep.equal(['/emails', '/title']);
    for (const other of ['/name/familyName', '/titles', '/t'])
      expect(await found(other), other).to.deep.equal([]);
    for (const path of ['/history?changed=title', '/history?changed=', '/changes?since=start&changed=x'])
      expect((await directory.send(path)).status, path).to.equal(400);
  });

  it('can be searched by the words of labels, as lists are', async () => {
    const deleted = async (userName: string) => {
      const id = await directory.write('POST', '/users', { userName });
      await directory.write('DELETE', `/users/${id}`);
      return id;
    };
    const [ada, grace] = [await deleted('Ada.Müller'), await deleted('grace.mueller')];
    await directory.write('DELETE', `/users/${await deleted('erased.muller')}?erase=true`);
    const found = async (label: string, more = '&type=user.deleted') => {
      const { changes } = await directory.read(`/history?label=${encodeURIComponent(label)}${more}`);
      return changes.map(({ id }) => id);
    };
    expect(await found('muell')).to.deep.equal([grace, ada]);
    expect(await found('ADA mull')).to.deep.equal([ada]);
    expect(await found('ada', '')).to.deep.equal([ada, ada]);
    for (const label of ['uller', 'ada grace', 'erased']) expect(await found(label)).to.deep.equal([]);
    for (const path of ['/history?label=', `/history?label=${'x'.repeat(129)}`, '/history?label=a&label=b'])
      expect((await directory.send(path)).status, path).to.equal(400);
    for (const path of ['/changes?since=start&label=ada', `/users/${ada}/history?label=ada`])
      expect((await directory.send(path)).status, path).to.equal(400);
  });

  it('can be read from page to page with next', async () => {
    const [id] = await directory.addUsers(1);
    for (let count = 1; count < 5; count += 1)
      await directory.write('PATCH', `/users/${id}`, { title: `Title ${count}` });
    const whole = await directory.read(`/users/${id}/history`);
    const met: unknown[] = [];
    let after = '';
    for (const [count, isMore] of [
      [2, true],
      [2, true],
      [1, false],
      [0, false],
    ] as const) {
      const page = await directory.read(`/users/${id}/history?limit=2${after}`);
      expect([page.changes.length, page.more]).to.deep.equal([count, isMore]);
      met.push(...page.changes);
      after = `&after=${page.next}`;
    }
    expect(met).to.deep.equal(whole.changes);
  });

  it('answers 404 to an unknown id, and is empty for a user whose changes were removed', async () => {
    const [id] = await directory.addUsers(1);
    const { status, text } = await directory.send(`/users/${randomUUID()}/history`);
    expect([status, JSON.parse(text).type]).to.deep.equal([404, '/problems/user-not-found']);
    expect((await directory.send('/users/x/history')).status).to.equal(404);
    const never = Date.now() + 60_000;
    await directory.store.changes?.prune({
      now: never,
      feedFrom: never,
      historyFrom: never,
      maxBytes: 2 ** 40,
    });
    const { changes, more } = await directory.read(`/users/${id}/history`);
    expect([changes, more]).to.deep.equal([[], false]);
  });

  it('refuses an invalid query, and the cursor of another log', async () => {
    const [id] = await directory.addUsers(1);
    for (const [query, status] of [
      ['limit=101', 400],
      ['since=now', 400],
      ['after=x', 400],
      ['after=elsewhere.7.abc', 410],
    ] as const)
      expect((await directory.send(`/users/${id}/history?${query}`)).status, query).to.equal(status);
  });

  it('of all resources says who deleted users, and what a client has changed', async () => {
    const [a, b] = await directory.addUsers(2);
    const group = await directory.write('POST', '/groups', { displayName: 'Engines' }, 'console');
    await directory.write('PATCH', `/users/${b}`, { title: 'Countess' }, 'billing');
    await directory.write('DELETE', `/users/${a}`, undefined, 'console');
    const all = await directory.read('/history');
    expect(all.changes.map(({ type, id, label }) => [type, id, label])).to.deep.equal([
      ['user.deleted', a, 'user1'],
      ['user.updated', b, 'user2'],
      ['group.created', group, 'Engines'],
      ['user.created', b, 'user2'],
      ['user.created', a, 'user1'],
    ]);
    expect(all.changes[1]).to.deep.include({ before: {}, after: { title: 'Countess' } });
    const cases: Readonly<Record<string, readonly number[]>> = {
      'type=user.deleted': [0],
      'by=console': [0, 2],
      'notBy=console&type=user.updated&type=user.created': [1, 3, 4],
      [`id=${a}`]: [0, 4],
      [`from=${all.changes[4]?.at}`]: [0, 1, 2, 3, 4],
      [`to=${all.changes[4]?.at}`]: [],
    };
    for (const [query, places] of Object.entries(cases)) {
      const { changes, more } = await directory.read(`/history?${query}`);
      expect([changes, more], query).to.deep.equal([places.map((at) => all.changes[at]), false]);
    }
    const first = await directory.read('/history?by=console&limit=1');
    expect([first.changes, first.more]).to.deep.equal([[all.changes[0]], true]);
    const second = await directory.read(`/history?by=console&limit=1&after=${first.next}`);
    expect(second.changes).to.deep.equal([all.changes[2]]);
  });

  it('of all resources examines a limited number of changes per request, and continues from there', async () => {
    const oldest = aUser();
    const store = memoryStore();
    const long = await openDirectory(store);
    await store.commit([createUser(oldest)], tester);
    const writes = Array.from({ length: 10_000 }, () => createUser(aUser()));
    await store.commit(writes, { client: 'import', via: 'import' });
    const page = await long.read('/history?notBy=import');
    expect([page.changes, page.more]).to.deep.equal([[], true]);
    const rest = await long.read(`/history?notBy=import&after=${page.next}`);
    expect([rest.changes.map(({ id }) => id), rest.more]).to.deep.equal([[oldest.id], false]);
    await long.close();
  });

  it('of all resources is empty before the first write, and refuses unknown parameters', async () => {
    const { changes, next, more } = await directory.read('/history');
    expect([changes, more]).to.deep.equal([[], false]);
    expect(next).to.equal((await directory.read('/changes?since=now')).next);
    for (const query of ['since=start', 'wait=5', 'type=user.renamed', 'limit=101', 'limit=1&limit=2'])
      expect((await directory.send(`/history?${query}`)).status, query).to.equal(400);
    expect((await directory.send('/history?after=elsewhere.7.abc')).status).to.equal(410);
  });

  it('has values in XML as the resource has them, valid against the schema', async function () {
    needed(this, 'xmllint');
    const user = { userName: 'ada', emails: [{ value: 'ada@example.org', primary: true }] };
    const id = await directory.write('POST', '/users', { ...user, attributes: { floor: '2' } });
    await directory.write('PATCH', `/users/${id}`, {
      attributes: { floor: '3', desk: 'a&b' },
      active: false,
    });
    const { text } = await directory.send(`/users/${id}/history`, { headers: { accept: 'application/xml' } });
    expect(text).to.include(
      '<before><active>true</active><attributes><attribute name="floor">2</attribute></attributes></before>',
    );
    expect(text).to.include(
      '<emails><email><value>ada@example.org</value><primary>true</primary></email></emails>',
    );
    expect(text).to.include('<attribute name="desk">a&amp;b</attribute>');
    const group = await directory.write('POST', '/groups', { displayName: 'Engines' });
    const ofGroup = await directory.send(`/groups/${group}/history`, { headers: { accept: 'text/xml' } });
    const all = await directory.send('/history', { headers: { accept: 'text/xml' } });
    expect(all.text).to.include('<label>Engines</label>');
    const texts = [text, ofGroup.text, all.text];
    const faults = faultsBySchema(await publishedText('/schemas/changes.xsd'), texts);
    expect(faults).to.deep.equal([undefined, undefined, undefined]);
  });
});
