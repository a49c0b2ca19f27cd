import { expect } from 'chai';
import { publishedJson, scim } from '../../../support/contract.ts';
import { contractChecks } from '../../../support/contract-check.ts';
import type { Exchange } from '../../../support/exchanges.ts';
import { scimAnswers } from '../../../support/scim-answers.ts';
import { findFaults, type PublishedSchema } from '../../../support/scim-schemas.ts';
import { type Json as Members, nobody } from './scim-client.ts';

const { Resources } = await publishedJson('/scim/v2/Schemas');
const schemas = Resources as unknown as readonly PublishedSchema[];
const check = contractChecks({ main: await publishedJson('/openapi.json'), schemas });

const core = 'urn:ietf:params:scim:schemas:core:2.0:User';
const enterprise = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User';

describe('The check of SCIM answers against /Schemas', () => {
  const user = {
    schemas: [core, enterprise],
    ...{ id: nobody, userName: 'ada', active: true },
    emails: [{ value: 'ada@example.com', primary: true }],
    [enterprise]: { manager: { value: 'x' } },
  };
  const wrong: readonly [name: string, changes: Members, fault: RegExp][] = [
    ['no id', { id: undefined }, /id is not/],
    ['a name in other letters', { UserName: 'ada' }, /UserName stands in no schema/],
    ['an attribute of an extension at the top', { department: 'x' }, /department stands in no schema/],
    ['an extension that is not listed', { schemas: user.schemas.slice(0, 1) }, /not among the schemas/],
    ['a text for a boolean', { active: 'true' }, /active is not a boolean/],
    ['an empty text', { title: '' }, /title is no string/],
    ['an empty list', { emails: [] }, /emails is not a list/],
    ['an empty object', { name: {} }, /name\. is empty/],
    ['a bare text in a list', { roles: ['x'] }, /roles\[0\] is not an object/],
    ['null', { title: null }, /title is no string/],
    [
      'a sub-attribute that nobody knows',
      { emails: [{ value: 'x', x: 'y' }] },
      /emails\[0\]\.x stands in no schema/,
    ],
    ['two that are primary', { emails: [user.emails[0], user.emails[0]] }, /several that are primary/],
    ['something in meta', { meta: { resourceType: 'Book' } }, /meta is not/],
  ];
  it('accepts valid answers, and answers without a user', () => {
    expect(findFaults(user, schemas)).to.deep.equal([]);
    expect(findFaults({ schemas: ['urn:x'], Resources: [user] }, schemas)).to.deep.equal([]);
    expect(findFaults({ schemas: ['urn:x'] }, schemas)).to.deep.equal([]);
  });
  for (const [name, changes, fault] of wrong)
    it(`refuses ${name}`, () => {
      expect(findFaults({ ...user, ...changes }, schemas).join()).to.match(fault);
      expect(findFaults({ schemas: [], Resources: [{ ...user, ...changes }] }, schemas).join()).to.match(
        fault,
      );
    });
});

