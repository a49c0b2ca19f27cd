import { expect } from 'chai';
import { startService, type TestService } from '../../support/service.ts';

const own = 'urn:user-management:1:User';
const json = { 'content-type': 'application/json' };
const xml = { 'content-type': 'application/xml', accept: 'application/xml' };
const scim = { 'content-type': 'application/scim+json', accept: 'application/scim+json' };
const [past, future] = ['2020-01-01T00:00:00.000Z', '2100-01-01T00:00:00.000Z'];

describe('The validity of a user, over HTTP,', () => {
  let service: TestService;
  before(async () => {
    service = await startService();
  });
  after(() => service.close());

  const post = (user: object) =>
    service.send('/users', { method: 'POST', headers: json, body: JSON.stringify(user) });

  it('is written and read in JSON and XML, in UTC, in front of meta', async () => {
    const made = await post({ userName: 'json', validUntil: '2100-01-01T01:00:00+01:00' });
    expect(made.json()).to.include({ active: true, validUntil: future });
    const body = `<user><userName>xml</userName><validFrom>${future}</validFrom></user>`;
    const inXml = await service.send('/users', { method: 'POST', headers: xml, body });
    expect([inXml.status, inXml.text]).to.deep.equal([201, inXml.text]);
    expect(inXml.text).to.match(
      /<active>false<\/active>.*<validFrom>2100-01-01T00:00:00.000Z<\/validFrom><meta>/,
    );
  });
  it('refuses an active user outside of it, with a pointer to active', async () => {
    const refused = await post({ userName: 'late', active: true, validUntil: past });
    expect(refused.status).to.equal(422);
    expect(refused.json().errors).to.deep.equal([
      { pointer: '/active', detail: `must not be true from validUntil on, ${past}` },
    ]);
    expect((await post({ userName: 'late', validUntil: past })).json()).to.include({ active: false });
  });
  it('filters and sorts lists', async () => {
    for (const year of [2050, 2040, 2030])
      await post({ userName: `year-${year}`, validUntil: `${year}-01-01T00:00:00Z` });
    const query = 'validUntil.from=2030-06-01T00:00:00Z&validUntil.to=2060-01-01T00:00:00Z&sort=validUntil';
    const { users } = (await service.send(`/users?${query}`)).json();
    expect(users.map(({ userName }) => userName)).to.deep.equal(['year-2040', 'year-2050']);
    expect((await service.send('/users?sort=nextAt')).status).to.equal(400);
    expect((await service.send('/groups?validUntil.from=2030-06-01T00:00:00Z')).status).to.equal(400);
  });
  it('is in the service’s extension over SCIM, beside the custom attributes, and a PUT without it keeps it', async () => {
    const send = (method: string, path: string, body: object) =>
      service.send(`/scim/v2/Users${path}`, { method, headers: scim, body: JSON.stringify(body) });
    const schemas = ['urn:ietf:params:scim:schemas:core:2.0:User', own];
    const extension = { attributes: [{ name: 'floor', value: '2' }], validUntil: future };
    const made = (await send('POST', '', { schemas, userName: 'scim', [own]: extension })).json();
    expect(made[own]).to.deep.equal(extension);
    const put = (await send('PUT', `/${made.id}`, { schemas: schemas.slice(0, 1), userName: 'scim' })).json();
    expect(put[own]).to.deep.equal(extension);
    const patch = {
      schemas: ['urn:ietf:params:scim:api:messages:2.0:PatchOp'],
      Operations: [
        { op: 'replace', path: `${own}:validUntil`, value: '2099-01-01T00:00:00Z' },
        { op: 'add', path: `${own}:validFrom`, value: past },
      ],
    };
    const patched = (await send('PATCH', `/${made.id}`, patch)).json();
    expect(patched[own]).to.deep.equal({
      ...{ attributes: extension.attributes, validFrom: past },
      validUntil: '2099-01-01T00:00:00.000Z',
    });
    const filter = encodeURIComponent(`${own}:validUntil gt "2098-01-01T00:00:00Z" and userName eq "scim"`);
    const found = (await service.send(`/scim/v2/Users?filter=${filter}`, { headers: scim })).json();
    expect(found).to.include({ totalResults: 1 });
    const wrong = { ...patch, Operations: [{ op: 'replace', path: `${own}:validUntil`, value: past }] };
    expect((await send('PATCH', `/${made.id}`, wrong)).status).to.equal(400);
  });
});
