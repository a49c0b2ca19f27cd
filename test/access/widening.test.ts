/** What a client with a profile may do depends on its credentials alone: nothing else in a request changes it. */
import { expect } from 'chai';
import { type Case, casesByRoute, type Scene } from '../adapters/apis/requests-by-route.ts';
import { apis, scim } from '../support/contract.ts';
import { some } from '../support/runs.ts';
import { type Answer, startService, type TestService } from '../support/service.ts';
import { base } from './limited-client.ts';

const profiles = {
  part: {
    users: {
      where: { department: 'Sales' },
      ...{ read: '*', except: ['nickName', 'emails'], write: ['title'] },
    },
    groups: { where: { externalId: 'sales' }, read: '*', except: ['description'], write: ['members'] },
  },
  whole: {
    users: { read: '*', write: '*', create: true, delete: true },
    groups: { read: '*', write: '*', create: true, delete: true },
  },
};

interface More {
  readonly headers?: Readonly<Record<string, string>>;
  readonly query?: string;
  readonly body?: object;
}

/** Ways in which a service may be asked for more. */
const ways: Readonly<Record<string, More>> = {
  ...Object.fromEntries(
    [
      ...[
        'x-access-profile: whole',
        'x-profile: whole',
        'access-profile: whole',
        'profile: whole',
        'as: whole',
      ],
      ...['x-scope: as:whole', 'cookie: profile=whole', 'prefer: profile=whole', 'accept-profile: whole'],
      ...[
        'content-profile: whole',
        'x-forwarded-user: admin',
        'x-remote-user: admin',
        'x-original-url: /users',
      ],
      ...['forwarded: for=127.0.0.1', 'x-http-method-override: GET', 'proxy-authorization: Bearer whole'],
    ].map((field) => {
      const [name = '', value = ''] = field.split(': ');
      return [field, { headers: { [name]: value } }];
    }),
  ),
  '?profile=whole': { query: 'profile=whole' },
  '?as=whole': { query: 'as=whole' },
  '?scope=as:whole': { query: 'scope=as:whole' },
  '?access_token=whole': { query: 'access_token=whole' },
  'profile in the body': { body: { profile: 'whole' } },
  'access in the body': { body: { access: { profile: 'whole' }, scopes: ['as:whole'], as: 'whole' } },
};

const contentTypeOf = (method: string, path: string): string => {
  if (path.startsWith('/scim/')) return 'application/scim+json';
  return method === 'PATCH' ? 'application/merge-patch+json' : 'application/json';
};

/** The only outcome of a Bulk counts. */
function statusOf({ status, text }: Answer): number {
  const { Operations: [outcome] = [] } = text.startsWith('{') ? JSON.parse(text) : {};
  return Number(outcome?.status ?? status);
}

describe('A client with an access profile', () => {
  let service: TestService;
  let inside: Scene;
  let outside: Scene;
  let made = 0;

  const send = (
    method: string,
    { path, body }: Pick<Case, 'path' | 'body'>,
    as?: string,
    more: More = {},
  ) => {
    const whole = more.body && method !== 'GET' ? { ...body, ...more.body } : body;
    const target = more.query ? `${path}${path.includes('?') ? '&' : '?'}${more.query}` : path;
    return service.send(base + target, {
      method,
      headers: { ...(whole && { 'content-type': contentTypeOf(method, path) }), ...more.headers },
      ...(whole && { body: JSON.stringify(whole) }),
      ...(as && { as }),
    });
  };

  async function makeScene(department: string): Promise<Scene> {
    made += 1;
    const create = async (path: string, body: object): Promise<string> => {
      const answer = await send('POST', { path, body: body as Case['body'] & object });
      expect(answer.status, answer.text).to.equal(201);
      return answer.json().id;
    };
    const person = (name: string) => ({
      ...{ userName: `${name}.${made}`, nickName: `secret.nick.${made}`, enterprise: { department } },
      emails: [{ value: `secret@example.org` }],
    });
    const word = department === 'Sales' ? 'member' : 'secret.person';
    const user = await create('/users', person(word));
    const names = { externalId: department.toLowerCase(), description: 'secret purpose' };
    const name = department === 'Sales' ? 'Club' : 'Secret Society';
    const group = await create('/groups', { displayName: `${name} ${made}`, ...names });
    expect((await send('PUT', { path: `/groups/${group}/members/${user}` })).status).to.equal(204);
    const goneUser = await create('/users', person(`${word}.gone`));
    const goneGroup = await create('/groups', { displayName: `${name} gone ${made}`, ...names });
    for (const path of [`/users/${goneUser}`, `/groups/${goneGroup}`]) await send('DELETE', { path });
    return { user, group, goneUser, goneGroup };
  }

  before(async () => {
    service = await startService({ profiles, basePath: base });
    inside = await makeScene('Sales');
    outside = await makeScene('Research');
  });
  after(() => service.close());

  /** What it may not change: all but titles and members of what is inside. */
  async function readOthers(): Promise<readonly object[]> {
    const [users, groups] = await Promise.all(
      ['/users', '/groups'].map(async (path) => JSON.parse((await send('GET', { path })).text)),
    );
    const { text } = await send('GET', { path: `/users?group=${outside.group}` });
    const untitled = users.users.map(
      ({ title: _, meta: __, ...user }: { title?: string; meta: object }) => user,
    );
    const uncounted = groups.groups.map(({ memberCount: _, ...group }: { memberCount: number }) => group);
    return [...untitled, ...uncounted, { text }];
  }
  const readAccess = async () => (await send('GET', { path: '/access' }, 'part')).json().profile;

  it('may do what its profile says on every route that takes credentials', () => {
    const routes = [...apis, scim].flatMap((api) =>
      api.routes
        .filter(({ access = api.access }) => access === 'credentials')
        .map(({ method, path }) => `${method} ${path}`),
    );
    expect(Object.keys(casesByRoute)).to.have.members(routes);
  });

  for (const [route, makeCases] of Object.entries(casesByRoute)) {
    const [method = ''] = route.split(' ');

    it(`gets no more by any header, parameter or member: ${route}`, async () => {
      const [before, access] = [await readOthers(), await readAccess()];
      for (const [at, of] of [inside, outside].entries())
        for (const one of makeCases(of)) {
          const plain = await send(method, one, 'part');
          for (const [way, more] of some(Object.entries(ways))) {
            const answer = await send(method, one, 'part', more);
            const about = `${one.path} with ${way}: ${answer.text}`;
            const statuses = [statusOf(plain), 400, 422];
            expect(statusOf(answer), about).to.be.oneOf(more.body ? [...statuses, 403, 404, 415] : statuses);
            expect(answer.text, about).not.to.match(/secret/i);
          }
          if (at === 1 && one.path.includes(of.user)) expect(statusOf(plain), one.path).not.to.equal(201);
        }
      expect(await readOthers()).to.deep.equal(before);
      expect(await readAccess()).to.deep.equal(access);
    });
  }
});
