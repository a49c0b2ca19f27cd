import { expect } from 'chai';
import { matchAll } from '../../../../src/domain/find/conditions.ts';
import type { Authenticator } from '../../../../src/domain/ports.ts';
import { ofSharedSecret, startService, type TestService } from '../../../support/service.ts';
import {
  type Ask,
  aUser,
  bulkOf,
  client,
  create,
  expectError,
  giveScim,
  type Json,
  mediaType,
  rename,
} from './scim-client.ts';

const enterprise = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User';
const core = 'urn:ietf:params:scim:schemas:core:2.0:User';
const own = 'urn:user-management:1:User';
const group = 'urn:ietf:params:scim:schemas:core:2.0:Group';
const ownOfGroups = 'urn:user-management:1:Group';
const paths = [
  '/ServiceProviderConfig',
  '/ResourceTypes',
  '/ResourceTypes/User',
  '/Schemas',
  `/Schemas/${core}`,
  `/Schemas/${enterprise}`,
  `/Schemas/${own}`,
  '/ResourceTypes/Group',
  `/Schemas/${group}`,
];

interface Config {
  readonly patch: { readonly supported: boolean };
  readonly bulk: {
    readonly supported: boolean;
    readonly maxOperations: number;
    readonly maxPayloadSize: number;
  };
  readonly filter: { readonly supported: boolean; readonly maxResults: number };
  readonly changePassword: { readonly supported: boolean };
  readonly sort: { readonly supported: boolean };
  readonly etag: { readonly supported: boolean };
  readonly pagination: {
    readonly cursor: boolean;
    readonly index: boolean;
    readonly defaultPaginationMethod: string;
    readonly defaultPageSize: number;
    readonly maxPageSize: number;
  };
  readonly authenticationSchemes: readonly { readonly type: string; readonly primary?: boolean }[];
}

