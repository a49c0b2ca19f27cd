import { expect } from 'chai';
import { memoryStore } from '../../../../src/adapters/stores/memory/store.ts';
import { kindsOf } from '../../../../src/domain/kinds.ts';
import { declarations, startDeclared } from '../../../support/declared.ts';
import type { TestService } from '../../../support/service.ts';
import { overridden } from '../../../support/stores.ts';

const attributes = {
  badge: 42,
  hired: '2024-02-29',
  costCentre: 'NL12',
  level: 'senior',
  remote: true,
  sites: ['Oslo', 'Bergen'],
  rate: 1.5,
  seen: '2026-01-02T03:04:05.000Z',
  scores: [3, -1],
  floor: '2',
};

const asXml = (entries: Readonly<Record<string, string>>, userName = 'ada'): string =>
  `<user xmlns="urn:user-management:1"><userName>${userName}</userName><attributes>${Object.entries(entries)
    .map(([name, text]) => `<attribute name="${name}">${text}</attribute>`)
    .join('')}</attributes></user>`;

describe('Attributes that the installation declares', () => {
  let service: TestService;
  beforeEach(async () => {
    service = await startDeclared();
  });
  afterEach(() => service.close());

  const create = (body: object) =>
    service.send('/users', {
      method: 'POST',
      body: JSON.stringify(body),
      headers: { 'Content-Type': 'application/json' },
    });
  const createXml = (body: string) =>
    service.send('/users', { method: 'POST', body, headers: { 'Content-Type': 'application/xml' } });

  it('are typed in JSON, and texts in XML, with a line for each item of a list', async () => {
    const answer = await create({ userName: 'ada', attributes });
    expect(answer.status, answer.text).to.equal(201);
    expect(answer.json().attributes).to.deep.equal(attributes);
    const path = `/users/${answer.json().id}`;
    const { text } = await service.send(path, { headers: { Accept: 'application/xml' } });
    for (const entry of [
      'badge">42<',
      'sites">Oslo\nBergen<',
      'scores">3\n-1<',
      'remote">true<',
      'rate">1.5<',
    ])
      expect(text).to.include(`<attribute name="${entry}/attribute>`);
  });

  it('may be sent as texts in any lexical form, and are shown in one', async () => {
    const texts = {
      badge: ' +042',
      rate: '1.50',
      remote: '1',
      seen: '2026-01-02T04:04:05+01:00',
      scores: '3\n-01',
      sites: 'Oslo\nBergen',
    };
    const shown = {
      badge: 42,
      rate: 1.5,
      remote: true,
      seen: '2026-01-02T03:04:05.000Z',
      scores: [3, -1],
      sites: ['Oslo', 'Bergen'],
    };
    const inJson = await create({ userName: 'grace', attributes: texts });
    expect(inJson.json().attributes).to.deep.equal(shown);
    const inXml = await createXml(asXml({ ...texts, badge: '043' }));
    expect(inXml.status, inXml.text).to.equal(201);
    const read = await service.send(inXml.headers.get('location') ?? '', {
      headers: { Accept: 'application/json' },
    });
    expect(read.json().attributes).to.deep.equal({ ...shown, badge: 43 });
  });

  it('are refused in JSON and XML with the same pointer and reason', async () => {
    const wrong = [
      ['badge', '0', 'must be at least 1'],
      ['badge', 'many', 'must be a whole number'],
      ['badge', '9007199254740993', 'must be a whole number'],
      ['hired', '2023-02-29', 'must be a date such as 2026-01-31'],
      ['costCentre', 'x', 'must have the form ^[A-Z]{2}[0-9]+$'],
      ['level', 'boss', 'must be one of junior, senior, principal'],
      ['remote', 'perhaps', 'must be true or false, in lower case and without quotes'],
      ['mentor', 'nobody', 'must be the id of a user'],
      ['rate', '0.1234567890123456', 'must have at most 15 significant digits'],
      ['rate', '-1', 'must be at least 0'],
      ['seen', '2026-01-02', 'must be a date and time with a zone, such as 2026-01-02T03:04:05Z'],
      ['sites', 'Oslo\nOslo', 'must not repeat an item'],
      ['Badge', '42', 'is not known here (perhaps badge)'],
    ] as const;
    for (const [name, text, detail] of wrong) {
      const errors = [{ pointer: `/attributes/${name}`, detail }];
      const inJson = await create({ userName: 'ada', attributes: { [name]: text } });
      expect(inJson.json().errors, `${name} ${text}`).to.deep.equal(errors);
      const inXml = await createXml(asXml({ [name]: text }));
      expect(inXml.status).to.equal(422);
      for (const part of [errors[0]?.pointer, detail.replaceAll('>', '&gt;')])
        expect(inXml.text).to.include(part);
    }
    expect((await service.send('/users')).json().users).to.deep.equal([]);
  });

  it('are found by value, several values, range, absence, negation and words, and in the order of their type', async () => {
    const badges = [9, 10, 100, -0, 2];
    for (const [at, badge] of badges.entries())
      await create({
        userName: `user${at}`,
        attributes: {
          ...(badge > 0 && { badge }),
          rate: badge,
          hired: `2024-0${at + 1}-01`,
          sites: ['Oslo', `Site${at}`],
          costCentre: `AB${at}`,
        },
      });
    const names = async (query: string): Promise<string> => {
      const answer = await service.send(`/users?${query}`);
      expect(answer.status, answer.text).to.equal(200);
      return answer
        .json()
        .users.map(({ userName }) => userName.slice(4))
        .join('');
    };
    expect(await names('attributes.badge=010&sort=userName')).to.equal('1');
    expect(await names('attributes.badge.in=9&attributes.badge.in=2&sort=userName')).to.equal('04');
    expect(await names('attributes.badge.exists=false')).to.equal('3');
    expect(await names('attributes.badge.not=9&sort=userName')).to.equal('1234');
    expect(await names('attributes.badge.from=9&attributes.badge.to=100&sort=attributes.badge')).to.equal(
      '012',
    );
    expect(await names('sort=-attributes.rate')).to.equal('21043');
    expect(
      await names('attributes.hired.from=2024-02-01&attributes.hired.to=2024-03-01&sort=attributes.hired'),
    ).to.equal('12');
    expect(await names('attributes.sites=site3')).to.equal('3');
    expect(await names('attributes.costCentre=ab1')).to.equal('1');
    expect(await names('search=ab4')).to.equal('4');
    const wrong = await service.send('/users?attributes.badge.from=x');
    expect(wrong.text).to.include('attributes.badge.from must be a whole number.');
    const twisted = await service.send('/users?attributes.badge.from=10&attributes.badge.to=9');
    expect(twisted.text).to.include('attributes.badge.from must not be after attributes.badge.to.');
  });

  it('are unique where the declaration says so, whatever the form of the value', async () => {
    const { id } = (await create({ userName: 'ada', attributes: { badge: 42 } })).json();
    const taken = await create({ userName: 'grace', attributes: { badge: '042' } });
    expect([taken.status, taken.json().type]).to.deep.equal([409, '/declared/problems/attribute-taken']);
    expect(taken.json().errors).to.deep.equal([
      { pointer: '/attributes/badge', detail: 'another user has this badge' },
    ]);
    const inXml = await createXml(asXml({ badge: '42' }, 'grace'));
    expect(inXml.status).to.equal(409);
    await service.send(`/users/${id}`, { method: 'DELETE' });
    expect((await create({ userName: 'grace', attributes: { badge: 42 } })).status).to.equal(201);
  });

  it('of the type user must refer to an existing user, and keep the reference when that user is deleted', async () => {
    const { id: mentor } = (await create({ userName: 'ada' })).json();
    const wrong = await create({
      userName: 'grace',
      attributes: { mentor: '019b7c5a-3f6e-7b21-9d0c-5a7e8f902431' },
    });
    expect(wrong.json().errors).to.deep.equal([
      { pointer: '/attributes/mentor', detail: 'belongs to no user' },
    ]);
    const right = await create({ userName: 'grace', attributes: { mentor: mentor.toUpperCase() } });
    expect(right.json().attributes).to.deep.equal({ mentor });
    await service.send(`/users/${mentor}`, { method: 'DELETE' });
    const kept = await service.send(`/users/${right.json().id}`, {
      method: 'PUT',
      body: JSON.stringify({ userName: 'grace', title: 'Admiral', attributes: { mentor } }),
      headers: { 'Content-Type': 'application/json' },
    });
    expect(kept.status, kept.text).to.equal(200);
  });

  it('that are stored stay when a stricter declaration would refuse them, until they change', async () => {
    const first = await create({ userName: 'ada', attributes: { badge: 42, Old: 'x', level: 'senior' } });
    const kept = first.json();
    const stricter = await startDeclared(
      {
        undeclared: 'refuse',
        attributes: {
          badge: { type: 'integer', maximum: 10 },
          level: { type: 'string', retired: true },
        },
      },
      {},
      service.store,
    );
    try {
      const path = `/users/${kept.id}`;
      const put = (attributes: object) =>
        stricter.send(path, {
          method: 'PUT',
          body: JSON.stringify({ userName: 'ada', attributes }),
          headers: { 'Content-Type': 'application/json' },
        });
      const same = await put({ ...(kept.attributes as object) });
      expect(same.status, same.text).to.equal(200);
      const changed = await put({ badge: 43, Old: 'y', level: 'junior' });
      expect(changed.json().errors).to.deep.equal([
        { pointer: '/attributes/badge', detail: 'must be at most 10' },
        { pointer: '/attributes/Old', detail: 'is not known here' },
        { pointer: '/attributes/level', detail: 'is retired: it may be removed, but no longer set' },
      ]);
      expect((await put({ badge: 7 })).json().attributes).to.deep.equal({ badge: 7 });
    } finally {
      await stricter.close();
    }
  });

  it('that break newer rules stay, also in longer lists and for clients that know no types', async () => {
    const sites = ['Oslo', 'Bergen', 'Bonn'];
    const { id } = (
      await create({ userName: 'ada', attributes: { badge: 42, sites, scores: [1, 2] } })
    ).json();
    const next = {
      attributes: {
        badge: { type: 'integer', retired: true },
        sites: { type: 'string', list: true, maxItems: 2 },
        scores: { type: 'integer', list: true, minimum: 2 },
      },
    } as const;
    const services = await Promise.all(
      [{}, { contract: '1.12' }].map((settings) => startDeclared(next, settings, service.store)),
    );
    try {
      for (const stricter of services) {
        const seen = (await stricter.send(`/users/${id}`)).json();
        for (const [method, body, type] of [
          ['PUT', { ...seen, title: 'Countess' }, 'application/json'],
          ['PATCH', { title: 'Lady' }, 'application/merge-patch+json'],
        ] as const) {
          const headers = { 'Content-Type': type };
          const answer = await stricter.send(`/users/${id}`, { method, body: JSON.stringify(body), headers });
          expect(answer.status, answer.text).to.equal(200);
          expect(answer.json().attributes).to.deep.equal(seen.attributes);
        }
        const body = JSON.stringify({ attributes: { sites: [...sites, 'Rome'], badge: '43', scores: '1' } });
        const headers = { 'Content-Type': 'application/merge-patch+json' };
        const refused = await stricter.send(`/users/${id}`, { method: 'PATCH', body, headers });
        expect(refused.json().errors.map(({ pointer }) => pointer)).to.have.members([
          ...['/attributes/badge', '/attributes/sites', '/attributes/scores/0'],
        ]);
      }
    } finally {
      for (const stricter of services) await stricter.close();
    }
  });

  it('may be the only members of a change, as the contract says', async () => {
    const { id } = (await create({ userName: 'ada', attributes: { floor: '2' } })).json();
    await service.send(`/users/${id}`, {
      method: 'PATCH',
      body: '{"attributes":{"badge":42}}',
      headers: { 'Content-Type': 'application/merge-patch+json' },
    });
    const [change] = (await service.send(`/users/${id}/history`)).json().changes as object[];
    expect(change).to.deep.include({
      before: { attributes: {} },
      after: { attributes: { badge: 42 } },
    });
  });

  it('are texts, in requests and responses, for a client pinned to a contract without types', async () => {
    const { id } = (await create({ userName: 'ada', attributes })).json();
    const pinned = await startDeclared(undefined, { contract: '1.12' }, service.store);
    try {
      const seen = (await pinned.send(`/users/${id}`)).json();
      expect(seen.attributes).to.deep.equal({
        ...{
          ...attributes,
          badge: '42',
          remote: 'true',
          sites: 'Oslo\nBergen',
          rate: '1.5',
          scores: '3\n-1',
        },
      });
      const listed = (await pinned.send('/users')).json().users;
      expect(listed).to.deep.equal([seen]);
      const put = await pinned.send(`/users/${id}`, {
        method: 'PUT',
        body: JSON.stringify(seen),
        headers: { 'Content-Type': 'application/json' },
      });
      expect(put.status, put.text).to.equal(200);
      expect((await service.send(`/users/${id}`)).json().attributes).to.deep.equal(attributes);
    } finally {
      await pinned.close();
    }
  });
});

