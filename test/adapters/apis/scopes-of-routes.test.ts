import { expect } from 'chai';
import { type Scope, scopes, scopesOf } from '../../../src/domain/scopes.ts';
import { apis, scim } from '../../support/contract.ts';
import { type Answer, aToken, startService, type TestService } from '../../support/service.ts';
import { type Case, casesByRoute, type Scene } from './requests-by-route.ts';

/** Those that take credentials, as the table of requests names them. */
const routes = [...apis, scim].flatMap((api) =>
  api.routes
    .filter(({ access = api.access }) => access === 'credentials')
    .map(({ method, path }) => `${method} ${path}`),
);

/** None, each alone, and all but one. */
const setsOfScopes: readonly (readonly Scope[])[] = [
  [],
  ...scopes.map((scope) => [scope]),
  ...scopes.map((left) => scopes.filter((scope) => scope !== left)),
];

const isEnough = (held: readonly Scope[], { takes }: Case): boolean =>
  takes.some((some) => some.every((scope) => scopesOf(held).has(scope)));

/** Of the only operation in a Bulk. */
function statusOf({ path }: Case, { status, json }: Answer): number {
  if (status !== 200 || !path.endsWith('/Bulk')) return status;
  const [outcome] = json().Operations as readonly { readonly status: string }[];
  return Number(outcome?.status);
}

describe('Each route, by the credentials of the client,', () => {
  let service: TestService;
  let scene: Scene;
  let made = 0;
  before(async () => {
    service = await startService();
    scene = await makeScene();
  });
  after(() => service.close());

  const contentTypeOf = (method: string, path: string) => {
    if (path.startsWith('/scim/')) return 'application/scim+json';
    return method === 'PATCH' ? 'application/merge-patch+json' : 'application/json';
  };
  function send(method: string, { path, body }: Pick<Case, 'path' | 'body'>, authorization?: string | null) {
    return service.send(path, {
      method,
      headers: {
        ...(body && { 'content-type': contentTypeOf(method, path) }),
        ...(authorization && { authorization }),
      },
      ...(body && { body: JSON.stringify(body) }),
      anonymous: authorization === null,
    });
  }
  const methodOf = (route: string): string => route.split(' ')[0] ?? '';

  /** @param one is all that the scene is made for: what it does not name stays as before */
  async function makeScene(one?: Case): Promise<Scene> {
    made += 1;
    const names = { userName: `hidden.person.${made}`, displayName: 'Hidden Person' };
    const user = (await send('POST', { path: '/users', body: names })).json().id;
    const name = { displayName: `Hidden Society ${made}` };
    const group = (await send('POST', { path: '/groups', body: name })).json().id;
    const added = await send('PUT', { path: `/groups/${group}/members/${user}` });
    expect(added.status, added.text).to.equal(204);
    const isNamed = (id: string) => one === undefined || (one.path + JSON.stringify(one.body)).includes(id);
    const goneUser = isNamed(scene?.goneUser) ? await makeGone('/users') : scene.goneUser;
    const goneGroup = isNamed(scene?.goneGroup) ? await makeGone('/groups') : scene.goneGroup;
    return { user, group, goneUser, goneGroup };
  }

  async function makeGone(path: string): Promise<string> {
    const body = path === '/users' ? { userName: `gone.${made}` } : { displayName: `Gone ${made}` };
    const { id } = (await send('POST', { path, body })).json();
    expect((await send('DELETE', { path: `${path}/${id}` })).status).to.equal(204);
    return id;
  }

  /** Everything that a client might have changed. */
  async function readAll(): Promise<readonly string[]> {
    const paths = ['/users', '/groups', `/users?group=${scene.group}`];
    return Promise.all(paths.map(async (path) => (await send('GET', { path })).text));
  }

  function expectNothingHidden(one: Case, held: readonly Scope[], { text }: Answer): void {
    const asked = one.path + JSON.stringify(one.body);
    const may = scopesOf(held);
    const about = `${one.path} with ${held}`;
    // Histories have values of users and groups, whatever else their readers may read; that of a user also has the user's memberships.
    const seesValues = may.has('history:read');
    if (!may.has('users:read') && !seesValues) expect(text, about).not.to.match(/hidden.person/i);
    if (may.has('groups:read')) return;
    if (seesValues) return;
    expect(text, about).not.to.match(/hidden.society/i);
    if (!asked.includes(scene.group)) expect(text, about).not.to.include(scene.group);
  }

  it('is covered by this test', () => {
    expect(Object.keys(casesByRoute)).to.have.members(routes);
  });

  for (const [route, makeCases] of Object.entries(casesByRoute)) {
    const method = methodOf(route);

    it(`refuses missing, wrong and expired credentials: ${route}`, async () => {
      const before = await readAll();
      const expired = `Bearer ${await aToken(scopes, '-1m')}`;
      for (const one of makeCases(scene))
        for (const authorization of [null, 'Bearer wrong', expired]) {
          const answer = await send(method, one, authorization);
          expect(answer.status, answer.text).to.equal(401);
          expect(answer.text).not.to.match(/hidden/i);
        }
      expect(await readAll()).to.deep.equal(before);
    });

    it(`works with its scopes, and with others returns and changes nothing: ${route}`, async () => {
      const before = await readAll();
      const enough: (readonly [at: number, held: readonly Scope[]])[] = [];
      for (const [at, one] of makeCases(scene).entries())
        for (const held of setsOfScopes) {
          if (isEnough(held, one)) {
            enough.push([at, held]);
            continue;
          }
          const answer = await send(method, one, `Bearer ${await aToken(held)}`);
          const { refusals = [403] } = one;
          expect(statusOf(one, answer), `${one.path} with ${held}: ${answer.text}`).to.be.oneOf(refusals);
          expectNothingHidden(one, held, answer);
        }
      expect(await readAll()).to.deep.equal(before);
      for (const [at, held] of enough) {
        const own = method === 'GET' ? scene : await makeScene(makeCases(scene)[at]);
        const one = makeCases(own)[at] ?? expect.fail('there is no such case');
        const answer = await send(method, one, `Bearer ${await aToken(held)}`);
        expect(statusOf(one, answer), `${one.path} with ${held}: ${answer.text}`).to.be.oneOf(
          route.endsWith('/Me') ? [501] : [200, 201, 204],
        );
        expectNothingHidden(one, held, answer);
      }
    });
  }
});