describe('Discovery in the SCIM API', () => {
  let service: TestService;
  let ask: Ask;
  giveScim((its, itsService) => {
    [ask, service] = [its, itsService];
  });
  const show = async <T>(path: string): Promise<T> =>
    (await ask(path, { anonymous: true })).json() as unknown as T;

  it('needs no credentials, has both media types, and is revalidated each time', async () => {
    for (const path of paths)
      for (const accept of [mediaType, 'application/json', '*/*']) {
        const answer = await ask(path, { anonymous: true, headers: { accept } });
        expect(answer.status, path).to.equal(200);
        expect(answer.headers.get('content-type')).to.equal(accept === '*/*' ? mediaType : accept);
        expect(answer.headers.get('cache-control')).to.equal('no-cache');
      }
    const wrong = { authorization: 'Bearer x' };
    for (const path of paths) expect((await ask(path, { headers: wrong })).status).to.equal(200);
  });

  it('refuses a filter (RFC 7644 §4), and ignores the other parameters of lists', async () => {
    for (const path of paths) {
      expectError(await ask(`${path}?filter=id%20pr`, { anonymous: true }), 403);
      expectError(await ask(`${path}?filter=`, { anonymous: true }), 403);
      const all = await ask(path);
      const ignored = await ask(`${path}?startIndex=2&count=0&sortBy=x&attributes=id&x=y`);
      expect([ignored.status, ignored.text]).to.deep.equal([200, all.text]);
    }
  });

  it('finds a schema by its URN in any case, and by no other name', async () => {
    const one = await ask(`/Schemas/${enterprise.toUpperCase()}`);
    expect(one.json().id).to.equal(enterprise);
    for (const path of [
      '/Schemas/User',
      '/Schemas/urn:x',
      '/ResourceTypes/user',
      '/ResourceTypes/Book',
      `/Schemas/${core}//`,
    ])
      expect((await ask(path)).status, path).to.equal(404);
  });

  it('gives each document its own location, alone and in lists', async () => {
    const { Resources: schemas } = await show<{ Resources: readonly Json[] }>('/Schemas');
    expect(schemas.map(({ id }) => id)).to.deep.equal([core, enterprise, own, group, ownOfGroups]);
    const { Resources: types } = await show<{ Resources: readonly Json[] }>('/ResourceTypes');
    const config = await show<Json>('/ServiceProviderConfig');
    for (const resource of [...schemas, ...types, config]) {
      const { location, resourceType } = resource.meta as { location: string; resourceType: string };
      expect(location).to.match(
        new RegExp(
          `^/scim/v2/${resourceType === 'ServiceProviderConfig' ? resourceType : `${resourceType}s/`}`,
        ),
      );
      expect((await service.send(location, { anonymous: true })).json()).to.deep.equal(resource);
    }
    const [type] = types as unknown as [
      { schema: string; schemaExtensions: { schema: string }[]; endpoint: string },
    ];
    expect(type.schema).to.equal(core);
    expect(type.schemaExtensions.map(({ schema }) => schema)).to.deep.equal([enterprise, own]);
    expect((await ask(type.endpoint)).status).to.equal(200);
  });

  it('describes exactly the attributes of users and groups in responses, and no password', async () => {
    const { Resources } = await show<{
      Resources: readonly { attributes: { name: string; subAttributes?: object[] }[] }[];
    }>('/Schemas');
    const names = Resources.flatMap(({ attributes }) => attributes.map(({ name }) => name));
    for (const name of [
      'userName',
      'name',
      'emails',
      'x509Certificates',
      'manager',
      'attributes',
      'groups',
      'members',
    ])
      expect(names).to.include(name);
    for (const name of ['password', 'id', 'meta', 'schemas']) expect(names).not.to.include(name);
  });

  describe('describes the service correctly:', () => {
    let config: Config;
    before(async () => {
      config = await show('/ServiceProviderConfig');
      for (let count = 0; count < 101; count += 1) await create(ask);
    });

    it('the accepted credentials', async () => {
      const schemesOf = async (one: TestService) =>
        ((await client(one)('/ServiceProviderConfig')).json() as unknown as Config).authenticationSchemes.map(
          ({ type, primary }) => [type, primary],
        );
      expect(await schemesOf(service)).to.deep.equal([['oauthbearertoken', true]]);
      const keys: Authenticator = { ...ofSharedSecret(), scheme: 'Basic' };
      const both = await startService({}, undefined, [ofSharedSecret(), keys]);
      expect(await schemesOf(both)).to.deep.equal([
        ['oauthbearertoken', true],
        ['httpbasic', undefined],
      ]);
      await both.close();
    });

    it('the maximum number of users on a page', async () => {
      const { pagination, filter } = config;
      const page = async (query: string) => (await ask(`/Users${query}`)).json().itemsPerPage;
      expect(await page('')).to.equal(pagination.defaultPageSize);
      expect(await page('?cursor=')).to.equal(pagination.defaultPageSize);
      expect(filter.maxResults).to.equal(pagination.maxPageSize);
      await service.store.list({ where: matchAll, limit: 1 });
      for (let count = 101; count <= filter.maxResults; count += 1) await create(ask);
      for (const query of ['?count=5000', '?cursor=&count=5000', '?count=5000&filter=active%20eq%20true'])
        expect(await page(query), query).to.equal(filter.maxResults);
    });

    it('pages by index and by cursor, by index by default', async () => {
      const { cursor, index, defaultPaginationMethod } = config.pagination;
      expect([cursor, index, defaultPaginationMethod]).to.deep.equal([true, true, 'index']);
      const byIndex = (await ask('/Users?startIndex=2&count=1')).json();
      expect(byIndex).to.include({ startIndex: 2, itemsPerPage: 1 });
      expect(byIndex).not.to.have.property('nextCursor');
      expect((await ask('/Users?cursor=&count=1')).json()).to.have.property('nextCursor');
    });

    it('the maximum size of a Bulk', async () => {
      const { maxOperations, maxPayloadSize } = config.bulk;
      const operations = Array(maxOperations).fill({ method: 'DELETE', path: '/Users/x' });
      const statusOf = async (body: Json | string) => (await ask('/Bulk', { method: 'POST', body })).status;
      expect(await statusOf(bulkOf(operations))).to.equal(200);
      expect(await statusOf(bulkOf([...operations, {}]))).to.equal(413);
      const text = JSON.stringify(bulkOf(operations.slice(1)));
      expect(await statusOf(text.padEnd(maxPayloadSize))).to.equal(200);
      expect(await statusOf(text.padEnd(maxPayloadSize + 1))).to.equal(413);
    });

    it('that users can be patched, sorted and filtered, and have tags', async () => {
      const { patch, sort, filter, etag, changePassword } = config;
      expect([patch, sort, filter, etag].map(({ supported }) => supported)).to.deep.equal([
        true,
        true,
        true,
        true,
      ]);
      const { id } = await create(ask);
      const changed = await ask(`/Users/${id}`, { method: 'PATCH', body: rename });
      expect(changed.json()).to.include({ displayName: 'Ada' });
      expect(changed.headers.get('etag')).to.equal(changed.json().meta.version);
      const list = (await ask('/Users?filter=displayName%20eq%20%22ada%22&sortBy=userName')).json();
      expect((list.Resources as readonly Json[]).map((user) => user.id)).to.deep.equal([id]);
      expect(changePassword.supported).to.equal(false);
      const body = aUser({ password: 'secret' });
      const detail = expectError(await ask(`/Users/${id}`, { method: 'PUT', body }), 400, 'invalidValue');
      expect(detail).to.include('password').and.not.to.include('secret');
    });
  });
});

describe('Discovery behind a gateway', () => {
  it('has the URLs that clients see', async () => {
    const settings = { publicUrl: 'https://directory.example/here', basePath: '/v1' };
    const service = await startService(settings);
    const ask = client(service, '/v1/scim/v2');
    const begin = 'https://directory.example/here/scim/v2/';
    const { meta } = (await ask('/ServiceProviderConfig')).json() as unknown as {
      meta: { location: string };
    };
    expect(meta.location).to.equal(`${begin}ServiceProviderConfig`);
    const made = await ask('/Users', { method: 'POST', body: aUser() });
    expect(made.headers.get('location')).to.equal(`${begin}Users/${made.json().id}`);
    expect(made.json().meta).to.include({ location: `${begin}Users/${made.json().id}` });
    expectError(await ask(''), 404);
    await service.close();
  });
});
