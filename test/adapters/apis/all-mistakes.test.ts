import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { Stored } from '../../../src/domain/resource/stored.ts';
import type { Violation } from '../../../src/domain/validation/errors.ts';
import { aUser } from '../../support/a-user.ts';
import { startService, type TestService } from '../../support/service.ts';

const types = {
  json: { 'content-type': 'application/json', accept: 'application/json' },
  xml: { 'content-type': 'application/xml', accept: 'application/json' },
  scim: { 'content-type': 'application/scim+json' },
} as const;
type Api = keyof typeof types;

const coreUser = 'urn:ietf:params:scim:schemas:core:2.0:User';
const enterprise = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User';
const patchOp = 'urn:ietf:params:scim:api:messages:2.0:PatchOp';
const tooLong = 'x'.repeat(257);

/** The same five mistakes. */
const members = {
  userName: 'a b',
  displayNam: 'Ada',
  title: tooLong,
  active: 'perhaps',
  emails: [{ value: 'ada@example.org' }, { valu: 'ada' }],
};
const xmlMembers = `<userName>a b</userName><displayNam>Ada</displayNam><title>${tooLong}</title><active>perhaps</active>
  <emails><email><value>ada@example.org</value></email><email><valu>ada</valu></email></emails>`;

const bodies: Readonly<Record<Api, string>> = {
  json: JSON.stringify(members),
  xml: `<user>${xmlMembers}</user>`,
  scim: JSON.stringify({ schemas: [coreUser], ...members }),
};