describe('A declared attribute', () => {
  let service: TestService;
  beforeEach(async () => {
    service = await startDeclared({
      attributes: {
        sites: { type: 'string', list: true },
        scores: { type: 'integer', list: true },
        hired: { type: 'date', filter: true },
        seen: { type: 'dateTime', filter: true },
        visits: { type: 'dateTime', list: true },
      },
    });
  });
  afterEach(() => service.close());
  let count = 0;
  const create = async (attributes: string) => {
    const body = `{"userName":"u${count++}","attributes":${attributes}}`;
    const headers = { 'Content-Type': 'application/json' };
    const answer = await service.send('/users', { method: 'POST', body, headers });
    return { status: answer.status, places: answer.json().errors?.map(({ pointer }) => pointer) };
  };

  it('that is a list has no objects as items, whatever their members', async () => {
    for (const item of ['{"toString":1}', '[{"toString":1}]'])
      expect(await create(`{"sites":["Oslo",${item}]}`)).to.deep.equal({
        status: 422,
        places: ['/attributes/sites/1'],
      });
    expect(await create('{"sites":{"toString":1}}')).to.deep.equal({
      status: 422,
      places: ['/attributes/sites'],
    });
  });

  it('that is a list treats 0 and -0 as the same item', async () => {
    expect(await create('{"scores":[0,-0]}')).to.deep.equal({ status: 422, places: ['/attributes/scores'] });
  });

  it('that is a date or an instant can be found by any accepted value', async () => {
    expect((await create('{"hired":"0000-01-01"}')).status).to.equal(201);
    const found = await service.send('/users?attributes.hired.to=0001-01-01');
    expect(found.json().users).to.have.length(1);
    for (const instant of ['9999-12-31T23:59:59-01:00', '2016-12-31T23:59:60Z']) {
      expect((await create(`{"seen":"${instant}"}`)).places).to.deep.equal(['/attributes/seen']);
      expect((await create(`{"visits":["${instant}"]}`)).places).to.deep.equal(['/attributes/visits']);
    }
  });

  it('has the type of today in a restored user who was deleted under earlier declarations', async () => {
    const earlier = { attributes: { badge: { type: 'string' }, hobby: { type: 'integer' } } } as const;
    const before = memoryStore(kindsOf(earlier));
    const changes = before.changes ?? expect.fail('no log');
    await service.close();
    const kept = overridden(before, { changes, close: async () => {} });
    service = await startDeclared(earlier, {}, kept);
    const stored = { badge: '042', hobby: 7, rate: '1.50', scores: '3\n-1', floor: '2' };
    const body = JSON.stringify({ userName: 'ada', attributes: stored });
    const headers = { 'Content-Type': 'application/json' };
    const created = await service.send('/users', { method: 'POST', body, headers });
    const path = `/users/${created.json().id}`;
    expect((await service.send(path, { method: 'DELETE' })).status).to.equal(204);
    await service.close();

    const store = overridden(memoryStore(kindsOf(declarations)), { changes });
    service = await startDeclared(declarations, {}, store);
    const restored = await service.send(`${path}/restore`, { method: 'POST' });
    expect(restored.status, restored.text).to.equal(200);
    const typed = { badge: 42, hobby: '7', rate: 1.5, scores: [3, -1], floor: '2' };
    expect(restored.json().attributes).to.deep.equal(typed);
  });
});

describe('The pattern of a declared attribute', () => {
  it('is not tried on a text that is too long for it', async () => {
    const pattern = '[a-z]*[a-z]*[a-z]*x$';
    const service = await startDeclared({ attributes: { code: { type: 'string', maxLength: 20, pattern } } });
    const body = JSON.stringify({ userName: 'ada', attributes: { code: 'a'.repeat(15_000) } });
    const headers = { 'Content-Type': 'application/json' };
    const answer = await service.send('/users', { method: 'POST', body, headers });
    expect(answer.json().errors).to.deep.equal([
      { pointer: '/attributes/code', detail: 'must have at most 20 characters' },
    ]);
    await service.close();
  });
});
