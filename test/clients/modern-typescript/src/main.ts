/**
 * usage: TOKEN=… node main.js BASE_URL, on a service without users. Prints a line for each thing that went as it should. No cast, no any: what
 * the types say is what the document says.
 */
import createClient from 'openapi-fetch';
import type { components, paths } from '../build/service.ts';
import { type Answer, fieldsOf } from './answer.ts';
import { dataOf, expect } from './expect.ts';

type User = components['schemas']['User'];
type UserInput = components['schemas']['UserInput'];

const [, , baseUrl = ''] = process.argv;
const { TOKEN: token = '' } = process.env;
const headers = { Authorization: `Bearer ${token}`, Accept: 'application/json' };
const service = createClient<paths>({ baseUrl, headers });
const done = (what: string): void => console.log(what);

const ada: UserInput = {
  userName: 'ada',
  externalId: '007',
  name: { givenName: 'Ada', familyName: 'Lovelace' },
  displayName: '  Ada, 世界 𝄞\r\n\t& <co>',
  nickName: 'Enchantress of Number',
  emails: [{ value: 'ada@example.com', type: 'work', primary: true }],
  photos: [{ value: 'https://people.example.com/ada.png', display: 'Ada, in colours' }],
  roles: ['engineer'],
  enterprise: { employeeNumber: '001815', department: 'Engines', manager: { value: 'babbage' } },
  attributes: { costCenter: '0042' },
};

async function create() {
  const result = await service.POST('/users', { body: ada });
  const user = dataOf(result);
  expect('status', result.response.status, 201);
  const fields = fieldsOf<Answer<'createUser', 201>>(result.response);
  expect('Location', fields.always('Location'), `/users/${user.id}`);
  const { id, meta, active, ...sent } = user;
  expect<Partial<UserInput>>('what was sent', sent, ada);
  expect('active', active, true);
  expect('lastModified', meta.lastModified, meta.created);
  done('created');
  return { id, tag: fields.always('ETag') };
}

async function read(id: string, tag: string): Promise<User> {
  const params = { path: { id } };
  const result = await service.GET('/users/{id}', { params });
  const fields = fieldsOf<Answer<'readUser', 200>>(result.response);
  expect('ETag', fields.always('ETag'), tag);
  expect('an HTTP date', Number.isNaN(Date.parse(fields.always('Last-Modified'))), false);
  const again = await service.GET('/users/{id}', {
    params: { ...params, header: { 'If-None-Match': tag } },
  });
  expect('status', again.response.status, 304);
  expect('ETag of a 304', fieldsOf<Answer<'readUser', 304>>(again.response).always('ETag'), tag);
  done('read');
  return dataOf(result);
}

/** Writes back what was read. */
async function replace(user: User, tag: string): Promise<string> {
  const { nickName: _removed, ...rest } = user;
  const body = { ...rest, displayName: 'Countess of Lovelace', roles: [...(user.roles ?? []), 'countess'] };
  const result = await service.PUT('/users/{id}', {
    params: { path: { id: user.id }, header: { 'If-Match': tag } },
    body,
  });
  const { meta, ...changed } = dataOf(result);
  const { meta: before, ...wanted } = body;
  expect('what was changed', changed, wanted);
  expect('when it was made', meta.created, before.created);
  expect('the same version', meta.version === before.version, false);
  done('changed');
  return fieldsOf<Answer<'replaceUser', 200>>(result.response).always('ETag');
}

async function refused(user: User, stale: string, tag: string): Promise<void> {
  const path = { id: user.id };
  const late = await service.PUT('/users/{id}', {
    params: { path, header: { 'If-Match': stale } },
    body: { userName: 'late' },
  });
  if (late.error?.status !== 412) throw new Error(`a stale write: ${late.response.status}`);
  expect('type', late.error.type, '/problems/precondition-failed');
  const wrong = await service.PUT('/users/{id}', {
    params: { path, header: { 'If-Match': tag } },
    body: { userName: 'ada lovelace', nickName: '', roles: [] },
  });
  if (wrong.error?.status !== 422) throw new Error(`a wrong write: ${wrong.response.status}`);
  expect(
    'mistakes',
    wrong.error.errors?.map(({ pointer }) => pointer),
    ['/userName'],
  );
  const taken = await service.POST('/users', { body: { id: user.id, userName: 'other' } });
  if (taken.error?.status !== 409) throw new Error(`a taken id: ${taken.response.status}`);
  expect('type', taken.error.type, '/problems/id-taken');
  done('refused');
}

