import { expect } from 'chai';
import type { Answer } from '../../../support/service.ts';
import { type Asked, type Directory, hiddenValues, openDirectory, type Profile } from './directory.ts';

const formats = ['json', 'xml'] as const;
type Format = (typeof formats)[number];
const accepts = (format: Format) => ({ accept: `application/${format}` });

const namespace = 'xmlns="urn:user-management:1"';

function expectProblem(
  { status, text }: Answer,
  format: Format,
  code: string,
  pointers: readonly string[],
): void {
  expect(status, text).to.equal(403);
  expect(text).to.include(`/problems/${code}`);
  const told =
    format === 'json'
      ? (JSON.parse(text).errors ?? []).map(({ pointer }: { pointer: string }) => pointer)
      : [...text.matchAll(/<pointer>([^<]*)</g)].map(([, pointer]) => pointer);
  expect(told, text).to.have.members(pointers);
}

describe('A client with a profile', () => {
  let its: Directory;
  beforeEach(async () => {
    its = await openDirectory();
  });
  afterEach(() => its.close());

  const ask = (method: string, path: string, as: Profile, format: Format, asked: Asked = {}) =>
    its.ask(method, path, { ...asked, as, headers: { ...accepts(format), ...asked.headers } });

  for (const format of formats) {
    it(`sees only the visible members, in ${format}`, async () => {
      const { ada, ask: whole } = its;
      for (const path of [
        `/users/${ada}`,
        '/users',
        '/users?limit=2&sort=title',
        '/users?search=ada',
        `/users?userName=ada`,
      ]) {
        const seen = await ask('GET', path, 'phonebook', format);
        expect(seen.status, seen.text).to.equal(200);
        expect(seen.text, path).not.to.match(hiddenValues);
        expect(seen.text).to.include('Ada').and.include('0134');
        expect((await whole('GET', path, { headers: accepts(format) })).text).to.match(hiddenValues);
      }
    });

    it(`finds resources only by members that it sees, in ${format}`, async () => {
      const { ada, ben, eve, club } = its;
      for (const query of [
        ...[
          'email=ada@example.org',
          'email.exists=false',
          'externalId=hr-1',
          'role.not=Buyer',
          'costCenter.in=cost-9',
        ],
        ...['sort=name.familyName', `group=${club}`, 'group.exists=true'],
      ]) {
        const { status, text } = await ask('GET', `/users?${query}`, 'phonebook', format);
        expect([400, 403], `${query}: ${text}`).to.include(status);
        expect(text).not.to.match(hiddenValues);
      }
      const found = async (path: string, as: Profile): Promise<readonly string[]> => {
        const { status, text } = await ask('GET', path, as, format);
        expect(status, text).to.equal(200);
        return [ada, ben, eve].filter((id) => text.includes(`${format === 'json' ? '"id":"' : '<id>'}${id}`));
      };
      for (const words of ['lovelace', 'ada@example.org', 'hr-1'])
        expect(await found(`/users?search=${words}&total=true`, 'phonebook')).to.deep.equal([]);
      expect(await found('/users?search=ada', 'phonebook')).to.deep.equal([ada]);
      expect(await found('/users?total=true', 'sales')).to.have.members([ada, ben]);
      expect(await found('/users?search=eve', 'sales')).to.deep.equal([]);
      expect(await found(`/users?group=${club}`, 'sales')).to.have.members([ada, ben]);
      expect((await ask('GET', '/users?limit=1&total=true', 'sales', format)).text).to.match(
        /total(?:":|=")2/,
      );
    });

    it(`gets an error for a hidden member in a body before any other error, in ${format}`, async () => {
      const { ada } = its;
      const bodies: readonly (readonly [body: object | string, pointers: readonly string[]])[] =
        format === 'json'
          ? [
              [{ userName: 'ada', emails: null }, ['/emails']],
              [{ emails: 7, active: 'x', nonsense: 1 }, ['/emails']],
              [
                { emails: [{ value: 'ada@example.org' }], x509Certificates: [] },
                ['/emails', '/x509Certificates'],
              ],
              [{ userName: 'ada', attributes: { badge: 'secret-badge' } }, ['/attributes/badge']],
            ]
          : [
              [`<user ${namespace}><userName>ada</userName><emails/></user>`, ['/emails']],
              [
                `<user ${namespace}><active>x</active><emails><email/></emails><nonsense/></user>`,
                ['/emails'],
              ],
              [`<user ${namespace}><emails>text</emails></user>`, ['/emails']],
              [
                `<user ${namespace}><userName>ada</userName><attributes><attribute name="badge">secret-badge</attribute></attributes></user>`,
                ['/attributes/badge'],
              ],
            ];
      const before = (await its.ask('GET', `/users/${ada}`)).json();
      for (const [body, pointers] of bodies)
        for (const method of ['POST', 'PUT', 'PATCH']) {
          const path = method === 'POST' ? '/users' : `/users/${ada}`;
          const answer = await ask(method, path, 'sales', format, { body });
          expectProblem(answer, format, 'attribute-hidden', pointers);
          expect(answer.text).not.to.match(hiddenValues);
        }
      expect((await its.ask('GET', `/users/${ada}`)).json()).to.deep.equal(before);
    });

    it(`keeps hidden members when it sends a PUT, and cannot change read-only ones, in ${format}`, async () => {
      const { ada } = its;
      const path = `/users/${ada}`;
      const before = (await its.ask('GET', path)).json();
      const body = (members: Readonly<Record<string, string>>): object | string =>
        format === 'json'
          ? { userName: 'ada', enterprise: { department: 'Sales' }, ...members }
          : `<user ${namespace}><userName>ada</userName><enterprise><department>Sales</department></enterprise>${Object.entries(
              members,
            )
              .map(([name, text]) => `<${name}>${text}</${name}>`)
              .join('')}</user>`;
      const refused = await ask('PUT', path, 'sales', format, {
        body: body({ displayName: 'Guess', externalId: 'x' }),
      });
      expectProblem(refused, format, 'attribute-read-only', ['/displayName', '/externalId']);
      expect(refused.text).not.to.match(hiddenValues);
      expect((await its.ask('GET', path)).json()).to.deep.equal(before);
      const put = await ask('PUT', path, 'sales', format, { body: body({ title: 'Chief' }) });
      expect(put.status, put.text).to.equal(200);
      expect(put.text).not.to.match(/ada@example|secret-badge/);
      const { emails, displayName, title, attributes, phoneNumbers } = (await its.ask('GET', path)).json();
      expect({ emails, displayName, attributes }).to.deep.equal({
        emails: before.emails,
        displayName: 'Ada',
        attributes: { badge: 'secret-badge' },
      });
      expect([title, phoneNumbers]).to.deep.equal(['Chief', undefined]);
    });

    it(`changes nothing when it sends back what it has read, in ${format}`, async () => {
      const { ada } = its;
      for (const as of ['sales', 'phonebook', 'whole'] as const) {
        const { meta: _, ...before } = (await its.ask('GET', `/users/${ada}`)).json();
        const seen = await ask('GET', `/users/${ada}`, as, format);
        const body = format === 'json' ? seen.json() : seen.text;
        const put = await ask('PUT', `/users/${ada}`, as, format, { body });
        expect(put.status, put.text).to.equal(200);
        const { meta: _after, ...after } = (await its.ask('GET', `/users/${ada}`)).json();
        expect(after).to.deep.equal(before);
      }
    });

    it(`sees how many members of a group are inside its profile, but not in lists, in ${format}`, async () => {
      const { club, ben, eve } = its;
      const count = async (path: string, as: Profile): Promise<string | undefined> =>
        /memberCount(?:":|>)(\d+)/.exec((await ask('GET', path, as, format)).text)?.[1];
      expect(await count(`/groups/${club}`, 'sales')).to.equal('2');
      expect(await count(`/groups/${club}`, 'whole')).to.equal('3');
      expect(await count(`/groups/${club}`, 'names')).to.equal(undefined);
      expect(await count('/groups', 'sales')).to.equal(undefined);
      expect(await count('/groups', 'whole')).to.equal('3');
      const held = async (as: Profile) => {
        const { headers } = await ask('GET', `/groups/${club}`, as, format);
        return { 'if-none-match': headers.get('etag') ?? '' };
      };
      const [sales, names] = [await held('sales'), await held('names')];
      const isHeld = async (as: Profile, headers: Readonly<Record<string, string>>) =>
        (await ask('GET', `/groups/${club}`, as, format, { headers })).status === 304;
      expect(await isHeld('sales', sales)).to.equal(true);
      // A user enters the filter: the group itself is unchanged.
      await its.ask('PATCH', `/users/${eve}`, { body: { enterprise: { department: 'Sales' } } });
      expect(await isHeld('sales', sales)).to.equal(false);
      expect(await count(`/groups/${club}`, 'sales')).to.equal('3');
      await its.ask('DELETE', `/groups/${club}/members/${ben}`);
      expect(await isHeld('names', names)).to.equal(true);
    });

    it(`reads and changes only members inside its profile; others are unknown, in ${format}`, async () => {
      const { club, ada, eve } = its;
      const nobody = '00000000-0000-7000-8000-000000000000';
      for (const method of ['GET', 'PUT', 'DELETE']) {
        const [outside, unknown] = [
          await ask(method, `/groups/${club}/members/${eve}`, 'sales', format),
          await ask(method, `/groups/${club}/members/${nobody}`, 'sales', format),
        ];
        expect(outside.status, method).to.equal(404);
        const plain = ({ text }: Answer) => text.replace(/urn:uuid:[-\w]+/, '');
        expect(plain(outside)).to.equal(plain(unknown));
        const hidden = await ask(method, `/groups/${club}/members/${ada}`, 'names', format);
        expect(hidden.status, `${method}: ${hidden.text}`).to.equal(403);
      }
      expect((await ask('GET', `/groups/${club}/members/${ada}`, 'sales', format)).status).to.equal(204);
      for (const group of [club, nobody])
        expect((await ask('GET', `/groups/${group}/members/${ada}`, 'phonebook', format)).status).to.equal(
          404,
        );
      const body =
        format === 'json' ? { add: [eve] } : `<members ${namespace}><add><id>${eve}</id></add></members>`;
      const answer = await ask('POST', `/groups/${club}/members`, 'sales', format, { body });
      expect(answer.status, answer.text).to.equal(422);
      expect(answer.text).to.include('belongs to no user').and.include('/add/0');
      expect((await its.ask('GET', `/groups/${club}/members/${eve}`)).status).to.equal(204);
    });
  }

  it('learns that a name is taken, as other clients do, and nothing about its owner', async () => {
    const { eve } = its;
    const body = { userName: 'eve', enterprise: { department: 'Sales' } };
    const [own, other] = [
      await its.ask('POST', '/users', { as: 'sales', body }),
      await its.ask('POST', '/users', { body }),
    ];
    const plain = ({ text }: Answer) => text.replace(/urn:uuid:[-\w]+/, '');
    expect(own.status).to.equal(409);
    expect(plain(own)).to.equal(plain(other)).and.not.include(eve);
    const taken = await its.ask('POST', '/users', {
      as: 'sales',
      body: { ...body, id: eve, userName: 'new' },
    });
    expect(taken.status).to.equal(409);
  });
});
