import { expect } from 'chai';
import { memoryStore } from '../../../../src/adapters/stores/memory/store.ts';
import { scopes } from '../../../../src/domain/scopes.ts';
import { type Json, publishedJson, publishedText, scim, validator } from '../../../support/contract.ts';
import { contractChecks } from '../../../support/contract-check.ts';
import type { Exchange } from '../../../support/exchanges.ts';
import { findFaults, type PublishedSchema } from '../../../support/scim-schemas.ts';
import { startService } from '../../../support/service.ts';
import { aUser, client, create, type Json as Members, nobody } from './scim-client.ts';

const path = '/scim/v2/openapi.json';
const document = await publishedJson(path);
const text = JSON.stringify(document);
const { Resources } = await publishedJson('/scim/v2/Schemas');
const schemas = Resources as unknown as readonly PublishedSchema[];
const enterprise = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User';
const own = 'urn:user-management:1:User';

const ajv = validator();
ajv.addSchema({ $id: 'https://contract.example/openapi', components: document.components });
const validate = (schema: unknown, value: unknown): string => {
  const absolute = JSON.stringify(schema).replaceAll('"#/', '"https://contract.example/openapi#/');
  const check = ajv.compile(JSON.parse(absolute));
  return check(value) ? '' : JSON.stringify(check.errors);
};
const named = (name: string) => ({ $ref: `#/components/schemas/${name}` });

interface Example {
  readonly place: string;
  readonly type: string;
  readonly schema: unknown;
  readonly value: unknown;
}

const entriesOf = (tree: Json | undefined): readonly (readonly [string, Json])[] =>
  Object.entries((tree ?? {}) as unknown as Readonly<Record<string, Json>>);

/** Everything in a document that is shown in a media type. */
function examplesIn(tree: unknown, place = '#'): readonly Example[] {
  if (typeof tree !== 'object' || tree === null) return [];
  return Object.entries(tree).flatMap(([name, inner]: [string, Json]) => {
    if (name !== 'content') return examplesIn(inner, `${place}/${name}`);
    return entriesOf(inner).flatMap(([type, { schema, examples }]) =>
      entriesOf(examples).map(([, { value }]) => ({ place, type, schema, value })),
    );
  });
}

describe('The OpenAPI document of the SCIM API', () => {
  it('names every route that can succeed, with its scope or as open, and every keyword of an error', () => {
    for (const { method, path: at, scope, answers } of scim.routes) {
      const operation = document.paths?.[at.replace(/:([a-z]+)/, '{$1}')]?.[method.toLowerCase()];
      if (answers.length === 0) expect(operation, at).to.equal(undefined);
      else {
        expect(operation?.operationId, `${method} ${at}`).to.be.a('string');
        expect(JSON.stringify(operation?.security)).to.equal(
          scope === undefined ? '[]' : `[{"bearer":["${scope}"]},{"basic":["${scope}"]}]`,
        );
      }
    }
    for (const scope of scopes) expect(text).to.include(`"bearer":["${scope}"]`);
    for (const code of Object.keys(scim.problems).filter((one) => one !== 'id-taken'))
      expect(text, code).to.include(`"${code}"`);
  });

  it('keeps our own keywords to itself, and names nothing by a URN', () => {
    for (const own of ['item', 'entry', 'must', 'scim', '~kind', '~optional'])
      expect(text).not.to.include(`"${own}":`);
    for (const name of Object.keys(document.components?.schemas ?? {}))
      expect(name).to.match(/^[A-Za-z0-9]+$/);
  });

  it('has examples that are what their schema says, in both media types', () => {
    const examples = examplesIn(document);
    expect(examples.length).to.be.above(100);
    expect([...new Set(examples.map(({ type }) => type))].sort()).to.deep.equal([
      'application/json',
      'application/scim+json',
    ]);
    for (const { place, type, schema, value } of examples)
      expect(validate(schema, value), `${place} ${type}`).to.equal('');
  });

  it('has examples of requests that are answered as it says', async () => {
    const service = await startService();
    const ask = client(service);
    for (const [at, item] of entriesOf(document.paths))
      for (const [method, { requestBody, responses }] of entriesOf(item)) {
        const sent = requestBody?.content?.['application/scim+json']?.examples?.example?.value;
        if (sent === undefined) continue;
        const { id } = await create(ask);
        const target = at.replace('/scim/v2', '').replace('{id}', id);
        const { status, text: told } = await ask(target, {
          method: method.toUpperCase(),
          body: { ...(sent as unknown as Members), ...(method === 'put' ? aUser() : {}) },
        });
        expect([Object.keys(responses ?? {})[0], String(status)], `${method} ${at}: ${told}`).to.deep.equal([
          String(status),
          String(status),
        ]);
        await service.send(`/scim/v2/Users/${id}`, { method: 'DELETE' });
      }
    await service.close();
  });

  it('is the same whatever is set, but for where the service stands', async () => {
    const service = await startService({ publicUrl: 'https://directory.example/here', basePath: '/v1' });
    const there = (await service.send('/v1/scim/v2/openapi.json', { anonymous: true })).json();
    const here = JSON.stringify(there.paths).replaceAll('https://directory.example/here/', '/');
    // Not compared by chai, which would take minutes to show how they differ.
    expect(here === JSON.stringify(document.paths)).to.equal(true);
    expect(there.servers).to.deep.equal([
      { url: 'https://directory.example/here', description: 'This service' },
    ]);
    await service.close();
  });
});

