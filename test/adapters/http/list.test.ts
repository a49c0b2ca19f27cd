import { expect } from 'chai';
import { formats } from '../../../src/adapters/formats/index.ts';
import { listsOf, readList } from '../../contract/format-lists.ts';
import { startService, type TestService } from '../../support/service.ts';

const json = { 'content-type': 'application/json' };
const total = 25;

describe('GET /users', () => {
  let service: TestService;
  before(async () => {
    service = await startService();
    for (let i = 0; i < total; i += 1) {
      const user = {
        userName: `user${i}`,
        externalId: `x${i % 2}`,
        active: i % 5 !== 0,
        emails: [{ value: `U${i}@Example.org` }],
        roles: i % 3 === 0 ? ['a&b=c'] : ['r'],
        userType: i % 2 === 0 ? 'Employé' : 'Contractor',
        enterprise: { department: i < 7 ? 'Forschung & Søn' : 'Sales' },
      };
      await service.send('/users', { method: 'POST', headers: json, body: JSON.stringify(user) });
    }
  });
  after(() => service.close());
  const users = async (query: string) => {
    const answer = await service.send(`/users?${query}`);
    expect(answer.status, answer.text).to.equal(200);
    return { ...answer, users: answer.json().users };
  };
  const next = (answer: { headers: Headers }) =>
    /<\/users\?(.*)>; rel="next"/.exec(answer.headers.get('link') ?? '')?.[1];

  it('returns all users in id order, with a tag that a second reader can use', async () => {
    const all = await users('');
    const ids = all.users.map(({ id }) => id);
    expect(ids)
      .to.have.length(total)
      .and.deep.equal([...ids].sort());
    const headers = { 'if-none-match': all.headers.get('etag') ?? '' };
    expect((await service.send('/users', { headers })).status).to.equal(304);
    expect((await service.send('/users', { headers: { ...headers, accept: 'text/xml' } })).status).to.equal(
      200,
    );
  });

  it('pages through all users by Link, each once', async () => {
    const seen: string[] = [];
    let query: string | undefined = 'limit=10';
    while (query !== undefined) {
      const page = await users(query);
      seen.push(...page.users.map(({ id }) => id));
      query = next(page);
    }
    expect(seen).to.deep.equal((await users('')).users.map(({ id }) => id));
  });

  it('filters exactly, combines filters with AND, and keeps them in links to pages', async () => {
    expect((await users('userName=USER7')).users).to.have.length(1);
    expect((await users('email=u3@EXAMPLE.ORG')).users).to.have.length(1);
    expect((await users('externalId=x0&active=false')).users).to.have.length(3);
    const first = await users('role=a%26b%3Dc&limit=5');
    const second = await users(next(first) ?? '');
    expect([first.users.length, second.users.length]).to.deep.equal([5, 4]);
    expect((await users('userName=nobody')).users).to.deep.equal([]);
  });

  it('filters by whole departments and user types, ignoring case and diacritics', async () => {
    const department = encodeURIComponent('FORSCHUNG & son');
    expect((await users(`department=${department}&userType=employe`)).users).to.have.length(4);
    expect((await users('department=forschung')).users).to.deep.equal([]);
    expect((await users('department=sales&total=true')).json().total).to.equal(18);
  });

  it('refuses unknown parameters and values', async () => {
    const cursor = new URLSearchParams(next(await users('limit=1'))).get('after') ?? '';
    const wrong = [
      'page=2',
      'limit=0',
      'limit=1001',
      'limit=1x',
      'limit=1&limit=1',
      'active=yes',
      'userName=',
      'role=%ff',
      'userName=%00',
      `after=${cursor}`,
      `limit=1&after=${cursor}x`,
      `limit=1&role=r&after=${cursor}`,
      'limit=1&after=AAAA',
    ];
    for (const query of wrong) {
      const answer = await service.send(`/users?${query}`);
      expect(answer.status, query).to.equal(400);
      expect(answer.json()).to.have.property('detail');
    }
  });

  it('refuses a page when If-Match is malformed, without a link to a next page', async () => {
    const answer = await service.send('/users?limit=1', { headers: { 'if-none-match': 'unquoted' } });
    expect(answer.status).to.equal(400);
    expect(answer.headers.has('link')).to.equal(false);
  });

  it('prints a whole list in XML, also an empty one', async () => {
    const answer = await service.send('/users?role=none', { headers: { accept: 'application/xml' } });
    expect(answer.text).to.match(/^<\?xml.*<users xmlns="urn:user-management:1"><\/users>$/);
  });

  for (const format of formats) {
    it(`is read back, whole or as a page, by the format that printed it: ${format.name}`, async () => {
      const headers = { accept: format.mediaTypes[0]?.type ?? '' };
      for (const query of ['', '?limit=3', '?role=none']) {
        const { text } = await service.send(`/users${query}`, { headers });
        const { items, error } = await readList(listsOf(format), text, [1000]);
        expect(error).to.equal(undefined);
        const expected = (await service.send(`/users${query}`)).json().users;
        expect(items.map(({ value, violations }) => [value, violations])).to.deep.equal(
          expected.map((user) => [user, []]),
        );
      }
    });
  }
});
