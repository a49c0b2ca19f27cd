import { expect } from 'chai';
import { patchUrn } from '../../../../src/adapters/apis/scim/protocol/messages.ts';
import { startDeclared } from '../../../support/declared.ts';
import type { Answer, TestService } from '../../../support/service.ts';
import { own, scim } from './directory.ts';

const profiles = {
  /** Declared attributes, and entries that aren't declared, hidden one by one. */
  some: {
    users: {
      ...{ read: '*', except: ['attributes.badge', 'attributes.sites', 'attributes.secret'] },
      ...{ write: ['attributes.level', 'attributes.desk', 'attributes.sites'], create: true },
    },
  },
  /** Of the declared ones only one, and none that isn't declared. */
  one: { users: { read: ['userName', 'active', 'attributes.level'], write: '*' } },
};
type Profile = keyof typeof profiles;

const attributes = { badge: 7, level: 'senior', sites: ['Berlin', 'Rome'], secret: 'hush', desk: '12' };

describe('Declared attributes over SCIM, for a client with a profile', () => {
  let service: TestService;
  let id: string;
  beforeEach(async () => {
    service = await startDeclared(undefined, { profiles });
    const { status, json, text } = await send('POST', '/users', undefined, { userName: 'ada', attributes });
    expect(status, text).to.equal(201);
    id = json().id;
  });
  afterEach(() => service.close());

  const send = (method: string, path: string, as?: Profile, body?: object): Promise<Answer> =>
    service.send(path, {
      method,
      ...(as && { as }),
      headers: { 'content-type': path.startsWith(scim) ? 'application/scim+json' : 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    });
  const patch = (as: Profile, ...Operations: readonly object[]) =>
    send('PATCH', `${scim}/Users/${id}`, as, { schemas: [patchUrn], Operations });
  const stored = async () => (await send('GET', `/users/${id}`)).json().attributes;

  it('are shown if they are visible, each in its place', async () => {
    const shown = async (as: Profile) => (await send('GET', `${scim}/Users/${id}`, as)).json()[own];
    expect(await shown('some')).to.deep.equal({
      level: 'senior',
      attributes: [{ name: 'desk', value: '12' }],
    });
    expect(await shown('one')).to.deep.equal({ level: 'senior' });
    const names = async (as: Profile): Promise<readonly string[]> => {
      const answer = await send('GET', `${scim}/Schemas/${own}`, as);
      return (answer.json() as unknown as { attributes: { name: string }[] }).attributes.map(
        ({ name }) => name,
      );
    };
    expect(await names('some'))
      .to.include.members(['level', 'hired', 'attributes'])
      .and.not.include('badge');
    expect(await names('one'))
      .to.include('level')
      .and.not.include('sites');
  });

  it('are refused by each of their names if they are hidden', async () => {
    for (const filter of [
      ...[`${own}:badge eq 7`, 'badge pr', 'sites eq "Rome"', 'sites[value eq "Rome"]', 'sites.value pr'],
      ...[`${own}:attributes[name eq "badge" and value eq "7"]`, `${own}:attributes[name eq "secret"]`],
    ]) {
      const answer = await send('GET', `${scim}/Users?filter=${encodeURIComponent(filter)}`, 'some');
      expect(answer.status, `${filter}: ${answer.text}`).to.equal(403);
    }
    const before = await stored();
    for (const path of [
      ...['badge', `${own}:badge`, 'sites[value eq "Rome"]', `${own}:attributes[name eq "badge"].value`],
      ...[`${own}:attributes[name eq "sites"]`, `${own}:attributes[name eq "secret"].value`],
    ])
      for (const op of ['add', 'remove'])
        expect((await patch('some', { op, path, value: '8' })).status, path).to.equal(403);
    for (const value of [
      ...[{ badge: 7 }, { [own]: { badge: null } }, { [`${own}:sites`]: [] }],
      ...['badge', 'secret'].map((name) => ({ [`${own}:attributes`]: [{ name, value: '7' }] })),
    ]) {
      expect((await patch('some', { op: 'add', value })).status, JSON.stringify(value)).to.equal(403);
      const put = await send('PUT', `${scim}/Users/${id}`, 'some', { userName: 'ada', ...value });
      expect(put.status, JSON.stringify(value)).to.equal(403);
    }
    expect(await stored()).to.deep.equal(before);
  });

  it('stay unchanged when the client changes attributes that it may write', async () => {
    const changed = await patch(
      'some',
      { op: 'replace', path: 'level', value: 'junior' },
      { op: 'replace', path: `${own}:attributes`, value: [{ name: 'desk', value: '13' }] },
    );
    expect(changed.status, changed.text).to.equal(200);
    expect(await stored()).to.deep.equal({ ...attributes, level: 'junior', desk: '13' });
    expect((await patch('some', { op: 'remove', path: `${own}:attributes` })).status).to.equal(200);
    const { desk: _, ...rest } = attributes;
    expect(await stored()).to.deep.equal({ ...rest, level: 'junior' });
    const body = { userName: 'ada', active: true, [own]: { level: 'senior' } };
    for (const as of ['some', 'one'] as const) {
      const put = await send('PUT', `${scim}/Users/${id}`, as, body);
      expect(put.status, put.text).to.equal(200);
      expect(await stored()).to.deep.equal({ ...rest, level: 'senior' });
    }
    const bare = await send('PUT', `${scim}/Users/${id}`, 'some', { userName: 'ada' });
    expect(bare.status, bare.text).to.equal(200);
    expect(await stored()).to.deep.equal({ ...rest, level: 'senior' });
  });

  it('are not named by the conflict of a restoration when another user now has the hidden value', async () => {
    expect((await send('DELETE', `/users/${id}`)).status).to.equal(204);
    expect((await send('POST', '/users', undefined, { userName: 'ben', attributes })).status).to.equal(201);
    const { status, text } = await send('POST', `/users/${id}/restore`, 'some');
    expect(status, text).to.equal(409);
    expect(text).not.to.match(/badge|7,/);
  });
});
