import { expect } from 'chai';
import { basePath, bookUrn, shelfUrn, startLibrary } from './books.ts';
import { type Ask, base, bulkOf, client, expectError, type Json, patchOf } from './scim-client.ts';

const titles = Array.from({ length: 25 }, (_, at) => `${'MIDDLEMARCH'.charAt(at % 11)}${at} of the Sea`);
const bookAt = (at: number): Json => ({
  ...{ schemas: [bookUrn, shelfUrn], title: titles[at], isbn: `ISBN-${at}`, isLent: at % 2 === 0 },
  authors: [{ value: `Author ${at % 3}` }],
  [shelfUrn]: { room: `Room ${9 - (at % 10)}` },
});

describe('Another kind of resource in SCIM', () => {
  let ask: Ask;
  let close: () => Promise<void>;
  const ids: string[] = [];

  before(async () => {
    const service = await startLibrary();
    close = () => service.close();
    const send = client(service, `${basePath}${base}`);
    const all = ['books:write', 'books:delete', 'users:read'];
    ask = (path, asked) => send(path, { scopes: all, ...asked });
    for (const at of titles.keys()) {
      const made = await ask('/Books', { method: 'POST', body: bookAt(at) });
      expect(made.status, made.text).to.equal(201);
      ids.push(made.json().id);
    }
  });
  after(() => close());

  const found = async (query: Readonly<Record<string, string>>) => {
    const answer = await ask(`/Books?${new URLSearchParams(query)}`);
    expect(answer.status, answer.text).to.equal(200);
    return JSON.parse(answer.text);
  };
  const titlesOf = ({ Resources }: { Resources: readonly { title: string }[] }) =>
    Resources.map(({ title }) => title);

  it('is read at its endpoint, under its name and schemas', async () => {
    const answer = await ask(`/Books/${ids[3]}`);
    const { meta, ...book } = answer.json();
    expect(book).to.deep.equal({ id: ids[3], ...bookAt(3) });
    const location = `${basePath}${base}/Books/${ids[3]}`;
    expect(meta).to.deep.include({ resourceType: 'Book', location, version: answer.headers.get('etag') });
    const held = { 'if-none-match': answer.headers.get('etag') ?? '' };
    expect((await ask(`/Books/${ids[3]}`, { headers: held })).status).to.equal(304);
    expectError(await ask(`/Users/${ids[3]}`), 404);
    expect(expectError(await ask('/Books/nothing'), 404)).to.include('no such book');
  });

  it('is found by filters with and without an index', async () => {
    for (const [filter, isFound] of [
      ['title eq "m0 OF the sea"', (at) => at === 0],
      ['isbn eq "ISBN-7"', (at) => at === 7],
      ['isbn eq "isbn-7"', () => false],
      ['title sw "d"', (at) => titles[at]?.startsWith('D') === true],
      ['title co "2 OF"', (at) => at % 10 === 2],
      ['isLent eq true and authors eq "author 1"', (at) => at % 2 === 0 && at % 3 === 1],
      [`${shelfUrn}:room eq "room 9"`, (at) => at % 10 === 0],
    ] as readonly (readonly [string, (at: number) => boolean])[]) {
      const list = await found({ filter });
      expect(titlesOf(list).sort(), filter).to.deep.equal(titles.filter((_, at) => isFound(at)).sort());
      expect(list.totalResults, filter).to.equal(list.Resources.length);
    }
    expectError(await ask('/Books?filter=userName%20eq%20"ada"'), 400, 'invalidFilter');
  });

  it('can be sorted, and shown in part', async () => {
    const list = await found({ sortBy: 'title', sortOrder: 'descending', attributes: 'title', count: '3' });
    const wanted = [...titles].sort().reverse().slice(0, 3);
    expect(list.Resources.map(({ schemas, id, ...rest }: Json) => rest)).to.deep.equal(
      wanted.map((title) => ({ title })),
    );
    const byRoom = await found({ sortBy: `${shelfUrn}:room`, excludedAttributes: 'isbn,authors' });
    const rooms = byRoom.Resources.map((book: Json) => (book[shelfUrn] as Json).room);
    expect(rooms).to.deep.equal([...rooms].sort());
    expect(byRoom.Resources[0]).to.not.have.any.keys('isbn', 'authors');
    const refused = expectError(await ask('/Books?sortBy=userName'), 400, 'invalidValue');
    expect(refused).to.include('id, title, room,');
    expect((await found({ sortBy: 'room' })).totalResults).to.equal(25);
  });

  for (const filter of [undefined, 'title co "sea"'])
    it(`has pages by index and by cursor${filter ? ', with a filter that examines each resource' : ''}`, async () => {
      const query = { count: '7', sortBy: 'title', ...(filter && { filter }) };
      const wanted = [...titles].sort();
      const page = await found({ ...query, startIndex: '8' });
      expect([page.totalResults, titlesOf(page)]).to.deep.equal([25, wanted.slice(7, 14)]);
      const met: string[] = [];
      let previous: string | undefined;
      for (let cursor: string | undefined = ''; cursor !== undefined; ) {
        const { nextCursor, previousCursor, ...next } = await found({ ...query, cursor });
        met.push(...titlesOf(next));
        [cursor, previous] = [nextCursor, previousCursor];
      }
      expect(met).to.deep.equal(wanted);
      const back = await found({ ...query, cursor: previous ?? '' });
      expect(titlesOf(back)).to.deep.equal(wanted.slice(14, 21));
    });

  it('can be searched by POST', async () => {
    const body = {
      schemas: ['urn:ietf:params:scim:api:messages:2.0:SearchRequest'],
      filter: 'isbn eq "ISBN-4"',
    };
    const answer = await ask('/Books/.search', { method: 'POST', body });
    expect(titlesOf(JSON.parse(answer.text))).to.deep.equal([titles[4]]);
  });

  it('can be written by PUT, PATCH, DELETE and Bulk, by the rules of its kind', async () => {
    const { id } = (await ask('/Books', { method: 'POST', body: { schemas: [bookUrn], title: 'A' } })).json();
    const path = `/Books/${id}`;
    const put = await ask(path, {
      method: 'PUT',
      body: { schemas: [bookUrn], title: 'B', authors: ['One', 'One'] },
    });
    expect(put.json()).to.deep.include({ title: 'B', authors: [{ value: 'One' }] });
    const added = patchOf({ op: 'add', path: `${shelfUrn}:room`, value: 'Attic' });
    expect((await ask(path, { method: 'PATCH', body: added })).json()[shelfUrn]).to.deep.equal({
      room: 'Attic',
    });
    expectError(
      await ask('/Books', { method: 'POST', body: { schemas: [bookUrn], title: 'b' } }),
      409,
      'uniqueness',
    );
    const removed = patchOf({ op: 'remove', path: 'title' });
    expect(expectError(await ask(path, { method: 'PATCH', body: removed }), 400, 'mutability')).to.include(
      'every book has it',
    );
    const many = { authors: [1, 2, 3, 4].map((at) => ({ value: `${at}` })) };
    expectError(
      await ask(path, { method: 'PUT', body: { schemas: [bookUrn], title: 'B', ...many } }),
      400,
      'invalidValue',
    );
    const operations = [
      { method: 'DELETE', path },
      { method: 'POST', path: '/Books', bulkId: 'b', data: { schemas: [bookUrn], title: 'B' } },
      { method: 'DELETE', path: '/Books/bulkId:b' },
      { method: 'POST', path: '/Papers', bulkId: 'p', data: {} },
    ];
    const bulk = await ask('/Bulk', { method: 'POST', body: bulkOf(operations) });
    const outcomes = bulk.json().Operations as readonly { readonly status: string }[];
    expect(outcomes.map(({ status }) => status)).to.deep.equal(['204', '201', '204', '404']);
    expectError(await ask(path), 404);
  });

  it('needs the scopes of its kind', async () => {
    for (const path of ['/Books', `/Books/${ids[0]}`]) {
      expectError(await ask(path, { scopes: ['users:write'] }), 403);
      expect((await ask(path, { scopes: ['books:read'] })).status).to.equal(200);
    }
  });

  it('is listed by ResourceTypes and Schemas', async () => {
    const types = (await ask('/ResourceTypes')).json().Resources as readonly Json[];
    expect(types.map(({ name }) => name)).to.deep.equal(['User', 'Book']);
    expect((await ask('/ResourceTypes/Book')).json()).to.deep.include({
      ...{ id: 'Book', endpoint: '/Books', description: 'A book of the library.', schema: bookUrn },
      schemaExtensions: [{ schema: shelfUrn, required: false }],
    });
    const schemas = (await ask('/Schemas')).json().Resources as readonly Json[];
    expect(schemas.map(({ id }) => id)).to.include.members([bookUrn, shelfUrn]);
    const { attributes } = (await ask(`/Schemas/${bookUrn}`)).json() as { attributes?: readonly Json[] };
    expect(attributes?.map(({ name }) => name)).to.deep.equal(['title', 'isbn', 'authors', 'isLent']);
    expect(attributes?.[0]).to.deep.include({ required: true, uniqueness: 'server', type: 'string' });
  });
});
