/** What a client of the soak does in a round: requests of every kind, with those that fail and those that it breaks off. */
import { type Agent, request } from 'node:http';
import { type ClientKind, clients } from '../test/support/clients.ts';
import { type Exchange, exchange } from '../test/support/exchanges.ts';
import type { Headers } from './credentials.ts';

interface SoakClient {
  readonly url: string;
  readonly agent: Agent;
  /** Its credentials. */
  readonly headers: Headers;
}

type Request = readonly [method: string, path: string, headers?: Headers, body?: string];

/** @throws Error for an answer with another status, since something else would be measured */
async function send(client: SoakClient, status: number, request: Request): Promise<Exchange> {
  const [method, path, headers = {}, body = ''] = request;
  const { agent } = client;
  const sent = { method, headers: { ...client.headers, ...headers }, body, agent };
  const answer = await exchange(client.url + path, sent);
  if (answer.status === status) return answer;
  throw new Error(`${method} ${path}: ${answer.status} instead of ${status}: ${answer.body}`);
}

/** Closes the connection when half of the body is sent, or at the beginning of the answer to a request without one. */
async function breakOff({ url, headers }: SoakClient, [method, path, more, body]: Request): Promise<void> {
  const length = body === undefined ? {} : { 'content-length': body.length };
  const asked = request(url + path, { method, headers: { ...headers, ...more, ...length } });
  // Node ends a request or an answer that is destroyed with an error.
  const closed = new Promise((resolve) => asked.on('error', () => {}).once('close', resolve));
  if (body === undefined) asked.once('response', (answer) => answer.on('error', () => {}).destroy()).end();
  else asked.write(body.slice(0, body.length / 2), () => asked.destroy());
  await closed;
}

const fieldOf = ({ headers }: Exchange, name: string): string =>
  headers.find(([other]) => other === name)?.[1] ?? '';

/** Requests to `/users` in either format. */
async function useUsers(client: SoakClient, { read, write, user }: ClientKind, userName: string) {
  const body = user({ userName, displayName: 'Ada Lovelace' });
  const created = await send(client, 201, ['POST', '/users', write, body]);
  const path = fieldOf(created, 'Location').replace(client.url, '');
  const tag = fieldOf(created, 'ETag');
  const steps: readonly (readonly [status: number, ...Request])[] = [
    [200, 'GET', path, read],
    [304, 'GET', path, { ...read, 'if-none-match': tag }],
    [200, 'PUT', path, { ...write, 'if-match': tag }, body],
    [412, 'PUT', path, { ...write, 'if-match': tag }, body],
    [200, 'PATCH', path, write, user({ title: 'Analyst' })],
    [409, 'POST', '/users', write, body],
    [400, 'POST', '/users', write, body.slice(0, -3)],
    [422, 'POST', '/users', write, user({ displayName: 'Nobody' })],
    [415, 'POST', '/users', { ...write, 'content-type': 'text/plain' }, body],
    [200, 'GET', '/users?limit=20&sort=-userName', read],
    [200, 'GET', '/users?limit=20&search=lovelace&total=true', { ...read, 'accept-encoding': 'gzip' }],
    [400, 'GET', '/users?limit=none', read],
    [204, 'DELETE', path],
    [404, 'GET', path, read],
  ];
  for (const [status, ...request] of steps) await send(client, status, request);
  return steps.length + 1;
}

const scim = { 'content-type': 'application/scim+json' };
const message = (name: string, members: object): string =>
  JSON.stringify({ schemas: [`urn:ietf:params:scim:api:messages:2.0:${name}`], ...members });

async function useScim(client: SoakClient, userName: string) {
  const user = { schemas: ['urn:ietf:params:scim:schemas:core:2.0:User'], userName };
  const created = await send(client, 201, ['POST', '/scim/v2/Users', scim, JSON.stringify(user)]);
  const path = `/Users/${JSON.parse(created.body.toString()).id}`;
  const filter = `userName eq "${userName}"`;
  const patch = (displayName: string) => ({
    schemas: ['urn:ietf:params:scim:api:messages:2.0:PatchOp'],
    Operations: [{ op: 'replace', value: { displayName } }],
  });
  const operations = [
    { method: 'POST', path: '/Users', bulkId: 'new', data: { ...user, userName: `${userName}-new` } },
    { method: 'POST', path: '/Users', bulkId: 'taken', data: user },
    { method: 'PATCH', path, data: patch('Grace') },
    { method: 'DELETE', path },
  ];
  const steps: readonly (readonly [status: number, ...Request])[] = [
    [200, 'PATCH', `/scim/v2${path}`, scim, JSON.stringify(patch('Ada'))],
    [400, 'PATCH', `/scim/v2${path}`, scim, message('PatchOp', { Operations: [{ op: 'twist' }] })],
    [200, 'GET', `/scim/v2/Users?filter=${encodeURIComponent(filter)}`],
    [200, 'GET', '/scim/v2/Users?count=20&filter=displayName%20co%20%22love%22'],
    [200, 'POST', '/scim/v2/Users/.search', scim, message('SearchRequest', { filter, count: 5 })],
    [400, 'GET', '/scim/v2/Users?filter=userName%20is'],
    [200, 'GET', '/scim/v2/Schemas'],
  ];
  for (const [status, ...request] of steps) await send(client, status, request);
  const bulk = message('BulkRequest', { Operations: operations });
  const done = await send(client, 200, ['POST', '/scim/v2/Bulk', scim, bulk]);
  const [first] = JSON.parse(done.body.toString()).Operations;
  await send(client, 204, ['DELETE', first.location]);
  return steps.length + 3;
}

async function useOthers(client: SoakClient, userName: string): Promise<number> {
  const { read, write, user } = clients.JSON;
  const stranger = { ...client, headers: {} };
  await send(stranger, 401, ['GET', '/users', read]);
  await send(stranger, 401, ['GET', '/users', { ...read, authorization: 'Bearer none' }]);
  await send(client, 404, ['GET', '/nowhere', read]);
  await send(client, 405, ['DELETE', '/users', read]);
  await send(client, 406, ['GET', '/users?limit=1', { accept: 'text/plain' }]);
  await send(client, 200, ['GET', '/openapi.json', { 'accept-encoding': 'br' }]);
  await send(client, 200, ['GET', '/console/']);
  await send(client, 204, ['GET', '/health/ready']);
  await breakOff(client, ['POST', '/users', write, user({ userName })]);
  await breakOff(client, ['POST', '/users', { ...write, expect: '100-continue' }, user({ userName })]);
  await breakOff(client, ['GET', '/users', read]);
  await breakOff(client, ['GET', '/users', { ...clients.XML.read, 'accept-encoding': 'gzip' }]);
  return 12;
}

/** Leaves the users as they were. @param name of users that no other round makes @returns how many requests it has sent */
export async function runRound(client: SoakClient, name: string): Promise<number> {
  const counts = [
    await useUsers(client, clients.JSON, `${name}-json`),
    await useUsers(client, clients.XML, `${name}-xml`),
    await useScim(client, `${name}-scim`),
    await useOthers(client, `${name}-others`),
  ];
  return counts.reduce((sum, count) => sum + count, 0);
}