describe('The check of answers of the SCIM API', () => {
  const id = '7c9e6679-7425-40de-944b-e07fc1f90ae7';
  const location = `/scim/v2/Users/${id}`;
  const meta = { resourceType: 'User', version: '"v.scim1"', location };
  const ada = { schemas: [core], id, userName: 'ada', meta };
  const list = {
    schemas: ['urn:ietf:params:scim:api:messages:2.0:ListResponse'],
    ...{ totalResults: 1, startIndex: 1, itemsPerPage: 1, Resources: [ada] },
  };
  const error = {
    schemas: ['urn:ietf:params:scim:api:messages:2.0:Error'],
    ...{ status: '404', detail: 'There is no such user.' },
  };
  const fields = {
    'Content-Type': 'application/scim+json',
    'Cache-Control': 'private, no-cache',
    Vary: 'Accept',
    'X-Content-Type-Options': 'nosniff',
    'X-Request-Id': id,
  };
  const tags = { ETag: '"v.scim1"', 'Last-Modified': 'Fri, 02 Jan 2026 03:04:06 GMT' };

  type Fields = Readonly<Record<string, string | undefined>>;
  const answer = (target: string, body: unknown, more: Fields = {}, head: Partial<Exchange> = {}) => ({
    ...{ method: 'GET', target: `/scim/v2${target}`, requestHeaders: [], httpVersion: '1.1', status: 200 },
    reason: '',
    headers: Object.entries({ ...fields, ...more }).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, value] as const],
    ),
    body: body === undefined ? Buffer.alloc(0) : Buffer.from(JSON.stringify(body)),
    ...head,
  });
  const one = (changes: Members = {}, more: Fields = {}, head: Partial<Exchange> = {}) =>
    answer(`/Users/${id}`, { ...ada, ...changes }, { ...tags, ...more }, head);
  const many = (changes: Members = {}, more: Fields = {}) => answer('/Users', { ...list, ...changes }, more);
  const failed = (changes: Members = {}, more: Fields = {}, head: Partial<Exchange> = {}) =>
    answer(`/Users/${id}`, { ...error, ...changes }, more, { status: 404, ...head });
  const created = (more: Fields) =>
    answer('/Users', ada, { ...tags, Location: location, ...more }, { method: 'POST', status: 201 });
  const withGroups = { target: `/scim/v2/Users/${id}?attributes=userName,groups.value` };
  const refused = { status: '405', detail: 'No.' };

  const right: readonly [name: string, exchange: Exchange][] = [
    ['a user', one()],
    ['a user below a base path', one({}, {}, { target: `/v1/scim/v2/Users/${id}` })],
    ['a user who was created', created({})],
    ['a user who has not changed', answer(`/Users/${id}`, undefined, tags, { status: 304 })],
    ['a user with groups', one({}, { ETag: undefined, 'Last-Modified': undefined }, withGroups)],
    ['a list', many({}, { 'Content-Encoding': undefined })],
    ['an error', failed()],
    [
      'a method that is not there',
      failed(refused, { Allow: 'GET, OPTIONS' }, { method: 'POST', status: 405 }),
    ],
    ['no user who asks', failed({ status: '501' }, {}, { target: '/scim/v2/Me', status: 501 })],
    ['methods', answer('/Users', undefined, { Allow: 'GET, OPTIONS' }, { method: 'OPTIONS', status: 204 })],
  ];
  for (const [name, exchange] of right)
    it(`accepts ${name}`, () => {
      expect(check.check(exchange).mistakes).to.deep.equal([]);
    });

  const wrong: readonly [name: string, exchange: Exchange, mistake: RegExp][] = [
    [
      'a status that a route does not have',
      failed({ status: '409' }, {}, { status: 409 }),
      /409 is no answer/,
    ],
    ['another success', one({}, {}, { status: 201 }), /201 is no answer/],
    ['no ETag', one({}, { ETag: undefined }), /ETag is missing/],
    ['a weak ETag', one({ meta: {} }, { ETag: 'W/"v"' }), /ETag: .*pattern/],
    [
      'a tag that meta.version does not repeat',
      one({}, { ETag: '"w.scim1"' }),
      /meta.version is not the ETag/,
    ],
    ['no Last-Modified', one({}, { 'Last-Modified': undefined }), /Last-Modified is missing/],
    ['a tag of a user with groups', one({}, {}, withGroups), /ETag is not in the contract/],
    ['no Location', created({ Location: undefined }), /Location is missing/],
    ['another Location', created({ Location: '/x' }), /meta.location is not Location/],
    ['no Content-Type', one({}, { 'Content-Type': undefined }), /none is not in the contract/],
    ['another Content-Type', one({}, { 'Content-Type': 'text/plain' }), /text.plain is not/],
    [
      'an error as plain JSON',
      failed({}, { 'Content-Type': 'application/json' }),
      /json is not in the contract/,
    ],
    ['no Vary', one({}, { Vary: undefined }), /Vary is missing/],
    ['no X-Request-Id', one({}, { 'X-Request-Id': undefined }), /no X-Request-Id/],
    ['a field that is not there', one({}, { Server: 'x' }), /Server is not in the contract/],
    ['a user who is compressed', one({}, { 'Content-Encoding': 'identity' }), /Content-Encoding is not/],
    [
      '401 without a challenge',
      failed({ status: '401' }, {}, { status: 401 }),
      /WWW-Authenticate is missing/,
    ],
    ['503 without Retry-After', failed({ status: '503' }, {}, { status: 503 }), /Retry-After is missing/],
    ['405 without Allow', failed(refused, {}, { method: 'POST', status: 405 }), /405 without Allow/],
    [
      'OPTIONS without Allow',
      answer('/Users', undefined, {}, { method: 'OPTIONS', status: 204 }),
      /without Allow/,
    ],
    ['a body at 304', one({}, {}, { status: 304 }), /has a body/],
    ['a body to HEAD', one({}, {}, { method: 'HEAD' }), /has a body, to HEAD/],
    [
      'a body after a DELETE',
      one({}, { ...{ ETag: undefined, 'Last-Modified': undefined } }, { method: 'DELETE', status: 204 }),
      /has a body/,
    ],
    ['200 where there is nothing', answer('/Books', list), /200 where there is nothing/],
    ['a user with a member of no schema', one({ x: 1 }), /x stands in no schema/],
    [
      'a user in a list with a member of no schema',
      many({ Resources: [{ ...ada, x: 1 }] }),
      /x stands in no/,
    ],
    ['meta with a member of no schema', one({ meta: { ...meta, x: 1 } }), /meta is not/],
    ['a list with an unknown member', many({ x: 1 }), /additional properties/],
    ['a list without Resources', many({ Resources: undefined }), /required property 'Resources'/],
    ['a list that counts wrong', many({ itemsPerPage: 2 }), /itemsPerPage is not/],
    ['an error with an unknown member', failed({ x: 1 }), /additional properties/],
    ['an error without its schema', failed({ schemas: ['urn:x'] }), /equal to one of the allowed values/],
    ['an error of another status', failed({ status: '409' }), /the error says 409, not 404/],
    ['a keyword of another status', failed({ scimType: 'uniqueness' }), /uniqueness is no keyword of 404/],
    [
      'a user in the place of an error',
      answer(`/Users/${id}`, ada, {}, { status: 404 }),
      /required property/,
    ],
    [
      'an outcome with an unknown member',
      answer(
        '/Bulk',
        {
          schemas: ['urn:ietf:params:scim:api:messages:2.0:BulkResponse'],
          Operations: [{ method: 'POST', status: '201', x: 1 }],
        },
        {},
        { method: 'POST' },
      ),
      /additional properties/,
    ],
    ['a document of discovery that says nothing', answer('/ServiceProviderConfig', {}), /required property/],
  ];
  for (const [name, exchange, mistake] of wrong)
    it(`refuses ${name}`, () => {
      expect(check.check(exchange).mistakes.join()).to.match(mistake);
    });

  it('has a row with the scope for each route that can succeed, and no others', () => {
    const rows = scimAnswers.map(({ method, path, scope }) => [method, path, scope].join(' '));
    const routes = scim.routes
      .filter(({ path }) => path !== '/scim/v2/Me')
      .map(({ method, path, scope }) =>
        [method, path.replace('/scim/v2', '').replace(/:([a-z]+)/, '{$1}'), scope].join(' '),
      );
    expect(rows.sort()).to.deep.equal(routes.sort());
  });
});