describe('A body with several mistakes', () => {
  let service: TestService;
  before(async () => {
    service = await startService();
  });
  after(() => service.close());

  const send = async (api: Api, method: string, body: string, id?: string) => {
    const path = api === 'scim' ? '/scim/v2/Users' : '/users';
    const at = id === undefined ? path : `${path}/${id}`;
    return service.send(at, { method, headers: types[api], body });
  };
  const mistakes = async (api: Api, method: string, body: string, id?: string): Promise<string[]> => {
    const answer = await send(api, method, body, id);
    expect(answer.status, answer.text).to.equal(api === 'scim' ? 400 : 422);
    if (api === 'scim') return String(answer.json().detail).slice(0, -1).split('; ');
    return answer.json().errors.map(({ pointer, detail }: Violation) => `${pointer} ${detail}`);
  };
  const newUser = async () => {
    const user = aUser();
    await service.store.insert(Stored.of(user));
    return user;
  };

  const found = [
    '/displayNam is not known here (perhaps displayName)',
    '/emails/1/valu is not known here (perhaps value)',
    '/userName must not contain spaces',
    `/title must have at most 256 characters`,
    '/active must be true or false, in lower case and without quotes',
  ];
  for (const api of ['json', 'xml'] as const)
    it(`gets one error that lists all of them, for every method: ${api}`, async () => {
      expect(await mistakes(api, 'POST', bodies[api])).to.have.members(found);
      const { id } = await newUser();
      expect(await mistakes(api, 'PUT', bodies[api], id)).to.have.members(found);
      expect(await mistakes(api, 'PUT', bodies[api], randomUUID())).to.have.members(found);
      expect(await mistakes(api, 'PATCH', bodies[api], id)).to.have.members(found);
    });

  it('gets one SCIM error that lists all of them, with the keyword of the first', async () => {
    const scim = [
      'There is no attribute "displayNam" (perhaps displayName)',
      'active must be true or false',
      'emails[1] has no sub-attribute "valu" (perhaps value)',
      'title must have at most 256 characters',
      'userName must not contain spaces',
    ];
    expect(await mistakes('scim', 'POST', bodies.scim)).to.deep.equal(scim);
    const { id } = await newUser();
    expect(await mistakes('scim', 'PUT', bodies.scim, id)).to.deep.equal(scim);
    expect(await mistakes('scim', 'PUT', bodies.scim, randomUUID())).to.deep.equal(scim);
    expect((await send('scim', 'POST', bodies.scim)).json().scimType).to.equal('invalidSyntax');
    const values = JSON.stringify({ schemas: [coreUser], userName: 'a b', title: 1, roles: [{ value: 2 }] });
    expect((await send('scim', 'POST', values)).json().scimType).to.equal('invalidValue');
    expect(await mistakes('scim', 'POST', values)).to.deep.equal([
      'title must be a text',
      'roles[0].value must be a text',
      'userName must not contain spaces',
    ]);
  });

  it('gets no error for consequences of another mistake', async () => {
    const body = { schemas: [coreUser], userName: 1, [enterprise]: 'Sales', emails: [{ value: 1 }, 2] };
    expect(await mistakes('scim', 'POST', JSON.stringify(body))).to.deep.equal([
      'userName must be a text',
      `${enterprise} must be an object`,
      'emails[0].value must be a text',
      'emails[1] must be an object',
    ]);
    expect(await mistakes('xml', 'POST', '<person><userName>a b</userName></person>')).to.deep.equal([
      ' must be <user>, in the namespace urn:user-management:1 or in none',
    ]);
  });

  it('gets an error that lists the mistakes in all operations of a PATCH', async () => {
    const { id } = await newUser();
    const body = {
      schemas: [patchOp],
      Operations: [
        { op: 'replace', path: 'displayNam', value: 'Ada' },
        { op: 'replace', path: 'emails[typ eq "work"].value', value: 'ada@example.org' },
        { op: 'replace', path: 'emails[type eq "work"].valu', value: 'ada@example.org' },
        { op: 'replace', path: `${enterprise}:departmnt`, value: 'Sales' },
        { op: 'replace', value: { [`${enterprise}:departmnt`]: 'Sales' } },
        { op: 'replace', pth: 'title', value: 'Countess' },
        { op: 'replace', path: 'name', value: { familyNam: 1, givenName: 2 } },
      ],
    };
    expect(await mistakes('scim', 'PATCH', JSON.stringify(body), id)).to.deep.equal([
      'Operations[0]: At character 1: there is no attribute "displayNam" (perhaps displayName)',
      'Operations[1]: At character 8: there is no attribute "typ" (perhaps type)',
      'Operations[2]: At character 24: there is no sub-attribute "valu" (perhaps value)',
      `Operations[3]: At character 1: there is no attribute "${enterprise}:departmnt" (perhaps department)`,
      `Operations[4]: There is no attribute "${enterprise}:departmnt" (perhaps department)`,
      'Operations[5]: The operation has no member "pth" (perhaps path)',
      'Operations[6]: name has no sub-attribute "familyNam" (perhaps familyName)',
      'Operations[6]: name.givenName must be a text',
    ]);
    const filter = encodeURIComponent('usrName eq "ada"');
    expect((await service.send(`/scim/v2/Users?filter=${filter}`)).json().detail).to.equal(
      'filter: At character 1: there is no attribute "usrName" (perhaps userName).',
    );
  });

  it('gets an error that lists wrong shapes, names and values of a PATCH, and the broken rules', async () => {
    const { id } = await newUser();
    const body = {
      schemas: [patchOp],
      Operations: [
        { op: 'replace', path: 'locale', value: 'en US' },
        { op: 'replace', path: 'active', value: 'maybe' },
        { op: 'replace', value: { titel: 'x', 'nam.e': 'y', password: 'z', userName: 'a b', nickName: 1 } },
        { op: 'add', path: 'emails', value: [{ value: 'ada' }] },
      ],
    };
    const all = [
      'Operations[1]: active must be true or false',
      'Operations[2]: There is no attribute "titel" (perhaps title)',
      'Operations[2]: There is no attribute "nam.e" (perhaps name)',
      'Operations[2]: This service keeps no passwords: let the identity provider send none',
      'Operations[2]: nickName must be a text',
    ];
    const rules = ['userName must not contain spaces', 'locale must be', 'emails[0].value must be'];
    const found = await mistakes('scim', 'PATCH', JSON.stringify(body), id);
    expect(found.slice(0, all.length)).to.deep.equal(all);
    for (const rule of rules) expect(found.filter((one) => one.startsWith(rule))).to.have.lengthOf(1);
    expect(found).to.have.lengthOf(all.length + rules.length);
    // What doesn't depend on the user is told before whether there is one, and before the lock is looked at.
    expect(await mistakes('scim', 'PATCH', JSON.stringify(body), randomUUID())).to.deep.equal(all);
    const headers = { ...types.scim, 'if-match': '"other"' };
    const sent = { method: 'PATCH', headers, body: JSON.stringify(body) };
    expect((await service.send(`/scim/v2/Users/${id}`, sent)).json().detail).to.equal(`${all.join('; ')}.`);
  });

  it('gets an error that says where an unknown member belongs, and its right name', async () => {
    const json = {
      userName: 'ada',
      department: 'y',
      manager: 'm',
      phone: '1',
      'name.givenName': 'x',
      foo: 1,
    };
    expect(await mistakes('json', 'POST', JSON.stringify(json))).to.deep.equal([
      '/department is not known here (perhaps enterprise/department)',
      '/manager is not known here (perhaps enterprise/manager)',
      '/phone is not known here (perhaps phoneNumbers)',
      '/name.givenName is not known here (perhaps name/givenName)',
      '/foo is not known here',
    ]);
    const xml = '<user><userName>ada</userName><name><firstName>Ada</firstName></name><department/></user>';
    expect(await mistakes('xml', 'POST', xml)).to.deep.equal([
      '/name/firstName is not known here (perhaps givenName)',
      '/department is not known here (perhaps enterprise/department)',
    ]);
  });

  it('gets an error with at most twenty mistakes', async () => {
    const many = Array.from({ length: 30 }, (_, at) => [`wrong${at}`, 1] as const);
    const all = Object.fromEntries(many);
    const xml = `<user>${many.map(([name]) => `<${name}/>`).join('')}<userName>a b</userName></user>`;
    const inItems = { userName: 'ada', schemas: [coreUser], emails: Array(20).fill({ ...all }) };
    const patch = { schemas: [patchOp], Operations: many.map(([path]) => ({ op: 'remove', path })) };
    const values = { op: 'add', value: { ...all, userName: 'a b' } };
    const { id } = await newUser();
    for (const found of [
      await mistakes('scim', 'PATCH', JSON.stringify({ schemas: [patchOp], Operations: [values] }), id),
      await mistakes('json', 'POST', JSON.stringify(all)),
      await mistakes('xml', 'POST', xml),
      await mistakes('xml', 'PATCH', xml, id),
      await mistakes('scim', 'POST', JSON.stringify({ schemas: [coreUser], ...all })),
      await mistakes('scim', 'POST', JSON.stringify(inItems)),
      await mistakes('scim', 'PATCH', JSON.stringify(patch), id),
    ])
      expect(found).to.have.lengthOf(20);
  });

  it('changes nothing, even if its only mistake is the id of another user', async () => {
    const { id, userName } = await newUser();
    for (const api of ['json', 'xml'] as const) {
      const other = api === 'json' ? JSON.stringify({ id: randomUUID(), userName }) : undefined;
      const body = other ?? `<user><id>${randomUUID()}</id><userName>${userName}</userName></user>`;
      for (const method of ['PUT', 'PATCH'])
        expect(await mistakes(api, method, body, id)).to.deep.equal(['/id must be the id in the URL']);
    }
    expect((await service.send(`/users/${id}`)).json().userName).to.equal(userName);
  });

  it('gets an error when a PATCH removes a required member', async () => {
    const { id } = await newUser();
    const expected = ['/foo is not known here', '/userName is required'];
    const xml = `<user xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"><title xsi:nil="true"/>
      <userName xsi:nil="true"/><foo/></user>`;
    const json = JSON.stringify({ title: null, userName: null, foo: 1 });
    expect(await mistakes('xml', 'PATCH', xml, id)).to.deep.equal(expected);
    expect(await mistakes('json', 'PATCH', json, id)).to.deep.equal(expected);
  });

  it('gets no error for a value that is already stored', async () => {
    const user = aUser({ title: tooLong });
    await service.store.insert(Stored.of(user));
    const xml = `<user><userName>${user.userName}</userName><title>${tooLong}</title><wrong/></user>`;
    for (const method of ['PUT', 'PATCH'])
      expect(await mistakes('xml', method, xml, user.id)).to.deep.equal(['/wrong is not known here']);
  });
});
