import { expect } from 'chai';
import type { Declarations } from '../../../../src/domain/kinds/attributes/declaration.ts';
import { startDeclared } from '../../../support/declared.ts';
import type { TestService } from '../../../support/service.ts';
import type { UserStore } from '../../../support/verbs.ts';
import { client, expectError } from '../scim/scim-client.ts';

/** Users have an attribute with the same name and another type. */
const declarations: Declarations = {
  attributes: { level: { type: 'integer', filter: true } },
  groups: {
    number: { type: 'integer', unique: true, sort: true },
    level: { type: 'string', values: ['team', 'division'], filter: true },
    sites: { type: 'string', list: true, filter: true, search: true },
    owner: { type: 'user' },
  },
};
const attributes = { number: 7, level: 'team', sites: ['Oslo', 'Bergen'], floor: '2' };

interface Changed {
  readonly before: { readonly attributes?: object };
  readonly after: { readonly attributes?: object };
}

const [json, xml] = ['application/json', 'application/xml'];

describe('Attributes that the installation declares for groups', () => {
  let service: TestService;
  beforeEach(async () => {
    service = await startDeclared(declarations);
  });
  afterEach(() => service.close());

  const write = (path: string, body: object | string, method = 'POST', to = service) =>
    to.send(path, {
      method,
      body: typeof body === 'string' ? body : JSON.stringify(body),
      headers: { 'Content-Type': typeof body === 'string' ? xml : json, Accept: json },
    });
  const create = (displayName: string, values: object) =>
    write('/groups', { displayName, attributes: values });
  const idOf = async (answer: ReturnType<typeof write>): Promise<string> => (await answer).json().id;

  it('are typed in JSON and text in XML, also beside undeclared text attributes', async () => {
    const answer = await create('Engines', attributes);
    expect(answer.status, answer.text).to.equal(201);
    expect(answer.json()).to.deep.include({ attributes, memberCount: 0 });
    const path = `/groups/${answer.json().id}`;
    const { text } = await service.send(path, { headers: { Accept: xml } });
    const element =
      '<attributes><attribute name="number">7</attribute><attribute name="level">team</attribute><attribute name="sites">Oslo\nBergen</attribute><attribute name="floor">2</attribute></attributes>';
    expect(text).to.include(`${element}<memberCount>0</memberCount>`);
    const put = await write(path, text.replace('>7<', '> 08<'), 'PUT');
    expect(put.json().attributes).to.deep.equal({ ...attributes, number: 8 });
  });

  it('are refused by the rules for groups, not by those for users', async () => {
    const wrong = { number: 'x', level: '3', owner: '019b7c5a-3f6e-7b21-9d0c-5a7e8f902431', Number: '1' };
    const details = [
      ['/attributes/number', 'must be a whole number'],
      ['/attributes/level', 'must be one of team, division'],
      ['/attributes/Number', 'is not known here (perhaps number)'],
    ];
    expect((await create('Engines', wrong)).json().errors).to.deep.equal(
      details.map(([pointer, detail]) => ({ pointer, detail })),
    );
    expect((await create('Engines', { owner: wrong.owner })).json().errors).to.deep.equal([
      { pointer: '/attributes/owner', detail: 'belongs to no user' },
    ]);
    const user = await write('/users', { userName: 'ada', attributes: { level: '3', number: 'x' } });
    expect(user.json().attributes).to.deep.equal({ level: 3, number: 'x' });
  });

  it('are found, sorted and unique among groups alone', async () => {
    await create('Engines', attributes);
    await create('Wheels', { number: 10, level: 'division' });
    await create('Rails', {});
    const names = async (query: string): Promise<string> => {
      const answer = await service.send(`/groups?${query}`);
      expect(answer.status, answer.text).to.equal(200);
      return answer
        .json()
        .groups.map(({ displayName }: { displayName: string }) => displayName)
        .join();
    };
    expect(await names('attributes.number=007')).to.equal('Engines');
    expect(await names('attributes.number.from=8&sort=attributes.number')).to.equal('Wheels');
    expect(await names('sort=-attributes.number')).to.equal('Wheels,Engines,Rails');
    expect(await names('attributes.level.exists=false')).to.equal('Rails');
    expect(await names('attributes.sites=oslo&search=bergen')).to.equal('Engines');
    expect((await service.send('/users?attributes.number=7')).status).to.equal(400);
    const taken = await create('Gears', { number: '07' });
    expect([taken.status, taken.json().type, taken.json().errors]).to.deep.equal([
      ...[409, '/declared/problems/attribute-taken'],
      [{ pointer: '/attributes/number', detail: 'another group has this number' }],
    ]);
  });

  it('have their own types in histories, also where an attribute of users has the same name', async () => {
    const group = await idOf(create('Engines', attributes));
    await write(`/groups/${group}`, { attributes: { level: 'division' } }, 'PATCH');
    const user = await idOf(write('/users', { userName: 'ada', attributes: { level: 3 } }));
    const read = async (path: string) =>
      (await service.send(`${path}/history`)).json().changes as readonly [Changed, ...Changed[]];
    const [changed, made] = await read(`/groups/${group}`);
    expect([changed.before, changed.after]).to.deep.equal([
      ...[{ attributes: { level: 'team' } }, { attributes: { level: 'division' } }],
    ]);
    expect(made?.after.attributes).to.deep.equal(attributes);
    expect((await read(`/users/${user}`))[0].after.attributes).to.deep.equal({ level: 3 });
    const { text } = await service.send('/history', { headers: { Accept: xml } });
    for (const entry of ['level">3<', 'level">team<', 'number">7<', 'sites">Oslo\nBergen<'])
      expect(text).to.include(`<attribute name="${entry}/attribute>`);
  });

  it('are typed, found and unique in SCIM, too', async () => {
    const own = 'urn:user-management:1:Group';
    const ask = client(service);
    const post = (values: object) =>
      ask('/Groups', { method: 'POST', body: { displayName: JSON.stringify(values), [own]: values } });
    const made = await post({ number: 7, level: 'team', sites: [{ value: 'Oslo' }, { value: 'Bergen' }] });
    expect(made.status, made.text).to.equal(201);
    const { id } = made.json();
    expect((await service.send(`/groups/${id}`)).json().attributes).to.deep.equal({
      ...{ number: 7, level: 'team', sites: ['Oslo', 'Bergen'] },
    });
    const find = async (filter: string) =>
      (await ask(`/Groups?filter=${encodeURIComponent(filter)}`)).json().totalResults;
    expect(await find(`${own}:number eq 7`)).to.equal(1);
    expect(await find(`${own}:number gt 7`)).to.equal(0);
    await ask(`/Groups/${id}`, { method: 'PUT', body: { displayName: 'Engines' } });
    expect((await ask(`/Groups/${id}`)).json()[own]).to.deep.include({ number: 7 });
    expectError(await post({ number: 7 }), 409, 'uniqueness');
    expectError(await post({ number: 'x' }), 400, 'invalidValue');
  });

  describe('for a client that is pinned to a version without them', () => {
    let pinned: TestService;
    const startPinned = (store: UserStore) => startDeclared(declarations, { contract: '1.12' }, store);
    beforeEach(async () => {
      pinned = await startPinned(service.store);
    });
    afterEach(() => pinned.close());

    it('are not shown to it, and survive its writes', async () => {
      const path = `/groups/${await idOf(create('Engines', attributes))}`;
      const seen = (await pinned.send(path)).json();
      expect(seen).to.have.all.keys('id', 'displayName', 'memberCount', 'meta');
      expect((await pinned.send('/groups')).json().groups).to.deep.equal([seen]);
      expect((await pinned.send(path, { headers: { Accept: xml } })).text).to.not.include('attribute');
      expect((await pinned.send(`${path}/history`)).text).to.not.include('attributes');
      const put = await write(path, { ...seen, description: 'All of them' }, 'PUT', pinned);
      expect(put.status, put.text).to.equal(200);
      expect(put.json()).to.not.have.property('attributes');
      expect((await service.send(path)).json()).to.deep.include({ description: 'All of them', attributes });
      const wrong = await write(path, { ...seen, attributes: {} }, 'PUT', pinned);
      expect(wrong.json().errors).to.deep.equal([{ pointer: '/attributes', detail: 'is not known here' }]);
    });
  });
});

describe('Attributes of groups that are not declared', () => {
  it('are texts with any name, or are refused, as for users', async () => {
    for (const [undeclared, status] of [
      ['text', 201],
      ['refuse', 422],
    ] as const) {
      const service = await startDeclared({ undeclared });
      const answer = await service.send('/groups', {
        method: 'POST',
        body: JSON.stringify({ displayName: 'Engines', attributes: { floor: '2' } }),
        headers: { 'Content-Type': json },
      });
      expect(answer.status, answer.text).to.equal(status);
      await service.close();
    }
  });
});
