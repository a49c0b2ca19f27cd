import { expect } from 'chai';
import fc from 'fast-check';
import { declarations, startDeclared } from '../../../support/declared.ts';
import { runs } from '../../../support/runs.ts';
import type { TestService } from '../../../support/service.ts';
import {
  type Ask,
  aUser,
  bulk,
  client,
  create,
  expectError,
  type Json,
  nobody,
  patchOf,
} from './scim-client.ts';

const own = 'urn:user-management:1:User';
const acme = 'urn:acme:scim:1:Person';

const shown = {
  badge: 42,
  hired: '2024-02-29',
  costCentre: 'NL12',
  level: 'senior',
  remote: true,
  sites: [{ value: 'Oslo' }, { value: 'Bergen' }],
  rate: 1.5,
  seen: '2026-01-02T03:04:05.000Z',
  scores: [{ value: 3 }, { value: -1 }],
  room: 'B2',
  attributes: [{ name: 'floor', value: '2' }],
};
const { room, ...inOwn } = shown;
const resource = { [own]: inOwn, [acme]: { roomNumber: room } };
const stored = {
  ...shown,
  sites: ['Oslo', 'Bergen'],
  scores: [3, -1],
  attributes: undefined,
  floor: '2',
};

const anyText = fc.oneof(
  fc.string({ unit: 'grapheme', minLength: 1, maxLength: 30 }),
  fc.constantFrom('{"value":"x"}', '["x"]', '42', 'True', ' ', 'ΣΊΣΥΦΟΣ', '{not JSON'),
);
const anyDate = fc.date({ min: new Date('0001-01-01'), max: new Date('9999-12-31'), noInvalidDate: true });
const listOf = <T>(values: fc.Arbitrary<T>) => fc.uniqueArray(values, { minLength: 1, maxLength: 5 });
const isLine = (text: string): boolean => !/[\r\n]/.test(text);

const anyAttributes = fc.record(
  {
    badge: fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER }),
    hired: anyDate.map((date) => date.toISOString().slice(0, 10)),
    costCentre: fc.constantFrom('NL1', 'DE0042'),
    level: fc.constantFrom('junior', 'senior'),
    remote: fc.boolean(),
    sites: listOf(anyText.filter(isLine)),
    rate: fc.tuple(fc.nat(2 ** 40), fc.nat(6)).map(([digits, places]) => digits / 10 ** places),
    seen: anyDate.map((date) => date.toISOString()),
    scores: listOf(fc.maxSafeInteger()),
    room: anyText,
    floor: anyText,
    constructor: anyText,
  },
  { requiredKeys: [] },
);

