import { expect } from 'chai';
import type { Answer } from '../../../support/service.ts';
import {
  core,
  type Directory,
  enterprise,
  hiddenValues,
  openDirectory,
  own,
  type Profile,
  scim,
} from './directory.ts';

interface List {
  readonly totalResults: number;
  readonly itemsPerPage: number;
  readonly Resources: readonly {
    readonly id: string;
    readonly userName?: string;
    readonly displayName?: string;
  }[];
}

const listIn = (answer: Answer): List => {
  expect(answer.status, answer.text).to.equal(200);
  return answer.json() as unknown as List;
};

function expectHidden({ status, text }: Answer, name: string): void {
  expect(status, text).to.equal(403);
  const { detail, schemas, ...rest } = JSON.parse(text);
  expect(schemas).to.deep.equal(['urn:ietf:params:scim:api:messages:2.0:Error']);
  expect(rest).to.deep.equal({ status: '403' });
  expect(detail).to.include(name);
}

describe('A SCIM client with a profile', () => {
  let its: Directory;
  before(async () => {
    its = await openDirectory();
  });
  after(() => its.close());

  const get = (path: string, as?: Profile) => its.ask('GET', scim + path, { as });
  const search = (body: object, as: Profile, type = '/Users') =>
    its.ask('POST', `${scim}${type}/.search`, {
      as,
      body: { schemas: ['urn:ietf:params:scim:api:messages:2.0:SearchRequest'], ...body },
    });

  it('sees only the visible attributes, and only schemas that have some', async () => {
    const { ada, eve } = its;
    const seen = await get(`/Users/${ada}`, 'phonebook');
    expect(seen.text).not.to.match(hiddenValues);
    const { meta: _, ...user } = seen.json();
    expect(user).to.deep.equal({
      schemas: [core, enterprise, own],
      id: ada,
      userName: 'ada',
      displayName: 'Ada',
      name: { givenName: 'Ada' },
      active: true,
      title: 'Head',
      phoneNumbers: [{ value: '+1 202 555 0134' }],
      [enterprise]: { department: 'Sales', manager: { value: eve } },
      [own]: { attributes: [{ name: 'desk', value: '12' }] },
    });
    const narrow = await get('/Users?attributes=title', 'phonebook');
    expect(narrow.text).not.to.match(hiddenValues);
    for (const path of ['/Users', `/Users?filter=${encodeURIComponent('title pr')}`, '/Users?cursor'])
      expect((await get(path, 'phonebook')).text).not.to.match(hiddenValues);
  });

  it('finds only the users of its filter, in lists, totals and pages', async () => {
    const { ada, ben, eve } = its;
    for (const query of ['', `?filter=${encodeURIComponent('active eq true')}`, '?sortBy=userName']) {
      const { totalResults, Resources } = listIn(await get(`/Users${query}`, 'sales'));
      expect(totalResults).to.equal(2);
      expect(Resources.map(({ id }) => id)).to.have.members([ada, ben]);
    }
    const page = listIn(await get('/Users?startIndex=2&count=1&sortBy=userName', 'sales'));
    expect(page).to.include({ totalResults: 2, startIndex: 2, itemsPerPage: 1 });
    expect(page.Resources[0]?.userName).to.equal('ben');
    for (const filter of [`id eq "${eve}"`, 'userName eq "eve"', 'userName co "ev"', 'displayName sw "Eve"'])
      expect(listIn(await get(`/Users?filter=${encodeURIComponent(filter)}`, 'sales')).totalResults).to.equal(
        0,
      );
    expect((await get(`/Users/${eve}`, 'sales')).status).to.equal(404);
    expect(listIn(await search({}, 'sales', '')).totalResults).to.equal(3);
    expect(listIn(await search({}, 'phonebook', '')).totalResults).to.equal(3);
  });

  const hiddenNames = [
    ...['emails', 'emails.value', 'name.familyName', 'externalId', 'roles', 'groups', 'roles.value'],
    ...[`${core}:externalId`, `${enterprise}:costCenter`, 'costCenter', 'MANAGER.displayname'],
    ...[
      'urn:scim:schemas:extension:enterprise:1.0:employeeNumber',
      'x509Certificates',
      `${core}:Name.familyName`,
    ],
  ];

  it('gets an error for a filter that names a hidden attribute, whatever the value', async () => {
    for (const name of hiddenNames)
      for (const filter of [`${name} pr`, `not (${name} pr)`, `title eq "x" and ${name} pr`]) {
        const last = name.slice(name.lastIndexOf(':') + 1);
        const pattern = new RegExp(last.replace('.', '[.]'), 'i');
        const refused = await get(`/Users?filter=${encodeURIComponent(filter)}`, 'phonebook');
        expect(refused.status, `${filter}: ${refused.text}`).to.equal(403);
        expect(refused.text).to.match(pattern);
        expect((await search({ filter }, 'phonebook')).status, filter).to.equal(403);
        expect((await search({ filter }, 'phonebook', '')).status, filter).to.equal(403);
      }
    for (const filter of [
      ...['emails eq "ada@example.org"', 'emails[type eq "work"]', 'emails[value co "ada"].type eq "work"'],
      ...[
        'externalId eq "hr-1"',
        'externalId ne null',
        'name.familyName sw "Love"',
        'roles[value eq "Buyer"]',
      ],
      ...[`${own}:attributes[name eq "badge" and value sw "s"]`, `${own}:attributes.name eq "badge"`],
      ...[`groups.value eq "${its.club}"`, 'groups pr', 'manager.displayName eq "x"'],
    ])
      expectHidden(await get(`/Users?filter=${encodeURIComponent(filter)}`, 'phonebook'), 'hides');
  });

  it('gets an error for sorting by a hidden attribute, and for hidden names in attributes and excludedAttributes', async () => {
    for (const name of ['emails', 'name.familyName', 'externalId'])
      for (const query of [`sortBy=${name}`, `attributes=${name}`, `excludedAttributes=title,${name}`]) {
        expectHidden(await get(`/Users?${query}`, 'phonebook'), name);
        if (query.startsWith('sortBy')) continue;
        expectHidden(await get(`/Users/${its.ada}?${query}`, 'phonebook'), name);
        const body = { phoneNumbers: [] };
        const put = await its.ask('PUT', `${scim}/Users/${its.ada}?${query}`, { as: 'phonebook', body });
        expectHidden(put, name);
      }
    expectHidden(await search({ sortBy: 'name.familyName' }, 'phonebook'), 'name.familyName');
    const wrong = await get('/Users?sortBy=nonsense', 'phonebook');
    expect(wrong.status).to.equal(400);
    expect(wrong.text).to.include('title').and.not.include('familyName');
    const whole = await get(`/Users/${its.ada}?attributes=${enterprise}`, 'phonebook');
    expect(whole.json()).to.have.keys('schemas', 'id', enterprise);
    expect(whole.text).not.to.match(hiddenValues);
  });

  it('is answered from what it sees: filters without an index compare only visible attributes', async () => {
    for (const [filter, count] of [
      ['name pr', 1],
      ['name.givenName co "d"', 1],
      ['title co "ea"', 1],
      [`${own}:attributes pr`, 1],
      [`${own}:attributes[value co "secret"]`, 0],
      [`${own}:attributes.value co "1"`, 1],
      ['manager pr', 1],
      ['phoneNumbers[value co "0134"]', 1],
      [`manager.value eq "${its.eve}"`, 1],
    ] as const)
      expect(
        listIn(await get(`/Users?filter=${encodeURIComponent(filter)}`, 'phonebook')).totalResults,
        filter,
      ).to.equal(count);
  });

  it('learns nothing of hidden names from suggestions and advice', async () => {
    for (const filter of ['emailz pr', 'familyNam pr', 'externalIdd eq "x"']) {
      const { status, text } = await get(`/Users?filter=${encodeURIComponent(filter)}`, 'phonebook');
      expect(status).to.equal(400);
      expect(text).not.to.match(/perhaps (?:emails|name[.]familyName|externalId)\b/);
    }
  });

  it('sees only the members of a group that are inside its profile', async () => {
    const { ada, ben, eve, club } = its;
    const { members } = (await get(`/Groups/${club}`, 'sales')).json() as unknown as {
      members: readonly { value: string; display: string; $ref: string }[];
    };
    expect(members.map(({ value, display }) => [value, display])).to.have.deep.members([
      [ada, 'Ada'],
      [ben, 'Ben'],
    ]);
    for (const [filter, count] of [
      [`members.value eq "${ada}"`, 1],
      [`members.value eq "${eve}"`, 0],
      [`members[value eq "${eve}"]`, 0],
      [`members eq "${eve}" or displayName co "zzz"`, 0],
      [`displayName co "lub" and not (members.value eq "${eve}")`, 1],
    ] as const)
      expect(
        listIn(await get(`/Groups?filter=${encodeURIComponent(filter)}`, 'sales')).totalResults,
        filter,
      ).to.equal(count);
    const groups = (await get(`/Users/${ada}?attributes=groups`, 'sales')).json() as unknown as {
      groups: object[];
    };
    expect(groups.groups).to.have.length(1);
    const list = listIn(await get('/Groups?attributes=members,displayName', 'sales'));
    expect(JSON.stringify(list)).to.include(ada).and.not.include(eve);
  });

  it('gets no tag for a list of members that its filter shortens, since the list changes without a change of the group', async () => {
    const { club } = its;
    for (const [path, hasTag] of [
      [`/Groups/${club}`, false],
      [`/Groups/${club}?excludedAttributes=members`, true],
    ] as const) {
      const answer = await get(path, 'sales');
      expect(answer.headers.has('etag'), path).to.equal(hasTag);
      expect('version' in answer.json().meta, path).to.equal(hasTag);
    }
    expect((await get(`/Groups/${club}`, 'whole')).headers.has('etag')).to.equal(true);
    for (const [as, attributes, hasVersion] of [
      ['sales', 'members,meta', false],
      ['sales', 'displayName,meta', true],
      ['whole', 'members,meta', true],
    ] as const) {
      const [shown] = listIn(await get(`/Groups?attributes=${attributes}`, as)).Resources;
      expect('version' in Reflect.get(shown ?? {}, 'meta'), `${as}: ${attributes}`).to.equal(hasVersion);
    }
  });

  it('without access to members sees groups without members, and users without groups', async () => {
    const { ada, club } = its;
    const group = await get(`/Groups/${club}`, 'names');
    expect(group.json()).to.have.keys('schemas', 'id', 'displayName', 'meta');
    for (const path of [
      ...['/Groups?attributes=members', `/Groups/${club}?excludedAttributes=members`],
      ...[`/Groups?filter=${encodeURIComponent('members pr')}`, `/Users/${ada}?attributes=groups.value`],
      ...[`/Groups?filter=${encodeURIComponent(`members.value eq "${ada}"`)}`],
      ...[`/Users?filter=${encodeURIComponent(`groups.value eq "${club}"`)}`, '/Users?attributes=groups'],
    ])
      expectHidden(await get(path, 'names'), path.includes('embers') ? 'members' : 'groups');
    const before = group.headers.get('etag');
    await its.ask('DELETE', `/groups/${club}/members/${ada}`);
    expect((await get(`/Groups/${club}`, 'names')).headers.get('etag')).to.equal(before);
    await its.ask('PUT', `/groups/${club}/members/${ada}`);
  });

  it('without access to groups finds neither groups nor their resource type', async () => {
    expect(listIn(await get('/Groups', 'phonebook')).totalResults).to.equal(0);
    expect((await get(`/Groups/${its.club}`, 'phonebook')).status).to.equal(404);
    const found = listIn(await search({ filter: 'displayName eq "Ada"' }, 'phonebook', ''));
    expect(found.Resources.map(({ id }) => id)).to.deep.equal([its.ada]);
    expect((await get('/ResourceTypes/Group', 'phonebook')).status).to.equal(404);
    expect((await get('/Schemas/urn:ietf:params:scim:schemas:core:2.0:Group', 'phonebook')).status).to.equal(
      404,
    );
    const types = listIn(await get('/ResourceTypes', 'phonebook')).Resources;
    expect(types.map(({ id }) => id)).to.deep.equal(['User']);
  });

  it('finds the visible attributes in /Schemas; all of them are there without credentials, or with wrong ones', async () => {
    interface Shown {
      readonly id: string;
      readonly attributes: readonly { readonly name: string; readonly subAttributes?: Shown['attributes'] }[];
    }
    const namesOf = (attributes: Shown['attributes'], prefix = ''): string[] =>
      attributes.flatMap(({ name, subAttributes = [] }) => [
        prefix + name,
        ...namesOf(subAttributes, `${prefix}${name}.`),
      ]);
    const answer = await get('/Schemas', 'phonebook');
    const schemas = listIn(answer).Resources as unknown as readonly Shown[];
    const names = Object.fromEntries(schemas.map(({ id, attributes }) => [id, namesOf(attributes)]));
    expect(Object.keys(names)).to.deep.equal([core, enterprise, own]);
    expect(names[core]).to.include.members([
      'userName',
      'name',
      'name.givenName',
      'phoneNumbers.value',
      'title',
    ]);
    expect(names[core]).not.to.include.members(['emails']).and.not.include('name.familyName');
    for (const hidden of ['emails', 'name.familyName', 'externalId', 'groups', 'roles', 'photos'])
      expect(names[core]).not.to.include(hidden);
    expect(names[enterprise]).to.deep.equal(['department', 'manager', 'manager.value']);
    expect(answer.text).not.to.include('hiddenBy');
    expect((await get(`/Schemas/${core}`, 'phonebook')).json())
      .to.have.property('attributes')
      .of.length(schemas[0]?.attributes.length ?? 0);
    const open = await its.ask('GET', `${scim}/Schemas`, { headers: { authorization: 'Bearer wrong' } });
    const all = await its.service.send(`/limited${scim}/Schemas`, { anonymous: true });
    expect(open.text).to.equal(all.text).and.include('familyName').and.include('members');
    expect(all.headers.get('cache-control')).to.equal('no-cache');
    expect((await get('/Schemas', 'whole')).text).to.equal(all.text);
  });
});
