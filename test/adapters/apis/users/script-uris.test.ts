import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { Stored } from '../../../../src/domain/resource/stored.ts';
import { aUser } from '../../../support/a-user.ts';
import { startService, type TestService } from '../../../support/service.ts';

const refused = [
  'javascript:alert(1)',
  'JavaScript:alert(1)',
  'vbscript:x',
  'data:text/html,x',
  'data:,x',
  'DATA:image/svg+xml;base64,AAAA',
];
const taken = [
  'https://example.org/javascript:x',
  'data:image/png;base64,AAAA',
  'javascripts:x',
  'mailto:a@b.example',
];

const json = { 'content-type': 'application/json', accept: 'application/json' };
const xml = { 'content-type': 'application/xml', accept: 'application/json' };
const scim = { 'content-type': 'application/scim+json' };
const coreUser = 'urn:ietf:params:scim:schemas:core:2.0:User';

describe('A URI of a user', () => {
  let service: TestService;
  before(async () => {
    service = await startService();
  });
  after(() => service.close());

  const post = (path: string, headers: Readonly<Record<string, string>>, body: string) =>
    service.send(path, { method: 'POST', headers, body });
  const newName = () => randomUUID();

  for (const uri of refused)
    it(`may run no script, as ${uri} may, in no format and by no API`, async () => {
      const pointers = async (headers: Readonly<Record<string, string>>, body: string) => {
        const answer = await post('/users', headers, body);
        expect(answer.status, answer.text).to.equal(422);
        return answer.json().errors.map(({ pointer }) => pointer);
      };
      const photos = [{}, { value: 'https://example.org/a.png' }, { value: uri }];
      expect(
        await pointers(json, JSON.stringify({ userName: newName(), profileUrl: uri, photos })),
      ).to.deep.equal(['/profileUrl', '/photos/2/value']);
      expect(
        await pointers(
          xml,
          `<user><userName>${newName()}</userName><profileUrl>${uri}</profileUrl><photos><photo><value>${uri}</value></photo></photos></user>`,
        ),
      ).to.deep.equal(['/profileUrl', '/photos/0/value']);
      for (const more of [{ profileUrl: uri }, { photos: [{ value: uri }] }]) {
        const body = JSON.stringify({ schemas: [coreUser], userName: newName(), ...more });
        const answer = await post('/scim/v2/Users', scim, body);
        expect([answer.status, answer.json().scimType]).to.deep.equal([400, 'invalidValue']);
      }
    });

  for (const uri of taken)
    it(`may be ${uri}`, async () => {
      const body = JSON.stringify({ userName: newName(), profileUrl: uri, photos: [{ value: uri }] });
      expect((await post('/users', json, body)).status).to.equal(201);
    });

  it('stays where an earlier release has taken it, until it is changed', async () => {
    const [uri = '', other = ''] = refused;
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
