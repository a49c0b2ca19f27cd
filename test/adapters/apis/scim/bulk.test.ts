import { expect } from 'chai';
import { bulkUrn } from '../../../../src/adapters/apis/scim/protocol/messages.ts';
import { startService, type TestService } from '../../../support/service.ts';
import {
  type Ask,
  aUser,
  bulk,
  bulkOf,
  client,
  create,
  expectError,
  type Json,
  nobody,
  type Outcome,
  patchOf,
  rename,
} from './scim-client.ts';

const statuses = (outcomes: readonly Outcome[]): readonly string[] => outcomes.map(({ status }) => status);
const idOf = ({ location = '' }: Outcome): string => location.replace(/.*\//, '');
const post = (data: Json, bulkId?: string): Json => ({
  method: 'POST',
  path: '/Users',
  ...(bulkId === undefined ? {} : { bulkId }),
  data,
});

describe('A Bulk', () => {
  let service: TestService;
  let ask: Ask;
  beforeEach(async () => {
    service = await startService();
    ask = client(service);
  });
  afterEach(() => service.close());
  const read = async (id: string): Promise<Json> => (await ask(`/Users/${id}`)).json();
  const total = async (): Promise<unknown> => (await ask('/Users?count=0')).json().totalResults;

  it('creates, replaces, changes and deletes, and returns the location and version of each user', async () => {
    const users = await Promise.all([create(ask), create(ask), create(ask)]);
    const [put, patch, gone] = users.map(({ id }) => `/Users/${id}`);
    const outcomes = await bulk(ask, [
      post(aUser({ title: 'new' }), 'q'),
      { method: 'put', path: put, data: aUser({ title: 'put' }) },
      { Method: 'Patch', PATH: patch, Data: rename, bulkId: '' },
      { method: 'DELETE', path: gone, bulkId: null, version: null, data: null },
    ]);
    expect(statuses(outcomes)).to.deep.equal(['201', '200', '200', '204']);
    expect(outcomes.map(({ method, bulkId }) => [method, bulkId])).to.deep.equal([
      ['POST', 'q'],
      ['PUT', undefined],
      ['PATCH', undefined],
      ['DELETE', undefined],
    ]);
    for (const [index, { location, version, response }] of outcomes.entries()) {
      expect(location).to.match(/^\/scim\/v2\/Users\/[0-9a-f-]{36}$/);
      expect(response).to.equal(undefined);
      const answer = await service.send(location ?? '');
      expect([answer.status, answer.headers.get('etag') ?? undefined]).to.deep.equal(
        index === 3 ? [404, undefined] : [200, version],
      );
    }
    expect(await read(idOf(outcomes[0] as Outcome))).to.include({ title: 'new' });
    expect(await read(users[0]?.id ?? '')).to.include({ title: 'put' });
    expect(await read(users[1]?.id ?? '')).to.include({ displayName: 'Ada' });
  });

  it('is refused as a whole, before anything is written, when its body is malformed', async () => {
    const good = post(aUser());
    const wrong: readonly [body: unknown, status: number, scimType?: string, detail?: RegExp][] = [
      [[], 400, 'invalidSyntax'],
      [{}, 400, 'invalidSyntax'],
      [
        { ...bulkOf([good]), schemas: ['urn:ietf:params:scim:api:messages:2.0:PatchOp'] },
        400,
        'invalidSyntax',
        /^schemas has that of a PatchOp/,
      ],
      [{ ...bulkOf([good]), schemas: [1] }, 400, 'invalidSyntax'],
      [{ ...bulkOf([good]), more: 1 }, 400, 'invalidSyntax'],
      [{ ...bulkOf([good]), operations: [] }, 400, 'invalidSyntax'],
      [bulkOf([]), 400, 'invalidSyntax'],
      [bulkOf([good, null]), 400, 'invalidSyntax'],
      [bulkOf([good, { method: 'GET', path: `/Users/${nobody}` }]), 400, 'invalidSyntax'],
      [bulkOf([good, { method: 'DELETE' }]), 400, 'invalidSyntax'],
      [bulkOf([good, { path: '/Users' }]), 400, 'invalidSyntax'],
      [bulkOf([good, { method: 'DELETE', path: 1 }]), 400, 'invalidSyntax'],
      [bulkOf([good, { method: 'DELETE', path: '/Users/x', x: 1 }]), 400, 'invalidSyntax'],
      [bulkOf([good, { method: 'DELETE', METHOD: 'DELETE', path: '/Users/x' }]), 400, 'invalidSyntax'],
      [bulkOf([good, { method: 'DELETE', path: '/Users/x', version: 1 }]), 400, 'invalidSyntax'],
      [
        bulkOf([post(aUser(), 'a'), post(aUser(), 'b'), post(aUser(), 'b')]),
        400,
        'invalidValue',
        /^bulkId "b" occurs/,
      ],
      [bulkOf([good], { failOnErrors: 0 }), 400, 'invalidValue'],
      [bulkOf([good], { failOnErrors: '1' }), 400, 'invalidValue'],
      [bulkOf([good], { failOnErrors: 1.5 }), 400, 'invalidValue'],
      [bulkOf(Array(1001).fill(good)), 413],
    ];
    for (const [body, status, scimType, detail = /./] of wrong)
      expect(
        expectError(await ask('/Bulk', { method: 'POST', body: JSON.stringify(body) }), status, scimType),
      ).to.match(detail);
    expect(await total()).to.equal(0);
  });

  it('is accepted without `schemas`, and with a nonstandard URN', async () => {
    for (const schemas of [undefined, [], ['urn:x']]) {
      const answer = await ask('/Bulk', { method: 'POST', body: { ...bulkOf([post(aUser())]), schemas } });
      expect(answer.status, answer.text).to.equal(200);
      expect(answer.json().Operations).to.have.nested.property('[0].status', '201');
    }
  });

  it('returns the error of each operation with its place, and executes the other operations', async () => {
    const { id } = await create(ask, { userName: 'taken@example.com' });
    const at = `/Users/${id}`;
    const cases: readonly [
      operation: Json,
      status: string,
      scimType?: string | undefined,
      location?: string,
    ][] = [
      [post(aUser()), '201'],
      [post(aUser({ userName: 'TAKEN@example.com' }), 'x'), '409', 'uniqueness'],
      [post(aUser({ shoeSize: 1 })), '400', 'invalidSyntax'],
      [post(aUser({ locale: 'no tag' })), '400', 'invalidValue'],
      [post(aUser({ userName: { toString: null } })), '400', 'invalidValue'],
      [{ method: 'POST', path: '/Users' }, '400', 'invalidSyntax'],
      [{ method: 'POST', path: '/Papers', data: {} }, '404'],
      [{ method: 'POST', path: at, data: aUser() }, '404'],
      [{ method: 'PUT', path: '/Users', data: aUser() }, '404'],
      [{ method: 'DELETE', path: '/Users' }, '404'],
      [{ method: 'DELETE', path: '/Users/' }, '404'],
      [{ method: 'DELETE', path: '' }, '404'],
      [{ method: 'DELETE', path: `/scim/v2${at}` }, '404'],
      [{ method: 'DELETE', path: `${at}/x` }, '404'],
      [post(aUser(), 'made'), '201'],
      [{ method: 'DELETE', path: 'bulkId:made' }, '404'],
      [{ method: 'DELETE', path: `/Users/${nobody}` }, '404', undefined, `/scim/v2/Users/${nobody}`],
      [{ method: 'PUT', path: at, data: aUser({ password: 'x' }) }, '400', 'invalidValue', `/scim/v2${at}`],
      [{ method: 'PATCH', path: at, data: {} }, '400', 'invalidSyntax', `/scim/v2${at}`],
      [
        { method: 'PATCH', path: at, data: patchOf({ op: 'remove', path: 'userName' }) },
        '400',
        'mutability',
        `/scim/v2${at}`,
      ],
      [
        { method: 'PATCH', path: at, data: patchOf({ op: 'remove', path: 'id' }) },
        '400',
        'mutability',
        `/scim/v2${at}`,
      ],
      [
        { method: 'PATCH', path: at, data: patchOf({ op: 'remove', path: '(' }) },
        '400',
        'invalidPath',
        `/scim/v2${at}`,
      ],
      [{ method: 'PATCH', path: at, data: patchOf({ op: 'remove' }) }, '400', 'noTarget', `/scim/v2${at}`],
      [
        { method: 'PATCH', path: at, data: rename, version: '"old.scim1"' },
        '412',
        undefined,
        `/scim/v2${at}`,
      ],
      [{ method: 'PATCH', path: at, data: rename, version: 'unquoted' }, '400', undefined, `/scim/v2${at}`],
      [post(aUser()), '201'],
      [{ method: 'PATCH', path: at, data: { Operations: rename.Operations } }, '200'],
      [{ method: 'PATCH', path: at, data: rename.Operations }, '200'],
      [
        { method: 'PATCH', path: at, data: { ...rename, schemas: [bulkUrn] } },
        '400',
        'invalidSyntax',
        `/scim/v2${at}`,
      ],
      [{ method: 'PATCH', path: at.toUpperCase().replace('USERS', 'Users'), data: rename }, '200'],
    ];
    const outcomes = await bulk(
      ask,
      cases.map(([operation]) => operation),
    );
    expect(statuses(outcomes)).to.deep.equal(cases.map(([, status]) => status));
    for (const [index, [operation, status, scimType, location]] of cases.entries()) {
      const outcome = outcomes[index] as Outcome;
      expect(outcome.method).to.equal(operation.method);
      expect(outcome.bulkId).to.equal(operation.bulkId);
      if (Number(status) < 400) continue;
      const { response, version } = outcome;
      expect(
        [outcome.location, version, response?.status, response?.scimType],
        JSON.stringify(operation),
      ).to.deep.equal([location, undefined, status, scimType]);
      expect(response)
        .to.have.property('schemas')
        .that.deep.equals(['urn:ietf:params:scim:api:messages:2.0:Error']);
      expect(response?.detail).to.be.a('string');
    }
    expect(await total()).to.equal(4);
    expect(await read(id)).to.include({ displayName: 'Ada', userName: 'taken@example.com' });
  });

  it('needs the scope of each operation', async () => {
    const { id } = await create(ask);
    const operations = [
      post(aUser()),
      { method: 'PATCH', path: `/Users/${id}`, data: rename },
      { method: 'DELETE', path: `/Users/${id}` },
      post(aUser()),
    ];
    const writer = { scopes: ['users:write'] };
    const outcomes = await bulk(ask, operations, {}, writer);
    expect(statuses(outcomes)).to.deep.equal(['201', '200', '403', '201']);
    expect(outcomes[2]?.response?.detail).to.include('users:delete');
    expect((await ask(`/Users/${id}`)).status).to.equal(200);
    expect(statuses(await bulk(ask, operations, { failOnErrors: 1 }, writer))).to.deep.equal(['409']);
    expect(statuses(await bulk(ask, operations.slice(2, 3)))).to.deep.equal(['204']);
    const remover = { scopes: ['users:delete'] };
    expect(statuses(await bulk(ask, operations, {}, remover))).to.deep.equal(['403', '403', '404', '403']);
    const reader = { method: 'POST', body: bulkOf(operations), scopes: ['users:read'] };
    expectError(await ask('/Bulk', reader), 403);
  });

  it('ends after failOnErrors errors, and skips the rest', async () => {
    const bad = { method: 'DELETE', path: `/Users/${nobody}` };
    const good = () => post(aUser());
    const run = async (failOnErrors: number, operations: readonly Json[]) =>
      statuses(await bulk(ask, operations, { failOnErrors }));
    expect(await run(1, [good(), bad, good()])).to.deep.equal(['201', '404']);
    expect(await total()).to.equal(1);
    expect(await run(2, [bad, good(), good(), bad, good(), bad])).to.deep.equal(['404', '201', '201', '404']);
    expect(await total()).to.equal(3);
    expect(await run(3, [bad, bad, good()])).to.deep.equal(['404', '404', '201']);
    const many = Array.from({ length: 100 }, (_, index) => (index % 3 === 2 ? bad : good()));
    expect(await run(7, many)).to.have.lengthOf(21);
    expect(await total()).to.equal(18);
    expect(await run(1000, [bad, bad])).to.deep.equal(['404', '404']);
    expect(statuses(await bulk(ask, [bad, bad], { failOnErrors: null }))).to.deep.equal(['404', '404']);
  });

  it('of a thousand users creates all of them, in their order', async () => {
    const users = Array.from({ length: 1000 }, (_, index) =>
      post(aUser({ externalId: String(index) }), `b${index}`),
    );
    const outcomes = await bulk(ask, users);
    expect([...new Set(statuses(outcomes))]).to.deep.equal(['201']);
    expect(outcomes.map(({ bulkId }) => bulkId)).to.deep.equal(users.map(({ bulkId }) => bulkId));
    expect(await total()).to.equal(1000);
    expect(await read(idOf(outcomes[500] as Outcome))).to.include({ externalId: '500' });
  });

  it('is accepted in each coding, and answered in each media type', async () => {
    const { gzipSync } = await import('node:zlib');
    const body = gzipSync(JSON.stringify(bulkOf([post(aUser())])));
    const headers = { 'content-encoding': 'gzip', accept: 'application/json', 'accept-encoding': 'gzip' };
    const answer = await ask('/Bulk', { method: 'POST', body, headers });
    expect([answer.status, answer.headers.get('content-type')]).to.deep.equal([200, 'application/json']);
    const [outcome] = answer.json().Operations as readonly Outcome[];
    const made = await service.send(outcome?.location ?? '', { headers: { accept: 'application/json' } });
    expect(made.headers.get('etag')).to.equal(outcome?.version);
  });
});
