import { expect } from 'chai';
import { type Answer, startService, type TestService } from '../../../support/service.ts';
import { type Ask, aUser, client, create, expectError, type Json, rename } from './scim-client.ts';

const core = 'urn:ietf:params:scim:schemas:core:2.0:User';
const enterprise = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User';
const own = 'urn:user-management:1:User';

const ada: Json = {
  userName: 'ada@example.com',
  externalId: 'e1',
  displayName: 'Ada',
  name: { givenName: 'Ada', familyName: 'Lovelace' },
  emails: [
    { value: 'ada@example.com', type: 'work', primary: true },
    { value: 'ada@home.example', display: 'at home' },
  ],
  roles: [{ value: 'engineer' }],
  addresses: [{ locality: 'London' }],
  [enterprise]: {
    employeeNumber: '7',
    department: 'Engines',
    manager: { value: '1', displayName: 'Charles' },
  },
  [own]: { attributes: [{ name: 'floor', value: '2' }] },
};

describe('A user in a SCIM response', () => {
  let service: TestService;
  let ask: Ask;
  let path: string;
  let whole: Json;
  before(async () => {
    service = await startService();
    ask = client(service);
    const { id } = await create(ask, ada);
    path = `/Users/${id}`;
    whole = (await ask(path)).json();
  });
  after(() => service.close());

  /** Without what is always there: `schemas` and `id`. */
  function shownIn(answer: Answer): Json {
    expect(answer.status, answer.text).to.equal(200);
    const { schemas, id, ...rest } = answer.json();
    expect([schemas, id]).to.deep.equal([whole.schemas, whole.id]);
    return rest;
  }
  const show = async (query: Record<string, string>) =>
    shownIn(await ask(`${path}?${new URLSearchParams(query)}`));
  const only = (attributes: string) => show({ attributes });
  const without = (excludedAttributes: string) => show({ excludedAttributes });
  const pick = (...names: string[]): Json => Object.fromEntries(names.map((name) => [name, whole[name]]));
  const leave = (...names: string[]): Json =>
    Object.fromEntries(Object.entries(whole).filter(([name]) => !['schemas', 'id', ...names].includes(name)));

  it('is whole by default', async () => {
    expect(whole).to.deep.include(ada);
    expect(shownIn(await ask(path))).to.deep.equal(leave());
  });

  const chosen: readonly [attributes: string, expected: () => Json][] = [
    ['userName', () => pick('userName')],
    ['USERNAME', () => pick('userName')],
    [`${core}:userName`, () => pick('userName')],
    [`${core.toUpperCase()}:USERname`, () => pick('userName')],
    ['userName,emails', () => pick('userName', 'emails')],
    [' userName , emails ,', () => pick('userName', 'emails')],
    ['name', () => pick('name')],
    ['name.familyName', () => ({ name: { familyName: 'Lovelace' } })],
    ['NAME.FAMILYNAME', () => ({ name: { familyName: 'Lovelace' } })],
    ['name.familyName,name.givenName', () => pick('name')],
    ['name,name.familyName', () => pick('name')],
    ['name.familyName,name', () => pick('name')],
    ['emails.value', () => ({ emails: [{ value: 'ada@example.com' }, { value: 'ada@home.example' }] })],
    ['emails.display', () => ({ emails: [{ display: 'at home' }] })],
    ['addresses.country', () => ({})],
    ['roles.value', () => pick('roles')],
    ['meta', () => pick('meta')],
    ['meta.version', () => ({ meta: { version: (whole.meta as Json).version } })],
    [`${enterprise}:department`, () => ({ [enterprise]: { department: 'Engines' } })],
    [`${enterprise.toLowerCase()}:DEPARTMENT`, () => ({ [enterprise]: { department: 'Engines' } })],
    [`${enterprise}:manager.displayName`, () => ({ [enterprise]: { manager: { displayName: 'Charles' } } })],
    [enterprise, () => pick(enterprise)],
    [own, () => pick(own)],
    [`${own}:attributes.name`, () => ({ [own]: { attributes: [{ name: 'floor' }] } })],
    ['nickName', () => ({})],
    ['department', () => ({ [enterprise]: { department: 'Engines' } })],
    ['unknown,userName', () => pick('userName')],
    ['unknown', () => ({})],
    ['members', () => ({})],
    ['id', () => ({})],
    ['schemas', () => ({})],
    ['', () => ({})],
  ];
  for (const [attributes, expected] of chosen) {
    it(`has the attributes in attributes, and those always returned: ${attributes === '' ? 'nothing' : attributes}`, async () => {
      expect(await only(attributes)).to.deep.equal(expected());
    });
  }

  const excluded: readonly [attributes: string, expected: () => Json][] = [
    ['emails', () => leave('emails')],
    ['EMAILS,meta', () => leave('emails', 'meta')],
    ['name.familyName', () => ({ ...leave(), name: { givenName: 'Ada' } })],
    ['name.familyName,name.givenName', () => leave('name')],
    [
      'emails.type,emails.primary,emails.display',
      () => ({ ...leave(), emails: [{ value: 'ada@example.com' }, { value: 'ada@home.example' }] }),
    ],
    ['addresses.locality', () => leave('addresses')],
    [
      `${enterprise}:manager`,
      () => ({ ...leave(), [enterprise]: { employeeNumber: '7', department: 'Engines' } }),
    ],
    [enterprise, () => leave(enterprise)],
    [own, () => leave(own)],
    [
      'department',
      () => ({
        ...leave(),
        [enterprise]: { employeeNumber: '7', manager: { value: '1', displayName: 'Charles' } },
      }),
    ],
    // What is always returned can't be left out.
    ['id,schemas', () => leave()],
    ['userName', () => leave('userName')],
    ['members', () => leave()],
    ['', () => leave()],
  ];
  for (const [names, expected] of excluded) {
    it(`lacks the attributes in excludedAttributes, except those always returned: ${names === '' ? 'nothing' : names}`, async () => {
      expect(await without(names)).to.deep.equal(expected());
    });
  }

  it('has the selected attributes in every kind of response', async () => {
    const asked = { attributes: ['userName', `${enterprise}:DEPARTMENT`] };
    const query = `?attributes=${asked.attributes.join()}`;
    const expected = { ...pick('userName'), [enterprise]: { department: 'Engines' } };
    const [listed] = (await ask(`/Users${query}`)).json().Resources as readonly Json[];
    expect(listed).to.deep.equal({ ...pick('schemas', 'id'), ...expected });
    const body = { schemas: ['urn:ietf:params:scim:api:messages:2.0:SearchRequest'], ...asked };
    for (const at of ['/.search', '/Users/.search']) {
      const [found] = (await ask(at, { method: 'POST', body })).json().Resources as readonly Json[];
      expect(found).to.deep.equal(listed);
    }
    const { userName: _own, ...others } = ada;
    const made = await ask(`/Users${query}`, { method: 'POST', body: aUser(others) });
    expect(made.status).to.equal(201);
    expect(Object.keys(made.json())).to.deep.equal(['schemas', 'id', 'userName', enterprise]);
    const at = `/Users/${made.json().id}${query}`;
    for (const [method, sent] of [
      ['PATCH', rename],
      ['PUT', aUser(others)],
    ] as const)
      expect(Object.keys((await ask(at, { method, body: sent })).json()).sort()).to.deep.equal(
        ['schemas', 'id', 'userName', enterprise].sort(),
      );
  });

  it('may be selected with either parameter, once, in any case of its name', async () => {
    expect(await show({ ATTRIBUTES: 'userName' })).to.deep.equal(pick('userName'));
    expectError(await ask(`${path}?attributes=id&Attributes=id`), 400, 'invalidValue');
    expectError(await ask(`${path}?attributes=id&excludedAttributes=id`), 400, 'invalidValue');
  });

  it('is neither read nor written if a parameter is not a list of names', async () => {
    for (const name of ['a b', '"userName"', 'emails[type eq "work"]', '1a', 'a,ü', `${'a,'.repeat(201)}`]) {
      const query = `?${new URLSearchParams({ attributes: name })}`;
      expect((await ask(path + query)).status, name).to.equal(400);
      expect(
        (await ask(`/Users${query}`, { method: 'POST', body: aUser({ userName: 'never' }) })).status,
      ).to.equal(400);
    }
    for (const query of ['?attributes=%ff', '?attributes=%', '?excludedAttributes=a%20b'])
      expect((await ask(path + query)).status, query).to.equal(400);
    const list = (await ask('/Users?filter=userName%20eq%20%22never%22')).json();
    expect(list.totalResults).to.equal(0);
    const body = { schemas: ['urn:ietf:params:scim:api:messages:2.0:SearchRequest'], attributes: [1] };
    expectError(await ask('/.search', { method: 'POST', body }), 400, 'invalidValue');
  });
});