describe('Attributes that the installation declares, in SCIM,', () => {
  let service: TestService;
  let ask: Ask;
  beforeEach(async () => {
    service = await startDeclared({
      attributes: {
        ...declarations.attributes,
        room: {
          type: 'string',
          unique: true,
          scim: `${acme}:roomNumber`,
          description: 'Where to find the user.',
        },
      },
    });
    ask = client(service);
  });
  afterEach(() => service.close());

  const inJson = async (id: string): Promise<unknown> =>
    (await service.send(`/users/${id}`)).json().attributes;
  const write = async (method: 'PUT' | 'PATCH', id: string, body: Json): Promise<Json> => {
    const answer = await ask(`/Users/${id}`, { method, body });
    expect(answer.status, answer.text).to.equal(200);
    return answer.json();
  };
  const patch = (id: string, ...operations: Json[]) => write('PATCH', id, patchOf(...operations));
  const ofOwn = (answer: Json) => answer[own] as Json | undefined;

  it('are separate attributes in the extension or at the declared URN, each with its type', async () => {
    const { id } = await create(ask, resource);
    const answer = (await ask(`/Users/${id}`)).json();
    expect(answer[own]).to.deep.equal(resource[own]);
    expect(answer[acme]).to.deep.equal(resource[acme]);
    expect(answer.schemas).to.include.members([own, acme]);
    expect(await inJson(id)).to.deep.equal(JSON.parse(JSON.stringify(stored)));
    const part = await ask(`/Users/${id}?attributes=${own}:badge,sites,${acme}`);
    expect(part.json()[own]).to.deep.equal({ badge: 42, sites: shown.sites });
    expect(part.json()[acme]).to.deep.equal(resource[acme]);
  });

  it('are in /Schemas and /ResourceTypes with what their declaration says', async () => {
    const schemaOf = async (urn: string) =>
      (await ask(`/Schemas/${urn}`)).json().attributes as readonly Json[];
    const attributes = await schemaOf(own);
    expect(attributes.map(({ name, type, multiValued }) => `${name} ${type} ${multiValued}`)).to.deep.equal([
      'badge integer false',
      'hired string false',
      'costCentre string false',
      'level string false',
      'remote boolean false',
      'sites complex true',
      'mentor string false',
      'rate decimal false',
      'seen dateTime false',
      'scores complex true',
      'attributes complex true',
      'validFrom dateTime false',
      'validUntil dateTime false',
    ]);
    const value = { multiValued: false, caseExact: false, mutability: 'readWrite', returned: 'default' };
    expect(attributes[0]).to.deep.equal({
      ...{
        ...value,
        name: 'badge',
        type: 'integer',
        description: 'Badge. Unique: no two have the same value.',
      },
      ...{ required: false, uniqueness: 'server' },
    });
    expect(attributes[3]?.canonicalValues).to.deep.equal(['junior', 'senior', 'principal']);
    expect(attributes[9]?.subAttributes).to.deep.equal([
      {
        ...{ ...value, name: 'value', type: 'integer', description: 'The value.' },
        ...{ required: true, uniqueness: 'none' },
      },
    ]);
    expect(await schemaOf(acme)).to.deep.equal([
      {
        ...{ ...value, name: 'roomNumber', type: 'string', required: false, uniqueness: 'server' },
        description: 'Where to find the user. Unique: no two have the same value.',
      },
    ]);
    const type = (await ask('/ResourceTypes/User')).json();
    expect(type.schemaExtensions).to.deep.include({ schema: acme, required: false });
  });

  it('are accepted as texts, by short names, in any case, and with the URN in front', async () => {
    const { id } = await create(ask, {
      BADGE: ' +042',
      remote: 'True',
      sites: ['Oslo'],
      scores: [3, '-01'],
      [`${own}:rate`]: '1.50',
      roomNumber: 'B2',
      [own]: { seen: '2026-01-02T04:04:05+01:00', hired: '' },
    });
    expect(await inJson(id)).to.deep.equal({
      ...{ badge: 42, remote: true, sites: ['Oslo'], scores: [3, -1], rate: 1.5, room: 'B2' },
      seen: '2026-01-02T03:04:05.000Z',
    });
  });

  it('are accepted in the list of undeclared ones, but not in both places at once', async () => {
    const attributes = [
      { name: 'badge', value: '42' },
      { name: 'sites', value: 'Oslo\nBergen' },
      { name: 'room', value: 'B2' },
      { name: 'floor', value: '2' },
    ];
    const { id } = await create(ask, { [own]: { attributes } });
    expect(await inJson(id)).to.deep.equal({ badge: 42, sites: ['Oslo', 'Bergen'], room: 'B2', floor: '2' });
    for (const both of [
      { [own]: { badge: 43, attributes } },
      { [own]: { attributes }, [acme]: { roomNumber: 'B3' } },
    ]) {
      const refused = await ask('/Users', { method: 'POST', body: aUser(both) });
      expect(expectError(refused, 400, 'invalidValue')).to.equal(
        `${own}:attributes must not have two values of one name.`,
      );
    }
    const again = await patch(
      id,
      { op: 'replace', path: `${own}:attributes[name eq "badge"].value`, value: '43' },
      { op: 'remove', path: `${own}:attributes[name eq "sites"]` },
      {
        op: 'add',
        path: `${own}:attributes`,
        value: [
          { name: 'scores', value: '1\n2' },
          { name: 'wing', value: 'w' },
        ],
      },
      { op: 'add', path: `${own}:attributes[name eq "remote"].value`, value: 'true' },
    );
    const list = [
      { name: 'floor', value: '2' },
      { name: 'wing', value: 'w' },
    ];
    expect(again[own]).to.deep.equal({
      ...{ badge: 43, remote: true, scores: [{ value: 1 }, { value: 2 }] },
      attributes: list,
    });
    const wrong = await ask(`/Users/${id}`, {
      method: 'PATCH',
      body: patchOf({ op: 'add', path: `${own}:attributes`, value: [{ name: 'badge', value: 'many' }] }),
    });
    expect(expectError(wrong, 400, 'invalidValue')).to.equal(`${own}:badge must be a whole number.`);
    const removed = await patch(
      id,
      { op: 'remove', path: `${own}:attributes`, value: [{ name: 'badge' }] },
      { op: 'remove', path: `${own}:attributes` },
    );
    expect(removed[own]).to.deep.equal({ remote: true, scores: [{ value: 1 }, { value: 2 }] });
  });

  it('stay after a PUT without their extension, and are removed by a PUT whose extension omits them', async () => {
    const { id } = await create(ask, resource);
    const first = await write('PUT', id, aUser());
    expect([first[own], first[acme]]).to.deep.equal([resource[own], resource[acme]]);
    const second = await write('PUT', id, aUser({ [acme]: { roomNumber: 'B3' } }));
    expect([second[own], second[acme]]).to.deep.equal([resource[own], { roomNumber: 'B3' }]);
    const third = await write('PUT', id, aUser({ [own]: { badge: 7 } }));
    expect([third[own], third[acme]]).to.deep.equal([{ badge: 7 }, { roomNumber: 'B3' }]);
    const fourth = await write('PUT', id, aUser({ [acme]: {}, [own]: {} }));
    expect([fourth[own], fourth[acme]]).to.deep.equal([undefined, undefined]);
  });

  it('change by PATCH, with the URN or a short name, and items of lists by value paths', async () => {
    const { id, etag } = await create(ask, resource);
    const same = await ask(`/Users/${id}`, {
      method: 'PATCH',
      body: patchOf(
        { op: 'replace', path: 'badge', value: '42' },
        { op: 'add', path: 'scores', value: ['3'] },
      ),
    });
    expect(same.headers.get('etag')).to.equal(etag);
    const changed = await patch(
      id,
      { op: 'replace', path: `${own}:badge`, value: 43 },
      { op: 'Replace', path: 'remote', value: 'False' },
      { op: 'remove', path: 'hired' },
      { op: 'add', value: { level: 'junior', [`${own}:rate`]: '2', [acme]: { roomNumber: 'C1' } } },
      { op: 'add', path: 'sites', value: [{ value: 'Rome' }] },
      { op: 'replace', path: 'sites[value eq "OSLO"].value', value: 'Bonn' },
      { op: 'remove', path: 'scores[value lt 0]' },
      { op: 'add', path: `${own}:scores`, value: 7 },
    );
    expect(changed[own]).to.deep.equal({
      ...{ badge: 43, costCentre: 'NL12', level: 'junior', remote: false, rate: 2, seen: shown.seen },
      sites: [{ value: 'Bonn' }, { value: 'Bergen' }, { value: 'Rome' }],
      scores: [{ value: 3 }, { value: 7 }],
      attributes: shown.attributes,
    });
    expect(changed[acme]).to.deep.equal({ roomNumber: 'C1' });
    const [done] = await bulk(ask, [
      {
        ...{ method: 'PATCH', path: `/Users/${id}` },
        data: patchOf(
          { op: 'remove', path: 'sites', value: ['bonn'] },
          { op: 'replace', path: 'badge', value: 44 },
        ),
      },
    ]);
    expect(done?.status).to.equal('200');
    const after = ofOwn((await ask(`/Users/${id}`)).json());
    expect(after).to.deep.include({ badge: 44, sites: [{ value: 'Bergen' }, { value: 'Rome' }] });
  });

  it('stay unchanged when an operation replaces a sub-attribute of all undeclared attributes', async () => {
    const { id } = await create(ask, { [own]: { badge: 7, attributes: [{ name: 'kept', value: 'a' }] } });
    for (const part of ['value', 'name']) {
      const body = patchOf({ op: 'replace', path: `${own}:attributes.${part}`, value: 'b' });
      const { status } = await ask(`/Users/${id}`, { method: 'PATCH', body });
      expect(status, part).to.be.oneOf([200, 400]);
    }
    expect(await inJson(id)).to.include({ badge: 7 });
  });

  it('that one operation sets to objects are replaced by the texts of the next operation', async () => {
    const { id } = await create(ask, {});
    const value = { toString: 1 };
    for (const [name, given] of Object.entries({ sites: [{ value }], costCentre: value })) {
      const body = patchOf(
        { op: 'replace', path: `${own}:${name}`, value: given },
        { op: 'add', path: `${own}:attributes`, value: [{ name, value: 'NL1' }] },
      );
      expect((await ask(`/Users/${id}`, { method: 'PATCH', body })).status).to.equal(200);
    }
    expect(await inJson(id)).to.deep.include({ sites: ['NL1'], costCentre: 'NL1' });
  });

  it('are the same in JSON after a client of SCIM has read and written any user', async () => {
    const post = async (path: string, body: object) => {
      const answer = await service.send(path, {
        ...{ method: 'POST', body: JSON.stringify(body) },
        headers: { 'Content-Type': path === '/users' ? 'application/json' : 'application/scim+json' },
      });
      return { status: answer.status, text: answer.text, id: answer.status === 201 ? answer.json().id : '' };
    };
    await fc.assert(
      fc.asyncProperty(anyAttributes, async (attributes) => {
        const made = await post('/users', {
          userName: 'ada',
          ...(Object.keys(attributes).length > 0 && { attributes }),
        });
        // A text that is not allowed, such as an unassigned character.
        fc.pre(made.status === 201);
        const { id } = made;
        const before = await inJson(id);
        const { meta, ...body } = (await ask(`/Users/${id}`)).json();
        expect((await ask(`/Users/${id}`, { method: 'PUT', body })).status).to.equal(200);
        expect(await inJson(id)).to.deep.equal(before);
        await service.send(`/users/${id}`, { method: 'DELETE' });
        const copied = await post('/scim/v2/Users', body);
        expect(copied.status, copied.text).to.equal(201);
        expect(await inJson(copied.id)).to.deep.equal(before);
        await service.send(`/users/${copied.id}`, { method: 'DELETE' });
      }),
      { numRuns: runs(200) },
    );
  });

  it('must refer to existing users and be unique; errors have the keywords of SCIM', async () => {
    const { id } = await create(ask, { badge: 1, roomNumber: 'A' });
    const { id: other } = await create(ask, { mentor: id.toUpperCase(), badge: 2, roomNumber: 'B' });
    expect(await inJson(other)).to.deep.include({ mentor: id });
    const found = await ask(`/Users?filter=mentor%20eq%20"${id}"`);
    expect((found.json().Resources as readonly Json[]).map((one) => one.id)).to.deep.equal([other]);
    const wrong = await ask('/Users', { method: 'POST', body: aUser({ mentor: nobody }) });
    expect(expectError(wrong, 400, 'invalidValue')).to.include(`${own}:mentor `);
    for (const taken of [{ badge: '01' }, { [acme]: { roomNumber: 'a' } }]) {
      expectError(await ask('/Users', { method: 'POST', body: aUser(taken) }), 409, 'uniqueness');
      const body = patchOf({ op: 'add', value: taken });
      expectError(await ask(`/Users/${other}`, { method: 'PATCH', body }), 409, 'uniqueness');
    }
    const [outcome] = await bulk(ask, [
      { method: 'POST', path: '/Users', bulkId: 'x', data: aUser({ badge: 1 }) },
    ]);
    expect(outcome?.response?.scimType).to.equal('uniqueness');
  });

  it('take and free unique values in a Bulk in the order of its operations', async () => {
    const { id: ada } = await create(ask, { badge: 1, mentor: undefined });
    const { id: ben } = await create(ask, { badge: 2 });
    const patch = (id: string, operation: Json): Json => ({
      ...{ method: 'PATCH', path: `/Users/${id}`, data: patchOf(operation) },
    });
    const post = (members: Json): Json => ({ method: 'POST', path: '/Users', data: aUser(members) });
    const statusesOf = async (...operations: readonly Json[]) =>
      (await bulk(ask, operations)).map(({ status }) => status);
    const remove = { op: 'remove', path: `${own}:badge` };
    expect(await statusesOf(patch(ada, remove), post({ badge: 1 }))).to.deep.equal(['200', '201']);
    const take = { op: 'add', path: `${own}:attributes`, value: [{ name: 'badge', value: '2' }] };
    expect(await statusesOf(patch(ada, take), { method: 'DELETE', path: `/Users/${ben}` })).to.deep.equal([
      '409',
      '204',
    ]);
    expect(await statusesOf(patch(ada, { op: 'remove', path: own }), post({ badge: 2 }))).to.deep.equal([
      '200',
      '201',
    ]);
    const same: readonly (readonly [Json, Json])[] = [
      [{ badge: 7 }, { [own]: { badge: '07' } }],
      [{ [acme]: { roomNumber: 'C' } }, { roomNumber: 'c' }],
      [{ badge: 8 }, { [own]: { attributes: [{ name: 'badge', value: '8' }] } }],
    ];
    for (const [one, other] of same)
      expect(await statusesOf(post({ ...one, mentor: ada }), post(other))).to.deep.equal(['201', '409']);
  });

  it('are refused with invalidValue, the SCIM path and the reason', async () => {
    const wrong = [
      [{ badge: 0 }, ':badge must be at least 1'],
      [{ badge: 'many' }, ':badge must be a whole number'],
      [{ badge: 1.5 }, ':badge must be a whole number'],
      [{ badge: true }, ':badge must be a whole number'],
      [{ hired: '2023-02-29' }, ':hired must be a date such as 2026-01-31'],
      [{ hired: 2023 }, ':hired must be a string'],
      [{ level: 'boss' }, ':level must be one of junior, senior, principal'],
      [{ remote: 'perhaps' }, ':remote must be true or false, in lower case and without quotes'],
      [{ rate: -1 }, ':rate must be at least 0'],
      [{ sites: 'Oslo' }, ':sites must be a list'],
      [{ scores: [1, 'x'] }, ':scores[1].value must be a whole number'],
      [{ scores: [{ display: 'x' }] }, ':scores[0].value is required'],
      [{ costCentre: 7 }, ':costCentre must be a string'],
      [
        { attributes: [{ name: 'Badge', value: '1' }] },
        ':attributes[name eq "Badge"].value is not known here (perhaps badge)',
      ],
    ] as const;
    for (const [members, reason] of wrong) {
      const answer = await ask('/Users', { method: 'POST', body: aUser({ [own]: members }) });
      expect(expectError(answer, 400, 'invalidValue')).to.equal(`${own}${reason}.`);
    }
    const long = await ask('/Users', {
      method: 'POST',
      body: aUser({ [acme]: { roomNumber: 'x'.repeat(1025) } }),
    });
    expect(expectError(long, 400, 'invalidValue')).to.equal(
      `${acme}:roomNumber must have at most 1024 characters.`,
    );
  });

  it('have the same form when undeclared attributes are refused', async () => {
    const strict = await startDeclared({ ...declarations, undeclared: 'refuse' });
    try {
      const { id } = await create(client(strict), { badge: 42 });
      expect((await client(strict)(`/Users/${id}`)).json()[own]).to.deep.equal({ badge: 42 });
      const body = aUser({ [own]: { attributes: [{ name: 'floor', value: '2' }] } });
      const refused = await client(strict)('/Users', { method: 'POST', body });
      expect(expectError(refused, 400, 'invalidValue')).to.equal(
        `${own}:attributes[name eq "floor"].value is not known here.`,
      );
    } finally {
      await strict.close();
    }
  });
});

describe('A declaration', () => {
  for (const scim of [
    'urn:ietf:params:scim:schemas:core:2.0:User:badge',
    'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User:badge',
    `${own}:VALIDFROM`,
    `${own}:schemas`,
    'urn:User-Management:1:User:badge',
  ])
    it(`can't place an attribute at ${scim} in SCIM`, async () => {
      const start = () =>
        startDeclared({ attributes: { badge: { type: 'integer', scim }, other: { type: 'date' } } });
      const fault = await start().then(
        () => undefined,
        (error: unknown) => error,
      );
      expect(String(fault)).to.include('in SCIM: choose another name');
    });
});
