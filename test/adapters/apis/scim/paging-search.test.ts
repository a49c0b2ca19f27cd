import { expect } from 'chai';
import { faultIn, idsOf, type Lists, listIn, onEachStore, pathOf, startLists } from './lists.ts';
import { meanings, someone } from './people.ts';

const people = someone(130);
const searchUrn = 'urn:ietf:params:scim:api:messages:2.0:SearchRequest';
const paths = ['/scim/v2/Users/.search', '/scim/v2/.search'];

/** As they stand in an address, and in a body. */
const queries: readonly (readonly [string, Readonly<Record<string, unknown>>])[] = [
  ['', {}],
  ['count=0', { count: 0 }],
  ['count=-1', { count: -1 }],
  ['startIndex=3&count=2', { startIndex: 3, count: 2 }],
  ['startIndex=3&count=2', { STARTINDEX: '3', Count: '2' }],
  ['startIndex=0', { startIndex: 0, cursor: null }],
  ['startIndex=131', { startIndex: 131 }],
  ['sortBy=displayName&sortOrder=descending', { sortBy: 'displayName', sortOrder: 'descending' }],
  ['cursor=&count=3', { cursor: '', count: 3 }],
  ['cursor=&count=3&sortBy=meta.created', { cursor: '', count: 3, sortBy: 'meta.created' }],
  ['attributes=userName,emails.type&count=2', { attributes: ['userName', 'emails.type'], count: 2 }],
  ['attributes=userName,emails.type&count=2', { attributes: 'userName,emails.type', count: 2 }],
  ['excludedAttributes=emails,meta&count=2', { excludedAttributes: ['emails', 'meta'], count: 2 }],
  ...Object.keys(meanings).map(
    (filter) =>
      [
        new URLSearchParams({ filter, startIndex: '2', count: '5' }).toString(),
        { filter, startIndex: 2, count: 5 },
      ] as const,
  ),
  ['count=a', { count: 'a' }],
  ['sortBy=title', { sortBy: 'title' }],
  ['filter=title+has+%22x%22', { filter: 'title has "x"' }],
  ['cursor=AAAA', { cursor: 'AAAA' }],
];

/** Bodies, and what they are told. */
const refusals: readonly (readonly [string, scimType: string | undefined, detail: RegExp])[] = [
  [
    '{"schemas":["urn:ietf:params:scim:api:messages:2.0:PatchOp"]}',
    'invalidSyntax',
    /^schemas has that of a PatchOp: send \["urn:ietf:params:scim:api:messages:2\.0:SearchRequest"\]/,
  ],
  ['{"schemas":[1]}', 'invalidSyntax', /^schemas must be a list of URNs/],
  [
    `{"schemas":["${searchUrn}"],"limit":1}`,
    'invalidSyntax',
    /no member "limit" \(there are schemas, filter, sortBy/,
  ],
  [`{"schemas":["${searchUrn}"],"count":1,"Count":2}`, 'invalidSyntax', /^count occurs more than once/],
  [`{"schemas":["${searchUrn}"],"count":1.5}`, 'invalidCount', /^count must be a whole number/],
  [`{"schemas":["${searchUrn}"],"count":true}`, 'invalidCount', /^count must be a whole number/],
  [`{"schemas":["${searchUrn}"],"startIndex":[1]}`, 'invalidValue', /^startIndex must be a whole number/],
  [`{"schemas":["${searchUrn}"],"filter":["a"]}`, 'invalidValue', /^filter must be a text/],
  [`{"schemas":["${searchUrn}"],"sortBy":{}}`, 'invalidValue', /^sortBy must be a text/],
  [`{"schemas":["${searchUrn}"],"cursor":1}`, 'invalidValue', /^cursor must be a text/],
  [`{"schemas":["${searchUrn}"],"attributes":[1]}`, 'invalidValue', /^attributes must be names/],
  [`{"schemas":["${searchUrn}"],"__proto__":{"count":1}}`, 'invalidSyntax', /no member "__proto__"/],
  [
    `{"schemas":["${searchUrn}"],"Schemas":["${searchUrn}"]}`,
    'invalidSyntax',
    /^schemas occurs more than once/,
  ],
  ['[]', 'invalidSyntax', /./],
  ['null', 'invalidSyntax', /./],
  ['"x"', 'invalidSyntax', /./],
  ['{"schemas":', 'invalidSyntax', /./],
  ['', 'invalidSyntax', /./],
];

onEachStore('A .search', (open) => {
  let lists: Lists;
  before(async () => {
    lists = await startLists(await open(), people);
  });
  after(() => lists.discard());

  const search = (path: string, body: string, type = 'application/scim+json') =>
    lists.service.send(path, { method: 'POST', headers: { 'content-type': type }, body });

  it('returns what the same query in a URL returns, on both paths', async () => {
    for (const [query, members] of queries) {
      const wanted = await lists.service.send(pathOf(query));
      for (const path of paths) {
        const got = await search(path, JSON.stringify({ schemas: [searchUrn], ...members }));
        expect([got.status, got.text], query).to.deep.equal([wanted.status, wanted.text]);
        expect(got.headers.get('content-type')).to.equal('application/scim+json');
      }
    }
  });

  it('is accepted as plain JSON, and refused if its URL has a parameter', async () => {
    const body = JSON.stringify({ schemas: [searchUrn], count: 1 });
    for (const path of paths) {
      const got = await search(path, body, 'application/json; charset=utf-8');
      expect(idsOf(listIn(got)), path).to.have.length(1);
      const { status, text } = await search(`${path}?count=2`, body);
      expect([status, JSON.parse(text).scimType], path).to.deep.equal([400, 'invalidValue']);
    }
  });

  it('is accepted with `schemas` in any case of letters, as a single URN, and without it', async () => {
    for (const path of paths)
      for (const schemas of [{ SCHEMAS: [searchUrn] }, { schemas: searchUrn }, { schemas: [] }, {}]) {
        const got = await search(path, JSON.stringify({ ...schemas, count: 1 }));
        expect(idsOf(listIn(got)), path).to.have.length(1);
      }
  });

  it('is refused with the reason if its body is malformed', async () => {
    for (const [body, scimType, detail] of refusals)
      for (const path of paths) {
        const fault = faultIn(await search(path, body));
        expect(fault.scimType, body).to.equal(scimType);
        expect(fault.detail, body).to.match(detail);
      }
  });
});