/** What identity providers send, or might: what the contract says of it is what becomes of it. */
const bodies: readonly [name: string, body: Members, taken?: boolean][] = [
  ['nothing but a name', {}, true],
  [
    'null for each of its members',
    { name: null, emails: null, active: null, title: null, [enterprise]: null, [own]: null },
    true,
  ],
  [
    'empty texts and lists',
    { name: '', emails: [], title: '', roles: '', [enterprise]: '', [own]: [] },
    true,
  ],
  [
    'objects of nothing',
    { name: {}, emails: [{}], [enterprise]: { manager: {} }, [own]: { attributes: [{}] } },
    true,
  ],
  ['items of nothing', { emails: [null, '', []], roles: [null, { display: '' }] }, true],
  [
    'values of nothing',
    { emails: [{ value: '', type: null, primary: null }], addresses: [{ locality: '' }] },
    true,
  ],
  ['what is read-only', { id: nobody, meta: { version: 1 }, groups: [{ value: 'x' }] }, true],
  ['bare texts', { emails: ['ada@example.com'], roles: ['x'], [enterprise]: { manager: 'x' } }, true],
  ['booleans in words', { active: 'False', emails: [{ value: 'ada@example.com', primary: 'TRUE' }] }, true],
  [
    'sub-attributes of roles',
    { roles: [{ value: 'x', display: 1, type: [], primary: 'x', $ref: {} }] },
    true,
  ],
  [
    'two roles that are one',
    {
      roles: [
        { value: 'x', type: 'a' },
        { value: 'x', type: 'b' },
      ],
    },
    true,
  ],
  ['attributes of an installation', { [own]: { attributes: [{ name: 'floor', value: '2' }] } }, true],
  ['a password', { password: 'secret' }, true],
  ['a number for a text', { title: 1 }],
  ['a boolean for a text', { title: true }],
  ['an empty text for a boolean', { active: '' }],
  ['an empty list for a boolean', { active: [] }],
  ['a word for a boolean', { active: 'yes' }],
  ['an object for a list', { emails: {} }],
  ['a text for a list', { emails: 'ada@example.com' }],
  ['a list for an object', { name: [{}] }],
  ['a text for a name', { name: 'Ada' }],
  ['an email without its value', { emails: [{ type: 'work' }] }],
  ['an email that is none', { emails: [{ value: 'x' }] }],
  [
    'two that are primary',
    {
      emails: [
        { value: 'a@b.c', primary: true },
        { value: 'd@e.f', primary: true },
      ],
    },
  ],
  ['a role without its value', { roles: [{ display: 'x' }] }],
  ['an own attribute without its value', { [own]: { attributes: [{ name: 'floor' }] } }],
  ['an own attribute as a bare text', { [own]: { attributes: ['floor'] } }],
  ['an own attribute with a bad name', { [own]: { attributes: [{ name: '1', value: 'x' }] } }],
  ['an unknown attribute', { shoeSize: '42' }],
  ['an unknown sub-attribute', { name: { shoeSize: '42' } }],
  ['an unknown attribute of an extension', { [enterprise]: { shoeSize: '42' } }],
  ['an unknown schema', { schemas: ['urn:ietf:params:scim:schemas:core:2.0:User', 'urn:x'] }],
  ['no schema', { schemas: [] }],
  ['an extension alone', { schemas: [enterprise] }],
  ['a control character', { title: 'a\u0001' }],
  ['a country in full', { addresses: [{ country: 'Netherlands' }] }],
  ['too long a text', { title: 'x'.repeat(257) }],
  ['too many items', { emails: Array.from({ length: 21 }, (_, index) => ({ value: `a${index}@b.c` })) }],
  ['no name', { userName: null }],
  ['an empty name', { userName: '' }],
];