async function patch(id: string, tag: string): Promise<string> {
  const params = { path: { id }, header: { 'If-Match': tag } };
  const result = await service.PATCH('/users/{id}', {
    params,
    body: {
      externalId: '',
      name: { familyName: 'King', givenName: '' },
      active: false,
      enterprise: { department: '', manager: { value: '', displayName: 'Mary Somerville' } },
    },
  });
  const user = dataOf(result);
  expect('externalId', user.externalId, undefined);
  expect('name', user.name, { familyName: 'King' });
  expect('active', user.active, false);
  const enterprise = { employeeNumber: '001815', manager: { displayName: 'Mary Somerville' } };
  expect('enterprise', user.enterprise, enterprise);
  const next = fieldsOf<Answer<'patchUser', 200>>(result.response).always('ETag');
  const brief = await service.PATCH('/users/{id}', {
    params: { path: { id }, header: { 'If-Match': next, Prefer: 'return=minimal' } },
    body: { title: 'Countess' },
  });
  expect('status', brief.response.status, 204);
  const fields = fieldsOf<Answer<'patchUser', 204>>(brief.response);
  expect('Preference-Applied', fields.always('Preference-Applied'), 'return=minimal');
  done('patched');
  return fields.always('ETag');
}

/** From page to page, by the cursor in Link. */
async function everybody(limit: number): Promise<string[]> {
  const names: string[] = [];
  for (let after: string | undefined; ; ) {
    const query = { limit, ...(after === undefined ? {} : { after }) };
    const page = await service.GET('/users', { params: { query } });
    const { users } = dataOf(page);
    expect('a page that is too long', users.length > limit, false);
    names.push(...users.map(({ userName }) => userName));
    const link = fieldsOf<Answer<'listUsers', 200>>(page.response).sometimes('Link');
    const next = /<([^>]+)>; rel="next"/.exec(link ?? '')?.[1];
    if (next === undefined) return names;
    after = new URL(next, baseUrl).searchParams.get('after') ?? undefined;
  }
}

async function list(): Promise<void> {
  for (const userName of ['grace', 'edsger', 'barbara', 'donald'])
    dataOf(
      await service.POST('/users', { body: { userName, roles: [userName === 'grace' ? 'admiral' : 'x'] } }),
    );
  const names = ['ada', 'grace', 'edsger', 'barbara', 'donald'];
  expect('names, by pages', await everybody(2), names);
  expect('names, on one page', await everybody(100), names);
  const query = { role: 'admiral', active: true };
  const found = dataOf(await service.GET('/users', { params: { query } }));
  expect(
    'found',
    found.users.map(({ userName }) => userName),
    ['grace'],
  );
  const wrong = await service.GET('/users', { params: { query: { after: 'x', limit: 1 } } });
  if (wrong.error?.status !== 400) throw new Error(`a damaged cursor: ${wrong.response.status}`);
  expect('type', wrong.error.type, '/problems/invalid-parameter');
  done('listed');
}

async function remove(id: string, stale: string, tag: string): Promise<void> {
  const path = { id };
  const late = await service.DELETE('/users/{id}', { params: { path, header: { 'If-Match': stale } } });
  expect('status', late.error?.status, 412);
  const gone = await service.DELETE('/users/{id}', { params: { path, header: { 'If-Match': tag } } });
  expect('status', gone.response.status, 204);
  const missing = await service.GET('/users/{id}', { params: { path } });
  if (missing.error?.status !== 404) throw new Error(`a deleted user: ${missing.response.status}`);
  expect('type', missing.error.type, '/problems/user-not-found');
  done('deleted');
}

async function nobody(): Promise<void> {
  const { error, response } = await createClient<paths>({ baseUrl }).GET('/users');
  if (error?.status !== 401) throw new Error(`without a token: ${response.status}`);
  const challenge = fieldsOf<Answer<'listUsers', 401>>(response).always('WWW-Authenticate');
  expect('a challenge', challenge.startsWith('Bearer '), true);
  done('not let in without a token');
}

const { id, tag: first } = await create();
const user = await read(id, first);
const second = await replace(user, first);
await refused(user, first, second);
const last = await patch(id, second);
await list();
await remove(id, first, last);
await nobody();
