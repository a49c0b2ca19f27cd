/** Rules of users beside the schema (domain/kinds/user/kind.ts), in each format and API. */
import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { Stored } from '../../../../src/domain/resource/stored.ts';
import { aUser } from '../../../support/a-user.ts';
import { startService, type TestService } from '../../../support/service.ts';

const json = { 'content-type': 'application/json', accept: 'application/json' };
const xml = { 'content-type': 'application/xml', accept: 'application/json' };
const scim = { 'content-type': 'application/scim+json' };
const coreUser = 'urn:ietf:params:scim:schemas:core:2.0:User';
const escapeXml = (text: string) => text.replace(/[<>&"]/g, (one) => `&#${one.charCodeAt(0)};`);

let service: TestService;
const post = (path: string, headers: Readonly<Record<string, string>>, body: string) =>
  service.send(path, { method: 'POST', headers, body });
const giveService = () => {
  before(async () => {
    service = await startService();
  });
  after(() => service.close());
};

const refusedUris = [
  'javascript:alert(1)',
  'JavaScript:alert(1)',
  'vbscript:x',
  'data:text/html,x',
  'data:,x',
  'DATA:image/svg+xml;base64,AAAA',
];
const takenUris = [
  'https://example.org/javascript:x',
  'data:image/png;base64,AAAA',
  'javascripts:x',
  'mailto:a@b.example',
];

describe('A URI of a user', () => {
  giveService();

  for (const uri of refusedUris)
    it(`is refused in every format and API if it can run a script, as ${uri} can`, async () => {
      const pointers = async (headers: Readonly<Record<string, string>>, body: string) => {
        const answer = await post('/users', headers, body);
        expect(answer.status, answer.text).to.equal(422);
        return answer.json().errors.map(({ pointer }) => pointer);
      };
      const photos = [{}, { value: 'https://example.org/a.png' }, { value: uri }];
      expect(
        await pointers(json, JSON.stringify({ userName: randomUUID(), profileUrl: uri, photos })),
      ).to.deep.equal(['/profileUrl', '/photos/2/value']);
      expect(
        await pointers(
          xml,
          `<user><userName>${randomUUID()}</userName><profileUrl>${uri}</profileUrl><photos><photo><value>${uri}</value></photo></photos></user>`,
        ),
      ).to.deep.equal(['/profileUrl', '/photos/0/value']);
      for (const more of [{ profileUrl: uri }, { photos: [{ value: uri }] }]) {
        const body = JSON.stringify({ schemas: [coreUser], userName: randomUUID(), ...more });
        const answer = await post('/scim/v2/Users', scim, body);
        expect([answer.status, answer.json().scimType]).to.deep.equal([400, 'invalidValue']);
      }
    });

  for (const uri of takenUris)
    it(`may be ${uri}`, async () => {
      const body = JSON.stringify({ userName: randomUUID(), profileUrl: uri, photos: [{ value: uri }] });
      expect((await post('/users', json, body)).status).to.equal(201);
    });

  it('stays valid if an earlier release accepted it, until it is changed', async () => {
    const [uri = '', other = ''] = refusedUris;
    const user = aUser({ profileUrl: uri, photos: [{ value: uri }] });
    await service.store.insert(Stored.of(user));
    const path = `/users/${user.id}`;
    expect((await service.send(path)).json().profileUrl).to.equal(uri);
    const change = (method: string, body: object) =>
      service.send(path, { method, headers: json, body: JSON.stringify(body) });
    expect((await change('PUT', { ...user, title: 'new' })).status).to.equal(200);
    expect((await change('PATCH', { title: 'newer' })).status).to.equal(200);
    expect((await change('PATCH', { profileUrl: other })).status).to.equal(422);
    expect((await service.send(`/scim/v2/Users/${user.id}`)).json().profileUrl).to.equal(uri);
  });
});

const refusedAddresses: Readonly<Record<string, string>> = {
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
const takenAddresses = [
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

describe('The domain of an e-mail address', () => {
  giveService();

  for (const [address, detail] of Object.entries(refusedAddresses))
    it(`may not have special characters or gaps in any format or API, as in ${address}`, async () => {
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

  it('may be any other domain, in any script, after any local part', async () => {
    const emails = takenAddresses.map((value) => ({ value }));
    const answer = await post('/users', json, JSON.stringify({ userName: randomUUID(), emails }));
    expect(answer.status, answer.text).to.equal(201);
  });

  it('stays valid if an earlier release accepted it, until the addresses are changed', async () => {
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

const seenAlike: Readonly<Record<string, readonly [members: object, xml: string, pointer: string]>> = {
  'a displayName of spaces only': [
    { displayName: ' \u00A0' },
    '<displayName> \u00A0</displayName>',
    '/displayName',
  ],
  'roles that differ by spaces at their ends': [
    { roles: ['admin', 'clerk', 'admin '] },
    '<roles><role>admin</role><role>clerk</role><role>admin </role></roles>',
    '/roles',
  ],
};

describe('A user with empty-looking or repeated values', () => {
  giveService();

  for (const [what, [members, inXml, pointer]] of Object.entries(seenAlike))
    it(`is refused in each format and API, with ${what}`, async () => {
      const userName = randomUUID();
      for (const answer of [
        await post('/users', json, JSON.stringify({ userName, ...members })),
        await post('/users', xml, `<user><userName>${userName}</userName>${inXml}</user>`),
      ]) {
        expect(answer.status, answer.text).to.equal(422);
        expect(answer.json().errors.map((error) => error.pointer)).to.deep.equal([pointer]);
      }
      const body = JSON.stringify({ schemas: [coreUser], userName, ...members });
      const answer = await post('/scim/v2/Users', scim, body);
      expect([answer.status, answer.json().scimType]).to.deep.equal([400, 'invalidValue']);
    });

  it('stays valid if an earlier release accepted it, until these values are changed', async () => {
    const user = aUser({ displayName: ' ', roles: ['a', 'a '] });
    await service.store.insert(Stored.of(user));
    const change = async (body: object) => {
      const sent = { method: 'PATCH', headers: json, body: JSON.stringify(body) };
      return (await service.send(`/users/${user.id}`, sent)).status;
    };
    expect(await change({ title: 'new' })).to.equal(200);
    expect(await change({ roles: ['a', 'a ', 'b'] })).to.equal(422);
    expect(await change({ displayName: '\t' })).to.equal(422);
    expect(await change({ displayName: ' Ada ', roles: [' a'] })).to.equal(200);
    expect((await service.send(`/users/${user.id}`)).json()).to.deep.include({
      displayName: ' Ada ',
      roles: [' a'],
    });
  });
});