describe('A user in the contract of the SCIM API', () => {
  for (const [name, more, taken = false] of bodies)
    it(`is ${taken ? 'taken' : 'refused'} with ${name}, by the schema and by the service`, async () => {
      const service = await startService({}, memoryStore());
      const body = aUser(more);
      const { status, text: told } = await client(service)('/Users', { method: 'POST', body });
      expect(status, told).to.equal(taken ? 201 : 400);
      expect(validate(named('UserInput'), body) === '', name).to.equal(taken);
      await service.close();
    });
});

describe('The check of SCIM answers against /Schemas', () => {
  const user = {
    schemas: ['urn:ietf:params:scim:schemas:core:2.0:User', enterprise],
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
    ['something in meta', { meta: { resourceType: 'Group' } }, /meta is not/],
  ];
  it('passes what is right, and what is no user', () => {
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

  it('is made where answers are held to the contract', async () => {
    const main = await publishedJson('/openapi.json');
    const check = contractChecks({ main, scim: document, schemas });
    const headers = {
      'Content-Type': 'application/scim+json',
      ETag: '"v.scim1"',
      'Last-Modified': 'Fri, 02 Jan 2026 03:04:06 GMT',
      'Cache-Control': 'private, no-cache',
      Vary: 'Accept',
      'X-Content-Type-Options': 'nosniff',
      'X-Request-Id': '7c9e6679-7425-40de-944b-e07fc1f90ae7',
    };
    const exchange = (body: unknown): Exchange => ({
      ...{ method: 'GET', target: `/v1/scim/v2/Users/${nobody}`, requestHeaders: [], httpVersion: '1.1' },
      ...{ status: 200, reason: 'OK', headers: Object.entries(headers) },
      body: Buffer.from(JSON.stringify(body)),
    });
    expect(check.check(exchange(user)).mistakes).to.deep.equal([]);
    expect(check.check(exchange({ ...user, x: 1 })).mistakes.join()).to.match(
      /additional.*,x stands in no schema/,
    );
    expect(check.check({ ...exchange(user), status: 404 }).mistakes.join()).to.match(/required property/);
  });
});

describe('The published text of the SCIM contract', () => {
  it('says in words what no schema can', async () => {
    const words = await publishedText(path);
    for (const said of [
      'any case of letters',
      'meta.version',
      'application/scim+json',
      '/scim/v2/Me',
      'users:delete',
    ])
      expect(words).to.include(said);
  });
});
