import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { Stored } from '../../../../src/domain/resource/stored.ts';
import { aUser } from '../../../support/a-user.ts';
import { startService, type TestService } from '../../../support/service.ts';

const refused: Readonly<Record<string, string>> = {
  'max@firma,de': 'must not have , in its domain, such as example.org',
  'max@firma.de;eva@firma.de': 'must be one address, such as ada@example.org',
  'max@firma.de;': 'must not have ; in its domain, such as example.org',
  'max@firma.de,': 'must not have , in its domain, such as example.org',
  'max@<firma.de>': 'must not have < in its domain, such as example.org',
  'max@firma.de)': 'must not have ) in its domain, such as example.org',
  'max@[192.0.2.1]': 'must not have [ in its domain, such as example.org',
  'max@firma:de': 'must not have : in its domain, such as example.org',
  'max@firma\\de': 'must not have \\ in its domain, such as example.org',
  'max@"firma"': 'must not have " in its domain, such as example.org',
  'max@firma..de': 'must have a letter or digit at both sides of each dot in its domain',
  'max@firma.de.': 'must have a letter or digit at both sides of each dot in its domain',
  'max@.de': 'must have a letter or digit at both sides of each dot in its domain',
};
const taken = [
  'max@firma.de',
  'max@localhost',
  'max@müller.example',
  'max@例え.テスト',
  'max@xn--mller-kva.example',
  'max@my_host.example',
  'max,moritz@firma.de',
  '"max.moritz"@firma.de',
  'max.@firma.de',
];

const json = { 'content-type': 'application/json', accept: 'application/json' };
const xml = { 'content-type': 'application/xml', accept: 'application/json' };
const scim = { 'content-type': 'application/scim+json' };
const coreUser = 'urn:ietf:params:scim:schemas:core:2.0:User';
const escapeXml = (text: string) => text.replace(/[<>&"]/g, (one) => `&#${one.charCodeAt(0)};`);

describe('The domain of an e-mail address', () => {
  let service: TestService;
  before(async () => {
    service = await startService();
  });
  after(() => service.close());

  const post = (path: string, headers: Readonly<Record<string, string>>, body: string) =>
    service.send(path, { method: 'POST', headers, body });

  for (const [address, detail] of Object.entries(refused))
    it(`is a name without special characters and gaps in each format and API, unlike ${address}`, async () => {
      const userName = randomUUID();
      const body = { userName, emails: [{ value: 'eva@firma.de' }, {}, { value: address }] };
      const email = (value: string) => `<email><value>${escapeXml(value)}</value></email>`;
      const inXml = `<user><userName>${userName}</userName><emails>${email('eva@firma.de')}<email/>${email(address)}</emails></user>`;
      for (const answer of [
        await post('/users', json, JSON.stringify(body)),
        await post('/users', xml, inXml),
      ]) {
        expect(answer.status, answer.text).to.equal(422);
        expect(answer.json().errors).to.deep.equal([{ pointer: '/emails/2/value', detail }]);
      }
      const answer = await post('/scim/v2/Users', scim, JSON.stringify({ schemas: [coreUser], ...body }));
      const { scimType, detail: told } = answer.json();
      expect([answer.status, scimType]).to.deep.equal([400, 'invalidValue']);
      expect(told)
        .to.match(/^emails\[\d\]\.value /)
        .and.to.include(detail);
    });

  it('may be any other, in any script, and the part in front of it any text', async () => {
    const emails = taken.map((value) => ({ value }));
    const answer = await post('/users', json, JSON.stringify({ userName: randomUUID(), emails }));
    expect(answer.status, answer.text).to.equal(201);
  });

  it('stays as an earlier release has taken it, until the addresses are changed', async () => {
    const user = aUser({ emails: [{ value: 'max@firma,de' }] });
    await service.store.insert(Stored.of(user));
    const path = `/users/${user.id}`;
    const change = (method: string, body: object) =>
      service.send(path, { method, headers: json, body: JSON.stringify(body) });
    expect((await service.send(path)).json().emails).to.deep.equal(user.emails);
    expect((await change('PUT', { ...user, title: 'new' })).status).to.equal(200);
    expect((await change('PATCH', { title: 'newer' })).status).to.equal(200);
    expect(
      (await change('PATCH', { emails: [...(user.emails ?? []), { value: 'eva@firma.de' }] })).status,
    ).to.equal(422);
    expect((await change('PATCH', { emails: [{ value: 'max@firma.de' }] })).status).to.equal(200);
  });
});
