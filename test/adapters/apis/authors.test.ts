import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import type { Actor, Write } from '../../../src/domain/store.ts';
import { aToken, startService, type TestService } from '../../support/service.ts';
import { memoryStore, overridden, portOf } from '../../support/stores.ts';

const json = 'application/json';
const scim = 'application/scim+json';
const user = { schemas: ['urn:ietf:params:scim:schemas:core:2.0:User'], userName: 'ada' };
const rename = {
  schemas: ['urn:ietf:params:scim:api:messages:2.0:PatchOp'],
  Operations: [{ op: 'replace', path: 'title', value: 'y' }],
};
/** Another change than `rename`. */
const bulkOf = (id: string) => ({
  schemas: ['urn:ietf:params:scim:api:messages:2.0:BulkRequest'],
  Operations: [
    { method: 'POST', path: '/Users', bulkId: 'b', data: { ...user, userName: 'bob' } },
    {
      method: 'PATCH',
      path: `/Users/${id}`,
      data: { ...rename, Operations: [{ op: 'remove', path: 'title' }] },
    },
  ],
});

describe('Each write', () => {
  let service: TestService;
  let authorization: string;
  const committed: { readonly ops: readonly string[]; readonly by: Actor }[] = [];
  beforeEach(async () => {
    committed.length = 0;
    const port = portOf(memoryStore());
    const watched = overridden(port, {
      commit: async (writes: readonly Write[], by) => {
        committed.push({ ops: writes.map(({ kind, op }) => `${op} ${kind}`), by });
        return port.commit(writes, by);
      },
    });
    service = await startService({}, watched);
    authorization = `Bearer ${await aToken(undefined, undefined, 'billing')}`;
  });
  afterEach(() => service.close());

  /** @returns the id in the answer's Location, or that of the path */
  async function write(method: string, path: string, type: string, body?: object): Promise<string> {
    const request = randomUUID();
    const before = committed.length;
    const { status, headers, text } = await service.send(path, {
      method,
      headers: { authorization, 'content-type': type, accept: type, 'x-request-id': request },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    expect(status, `${method} ${path}: ${text}`).to.be.within(200, 299);
    const via = /^\/(?:scim|users|groups)/.exec(path)?.[0].slice(1) ?? '';
    const made = committed.slice(before);
    expect(made, `${method} ${path}`).to.have.length.above(0);
    for (const { by } of made) expect(by).to.include({ client: 'billing', via, request });
    return (headers.get('location') ?? path).split('/').at(-1) ?? '';
  }

  it('reaches the store over HTTP with its client, its API and the id of its request', async () => {
    const id = await write('POST', '/users', json, { userName: 'grace' });
    await write('PUT', `/users/${id}`, json, { userName: 'grace', title: 'x' });
    await write('PATCH', `/users/${id}`, json, { title: 'y' });
    const group = await write('POST', '/groups', json, { displayName: 'Navy' });
    await write('PUT', `/groups/${group}`, json, { displayName: 'US Navy' });
    await write('PATCH', `/groups/${group}`, json, { description: 'x' });
    await write('PUT', `/groups/${group}/members/${id}`, json);
    await write('DELETE', `/groups/${group}/members/${id}`, json);
    await write('POST', `/groups/${group}/members`, json, { add: [id] });
    await write('DELETE', `/groups/${group}`, json);
    await write('DELETE', `/users/${id}`, json);
    const other = await write('POST', '/scim/v2/Users', scim, user);
    await write('PUT', `/scim/v2/Users/${other}`, scim, { ...user, title: 'w' });
    await write('PATCH', `/scim/v2/Users/${other}`, scim, rename);
    await write('POST', '/scim/v2/Bulk', scim, bulkOf(other));
    await write('DELETE', `/scim/v2/Users/${other}`, scim);
    const ops = committed.flatMap((one) => one.ops);
    const counts = Object.fromEntries(
      [...new Set(ops)].map((op) => [op, ops.filter((one) => one === op).length]),
    );
    expect(counts).to.deep.equal({
      ...{ 'create user': 3, 'replace user': 5, 'remove user': 2 },
      ...{ 'create group': 1, 'replace group': 2, 'members group': 3, 'remove group': 1 },
    });
  });
});
