import { expect } from 'chai';
import { bulkUrn, patchUrn } from '../../../../src/adapters/apis/scim/protocol/messages.ts';
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

type Json = Readonly<Record<string, unknown>>;
const patchOf = (...Operations: readonly Json[]): Json => ({ schemas: [patchUrn], Operations });

function expectRefused({ status, text }: Answer, detail: string | RegExp): void {
  expect(status, text).to.equal(403);
  const { detail: told, ...rest } = JSON.parse(text);
  expect(rest).to.deep.equal({ schemas: ['urn:ietf:params:scim:api:messages:2.0:Error'], status: '403' });
  if (typeof detail === 'string') expect(told).to.include(detail);
  else expect(told).to.match(detail);
}

describe('A write over SCIM by a client with a profile', () => {
  let its: Directory;
  beforeEach(async () => {
    its = await openDirectory();
  });
  afterEach(() => its.close());

  const send = (method: string, path: string, as: Profile | undefined, body?: object) =>
    its.ask(method, scim + path, { as, ...(body && { body }) });
  const stored = async (id: string): Promise<Json> => (await its.ask('GET', `/users/${id}`)).json();

  /** Runs the request, which must change nothing of Ada. */
  async function refused(method: string, as: Profile, body: object, detail: string | RegExp): Promise<void> {
    const before = await stored(its.ada);
    const path = method === 'POST' ? '/Users' : `/Users/${its.ada}`;
    expectRefused(await send(method, path, as, body), detail);
    expect(await stored(its.ada)).to.deep.equal(before);
  }

  const hidden: readonly (readonly [body: Json, name: string])[] = [
    [{ emails: [{ value: 'ada@example.org' }] }, 'emails'],
    [{ EMAILS: null }, 'emails'],
    [{ emails: 'nonsense' }, 'emails'],
    [{ [`${core}:emails`]: [] }, 'emails'],
    [{ [core]: { emails: [] } }, 'emails'],
    [{ x509Certificates: 7 }, 'x509Certificates'],
    [{ [own]: { attributes: [{ name: 'badge', value: 'secret-badge' }] } }, 'badge'],
    [{ [`${own}:attributes`]: [{ name: 'badge' }] }, 'badge'],
  ];

  it('that names a hidden attribute is 403, whatever its value and whatever else is wrong', async () => {
    for (const [body, name] of hidden) {
      await refused(
        'POST',
        'sales',
        { userName: 'new', [enterprise]: { department: 'Sales' }, ...body },
        name,
      );
      await refused('PUT', 'sales', { userName: 'ada', active: 'nonsense', ...body }, name);
      for (const op of ['add', 'replace'])
        await refused(
          'PATCH',
          'sales',
          patchOf({ op: 'add', path: 'nonsense', value: 1 }, { op, value: body }),
          name,
        );
    }
    for (const body of [
      ...[{ name: { givenName: 'Ada', familyName: 'Guess' } }, { name: { familyName: null } }],
      ...[{ [enterprise]: { manager: { displayName: '' } } }, { [enterprise]: { costCenter: 'cost-9' } }],
      ...[{ [`${enterprise}:employeeNumber`]: null }, { externalId: 'hr-1' }, { roles: [] }],
    ])
      await refused('PUT', 'phonebook', { userName: 'ada', ...body }, /hides/);
  });

  it('is refused for each PATCH path to a hidden attribute, also in a removal or a filter', async () => {
    for (const path of [
      ...['emails', 'emails[type eq "work"]', 'emails[value sw "a"].value', 'emails.value', `${core}:emails`],
      ...[`${own}:attributes[name eq "badge"]`, `${own}:attributes[name eq "badge"].value`],
    ])
      for (const op of ['add', 'replace', 'remove'])
        await refused('PATCH', 'sales', patchOf({ op, path, value: 'x' }), /emails|badge/);
    for (const path of [
      ...['name.familyName', `${enterprise}:costCenter`, 'manager.displayName', 'externalId'],
      ...['roles[value eq "Buyer"]', 'roles'],
    ])
      for (const op of ['add', 'replace', 'remove'])
        await refused('PATCH', 'phonebook', patchOf({ op, path, value: 'x' }), /hides/);
    const item = [{ name: 'badge', value: 'guess' }];
    await refused(
      'PATCH',
      'sales',
      patchOf({ op: 'remove', path: `${own}:attributes`, value: item }),
      'badge',
    );
  });

  it('keeps hidden and unwritable attributes that a PUT leaves out', async () => {
    const before = await stored(its.ada);
    const body = {
      userName: 'ada',
      title: 'Chief',
      name: { givenName: 'Augusta' },
      phoneNumbers: [],
      [enterprise]: { department: 'Sales' },
    };
    const put = await send('PUT', `/Users/${its.ada}`, 'sales', body);
    expect(put.status, put.text).to.equal(200);
    expect(put.text).not.to.match(/ada@example|secret-badge/);
    const { phoneNumbers: _, roles: _roles, meta: _before, ...kept } = before;
    const { meta: _after, ...after } = await stored(its.ada);
    expect(after).to.deep.equal({ ...kept, title: 'Chief', name: { givenName: 'Augusta' } });
  });

  it('that sends back what it has read changes nothing', async () => {
    for (const as of ['sales', 'phonebook', 'whole'] as const) {
      const { meta: _read, ...before } = await stored(its.ada);
      const seen = (await send('GET', `/Users/${its.ada}`, as)).json();
      const put = await send('PUT', `/Users/${its.ada}`, as, seen);
      expect(put.status, put.text).to.equal(200);
      const { meta: _, ...after } = await stored(its.ada);
      expect(after).to.deep.equal(before);
    }
  });

  it('ignores the groups in a body, also where the profile hides them', async () => {
    const groups: readonly object[] = [];
    const created = await send('POST', '/Users', 'names', { userName: 'zoe', groups });
    expect(created.status, created.text).to.equal(201);
    const path = `/Users/${created.json().id}`;
    const put = await send('PUT', path, 'names', { userName: 'zoe', title: 'Dr', groups });
    expect(put.status, put.text).to.equal(200);
    const patched = await send('PATCH', path, 'names', patchOf({ op: 'replace', value: { groups } }));
    expect(patched.status, patched.text).to.equal(200);
  });

  it('that would change a visible but unwritable attribute is 403 with its name', async () => {
    for (const [body, name] of [
      [{ userName: 'other' }, 'userName'],
      [{ userName: 'ada', active: false }, 'active'],
      [{ userName: 'ada', displayName: 'Other' }, 'displayName'],
      [
        { userName: 'ada', [enterprise]: { department: 'Sales', costCenter: 'x' } },
        `${enterprise}:costCenter`,
      ],
    ] as const)
      await refused('PUT', 'sales', body, name);
    for (const operation of [
      { op: 'replace', path: 'active', value: false },
      { op: 'remove', path: 'displayName' },
      { op: 'replace', path: `${enterprise}:employeeNumber`, value: '8' },
      { op: 'remove', path: enterprise },
      { op: 'replace', value: { active: 'False' } },
    ])
      await refused(
        'PATCH',
        'sales',
        patchOf(operation),
        /active|displayName|employeeNumber|costCenter|manager/,
      );
    const same = await send(
      'PATCH',
      `/Users/${its.ada}`,
      'sales',
      patchOf({ op: 'replace', path: 'active', value: true }),
    );
    expect(same.status, same.text).to.equal(200);
  });

  it('changes writable attributes, and leaves hidden entries and members of objects unchanged', async () => {
    const patched = await send(
      'PATCH',
      `/Users/${its.ada}`,
      'sales',
      patchOf(
        { op: 'replace', path: 'title', value: 'Chief' },
        { op: 'add', path: `${own}:attributes[name eq "desk"].value`, value: '13' },
        { op: 'remove', path: 'phoneNumbers' },
      ),
    );
    expect(patched.status, patched.text).to.equal(200);
    expect(await stored(its.ada)).to.deep.include({
      title: 'Chief',
      attributes: { badge: 'secret-badge', desk: '13' },
    });
    const phone = [{ value: '+1 202 555 0199' }];
    const put = await send('PUT', `/Users/${its.ada}`, 'phonebook', { userName: 'ada', phoneNumbers: phone });
    expect(put.status, put.text).to.equal(200);
    expect(put.text).not.to.match(hiddenValues);
    expect(await stored(its.ada)).to.deep.include({
      phoneNumbers: phone,
      name: { givenName: 'Ada', familyName: 'Lovelace' },
      externalId: 'hr-1',
    });
  });

  it('may send a manager as a text where the name of the manager is hidden', async () => {
    const { ada, ben, ask, close } = await openDirectory({
      profiles: {
        whole: { users: { read: '*', except: ['enterprise.manager.displayName'], write: '*', create: true } },
      },
    });
    const manager = `${enterprise}:manager`;
    for (const [method, path, body] of [
      ['PATCH', `/Users/${ada}`, patchOf({ op: 'Add', path: manager, value: ben })],
      ['PUT', `/Users/${ada}`, { userName: 'ada', [enterprise]: { manager: ben } }],
      ['POST', '/Users', { userName: 'new', [enterprise]: { manager: ben } }],
    ] as const) {
      const answer = await ask(method, scim + path, { as: 'whole', body });
      expect(answer.status, answer.text).to.be.oneOf([200, 201]);
      expect(answer.json()[enterprise]).to.deep.include({ manager: { value: ben } });
    }
    await close();
  });

  it('that would move a user out of the filter, or create one outside, is 403; one of a user outside is 404', async () => {
    const move = patchOf({ op: 'replace', path: `${enterprise}:department`, value: 'Research' });
    await refused('PATCH', 'sales', move, 'profile sales');
    await refused(
      'PUT',
      'sales',
      { userName: 'ada', [enterprise]: { department: 'Research' } },
      'profile sales',
    );
    await refused('POST', 'sales', { userName: 'new' }, 'profile sales');
    await refused('POST', 'phonebook', { userName: 'new' }, 'does not create users');
    expectRefused(await send('DELETE', `/Users/${its.ada}`, 'phonebook'), 'does not delete users');
    for (const [method, body] of [
      ['PUT', { userName: 'eve' }],
      ['PATCH', patchOf({ op: 'replace', path: 'title', value: 'x' })],
      ['DELETE', undefined],
    ] as const)
      expect((await send(method, `/Users/${its.eve}`, 'sales', body)).status, method).to.equal(404);
    const taken = await send('POST', '/Users', 'sales', {
      userName: 'eve',
      [enterprise]: { department: 'Sales' },
    });
    expect(taken.status).to.equal(409);
    expect(taken.text).not.to.include(its.eve).and.not.include('Research');
    const made = await send('POST', '/Users', 'sales', {
      ...{ userName: 'new', groups: [], displayName: 'New', [enterprise]: { department: 'sales' } },
    });
    expect(made.status, made.text).to.equal(201);
  });

  it('is checked operation by operation in a Bulk', async () => {
    const Operations = [
      {
        method: 'POST',
        path: '/Users',
        bulkId: 'a',
        data: { userName: 'a', [enterprise]: { department: 'Sales' } },
      },
      { method: 'POST', path: '/Users', bulkId: 'b', data: { userName: 'b' } },
      { method: 'PATCH', path: `/Users/${its.ada}`, data: patchOf({ op: 'remove', path: 'emails' }) },
      {
        method: 'PATCH',
        path: `/Users/${its.ada}`,
        data: patchOf({ op: 'replace', path: 'title', value: 'Chief' }),
      },
      { method: 'PUT', path: `/Users/${its.ben}`, data: { userName: 'ben', emails: null } },
      {
        method: 'PATCH',
        path: `/Users/${its.ben}`,
        data: patchOf({ op: 'replace', path: 'active', value: false }),
      },
      { method: 'PUT', path: `/Users/${its.eve}`, data: { userName: 'eve' } },
      { method: 'DELETE', path: `/Users/${its.eve}` },
      { method: 'POST', path: '/Groups', bulkId: 'g', data: { displayName: 'G' } },
      {
        method: 'PATCH',
        path: `/Groups/${its.club}`,
        data: patchOf({ op: 'add', path: 'members', value: [{ value: its.eve }] }),
      },
      { method: 'DELETE', path: `/Users/${its.ben}` },
    ];
    const answer = await its.ask('POST', `${scim}/Bulk`, {
      as: 'sales',
      body: { schemas: [bulkUrn], Operations },
    });
    expect(answer.status, answer.text).to.equal(200);
    const results = (
      answer.json() as unknown as {
        Operations: readonly { status: string; version?: string; response?: Json }[];
      }
    ).Operations;
    expect(results.map(({ status }) => status)).to.deep.equal([
      ...['201', '403', '403', '200', '403', '403', '404', '404', '403', '400', '204'],
    ]);
    expect(results[3]?.version).to.match(/-p[\w-]+"$/);
    expect(String(results[2]?.response?.detail)).to.include('emails');
    expect(String(results[5]?.response?.detail)).to.include('active');
    expect(String(results[9]?.response?.detail)).to.include('belongs to no user');
    expect(answer.text).not.to.match(hiddenValues);
    expect((await its.ask('GET', `/users/${its.eve}`)).status).to.equal(200);
  });

  it('never touches members of a group that are outside', async () => {
    const { ada, ben, eve, club } = its;
    const members = async (): Promise<readonly string[]> =>
      (await its.ask('GET', `/users?group=${club}`)).json().users.map(({ id }) => id);
    const patch = (...operations: readonly Json[]) =>
      send('PATCH', `/Groups/${club}`, 'sales', patchOf(...operations));
    const put = await send('PUT', `/Groups/${club}`, 'sales', {
      displayName: 'Club',
      members: [{ value: ben }],
    });
    expect(put.status, put.text).to.equal(200);
    expect(put.text).not.to.include(eve);
    expect(await members()).to.have.members([ben, eve]);
    for (const path of ['members', `members[value eq "${eve}"]`])
      expect((await patch({ op: 'remove', path })).status).to.equal(204);
    expect(await members()).to.deep.equal([eve]);
    const added = await patch({ op: 'add', path: 'members', value: [{ value: eve }] });
    const unknown = await patch({
      op: 'add',
      path: 'members',
      value: [{ value: '00000000-0000-7000-8000-000000000000' }],
    });
    expect(added.status).to.equal(400);
    expect(added.text.replace(eve, 'ID')).to.equal(unknown.text.replace(/0{8}[-\w]+/, 'ID'));
    expect((await patch({ op: 'add', path: 'members', value: [{ value: ada }] })).status).to.equal(204);
    expect(await members()).to.have.members([ada, eve]);
  });

  it('that names members is 403 where the members of groups are hidden', async () => {
    for (const [method, body] of [
      ['PUT', { displayName: 'Club', members: [] }],
      ['PATCH', patchOf({ op: 'add', path: 'members', value: [{ value: its.ada }] })],
      ['PATCH', patchOf({ op: 'remove', path: 'members' })],
      ['PATCH', patchOf({ op: 'add', value: { members: [] } })],
    ] as const)
      expectRefused(await send(method, `/Groups/${its.club}`, 'names', body), 'hides members');
    const same = await send('PUT', `/Groups/${its.club}`, 'names', { displayName: 'Club' });
    expect(same.status, same.text).to.equal(200);
    expect((await its.ask('GET', `/groups/${its.club}`)).json()).to.include({
      memberCount: 3,
      description: 'Of all',
    });
  });

  it('erases nothing of a user that is, or was, outside', async () => {
    const { eve } = its;
    for (const isThere of [true, false]) {
      if (!isThere) await its.ask('DELETE', `/users/${eve}`);
      for (const path of [`${scim}/Users/${eve}`, `/users/${eve}`])
        expect((await its.ask('DELETE', `${path}?erase=true`, { as: 'sales' })).status).to.equal(403);
      const history = await its.ask('GET', `/users/${eve}/history`);
      expect(history.text).to.include('eve@example.org');
    }
  });
});
