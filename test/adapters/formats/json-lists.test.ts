import { expect } from 'chai';
import fc from 'fast-check';
import { jsonFile } from '../../../src/adapters/formats/json/file.ts';
import { json } from '../../../src/adapters/formats/json/json.ts';
import { runToEnd } from '../../../src/adapters/formats/port/format.ts';
import { User } from '../../../src/domain/kinds/user/user.ts';
import { naming } from '../../contract/format.ts';
import { listsOf, maxItemLength, readList, refusedList } from '../../contract/format-lists.ts';
import { runs } from '../../support/runs.ts';

const codec = json.codec<User>(User, naming);
const lists = listsOf(json);
const beside = 'a list is {"users":[…]}, with nothing beside it but "total" in front';
const noTotal = 'total must be a whole number';
const notJson = 'this is not JSON';
const cutOff = 'the list ends before it is whole';
const valuesOf = async (list: string) => {
  const { items, error } = await readList(lists, list, [3]);
  expect(error).to.equal(undefined);
  return items.map(({ value }) => value);
};

describe('A list in JSON', () => {
  it('may have any white space wherever JSON allows it', async () => {
    const list = ' \r\n{ "users"\t:\n[ {"title" : "a ] , }"}\r,\n{} ]\n}\n';
    expect(await valuesOf(list)).to.deep.equal([{ title: 'a ] , }' }, {}]);
    for (const sizes of [[1], [1000]]) {
      const { items } = await readList(lists, list, sizes);
      expect(items.map(({ position }) => position)).to.deep.equal([
        { line: 3, column: 3 },
        { line: 5, column: 1 },
      ]);
    }
  });

  it('is read item by item with the same result as single documents, whatever the items and their layout', async () => {
    const value = fc.jsonValue({ maxDepth: 5 });
    const layout = fc.constantFrom(undefined, 1, '\t', '\n ');
    await fc.assert(
      fc.asyncProperty(
        fc.array(value, { maxLength: 4 }),
        layout,
        fc.integer({ min: 1, max: 9 }),
        async (all, indent, size) => {
          const list = JSON.stringify({ users: all }, undefined, indent);
          const { items, error } = await readList(lists, list, [size]);
          expect(error).to.equal(undefined);
          const alone = all.map((one) =>
            runToEnd(codec.read(Buffer.from(JSON.stringify(one, undefined, indent)))),
          );
          expect(items.map(({ position: _, ...parsed }) => parsed)).to.deep.equal(alone);
        },
      ),
      { numRuns: runs(500) },
    );
  });

  it('may have a total, with white space wherever JSON allows it', async () => {
    for (const total of ['"total":2,', '"total":0,', ' \n"total" : 1234567890123456\t,\r '])
      expect(await valuesOf(`{${total}"users":[{}]}`), total).to.deep.equal([{}]);
    for (const sizes of [[1], [1000]]) {
      const { items } = await readList(lists, '{ "total": 7,\n "users": [\n{}]}', sizes);
      expect(items.map(({ position }) => position)).to.deep.equal([{ line: 3, column: 1 }]);
    }
  });

  it('may have a name that begins like total', async () => {
    const tots = jsonFile.codec<User>(User, { ...naming, many: 'tots' });
    for (const list of ['{"tots":[{}]}', '{"total":1,"tots":[{}]}'])
      expect((await readList(tots, list, [1])).items, list).to.have.length(1);
  });

  it('may begin with one byte order mark', async () => {
    expect(await valuesOf('\uFEFF{"users":[{}]}')).to.deep.equal([{}]);
    const { message, position } = await refusedList(lists, '\uFEFF\uFEFF{"users":[]}');
    expect([message, position]).to.deep.equal([beside, { line: 1, column: 1 }]);
  });

  it('may have as many white-space characters between two items as the longest item may have; more are refused', async () => {
    const head = '{"users":\n[{},';
    for (const [length, fault] of [
      [maxItemLength - 1, undefined],
      [maxItemLength, { line: 2, column: 4 }],
    ] as const) {
      const list = `${head}${' '.repeat(length)}{}${' '.repeat(1000)}]}`;
      for (const sizes of [[1000], [list.length]]) {
        const { items, error } = await readList(lists, list, sizes);
        expect([items.length, error?.position]).to.deep.equal([fault === undefined ? 2 : 1, fault]);
      }
    }
  });

  it('reports duplicate names in items as in a single document, and reads names of the prototype like others', async () => {
    const list = '{"users":[{"a":1,"a":2},{"__proto__":{"x":1},"constructor":2},{"meta":{"b":1,"b":2}}]}';
    const { items } = await readList(lists, list, [1]);
    expect(items.map(({ violations }) => violations)).to.deep.equal([
      [{ pointer: '/a', detail: 'occurs more than once' }],
      [],
      [],
    ]);
    expect(Object.keys(items[1]?.value as object)).to.deep.equal(['__proto__', 'constructor']);
    expect(({} as Record<string, unknown>).x).to.equal(undefined);
  });

  const deep = (levels: number): string => '['.repeat(levels) + ']'.repeat(levels);

  it('may have items that nest as deeply as a document', async () => {
    expect(await valuesOf(`{"users":[${deep(32)},{}]}`)).to.have.length(2);
  });

  const refused: Readonly<
    Record<string, [list: string, message: string, line: number, column: number, items?: number]>
  > = {
    'items alone': ['[{}]', beside, 1, 1],
    'another name': ['{"people":[{}]}', beside, 1, 3],
    'a name that only begins as its own does': ['{"users2":[]}', beside, 1, 8],
    'a name with a space in it': ['{"us ers":[]}', beside, 1, 5],
    'an object in the place of the list': ['{\n"users":{}}', beside, 2, 9],
    'another member in front': ['{"title":1,"users":[]}', beside, 1, 4],
    'a member between total and list': ['{"total":1,"title":2,"users":[]}', beside, 1, 13],
    'total and no list': ['{"total":1}', beside, 1, 11],
    'total twice': ['{"total":1,"total":1,"users":[]}', beside, 1, 13],
    'a total that is a text': ['{"total":"1","users":[]}', noTotal, 1, 10],
    'a total that is no number': ['{"total":,"users":[]}', noTotal, 1, 10],
    'a total that begins with a zero': ['{"total":01,"users":[]}', noTotal, 1, 11],
    'a total below zero': ['{"total":-1,"users":[]}', noTotal, 1, 10],
    'a total that is not whole': ['{"total":1.5,"users":[]}', beside, 1, 11],
    'a total with a space in it': ['{"total":1 5,"users":[]}', beside, 1, 12],
    'a total without an end': [`{"total":${'9'.repeat(1000)}`, noTotal, 1, 26],
    'the end within a total': ['{"total":1', cutOff, 1, 11],
    'the end behind a total': ['{"total":1,', cutOff, 1, 12],
    'a member behind': ['{"users":[{}],"total":1}', beside, 1, 14, 1],
    'the list twice': ['{"users":[{}],"users":[{}]}', beside, 1, 14, 1],
    'another document behind': ['{"users":[]}{"users":[]}', beside, 1, 13],
    'a comment': ['{"users":[]} // x', beside, 1, 14],
    'no colon': ['{"users"[]}', beside, 1, 9],
    'a comma alone': ['{"users":[,]}', notJson, 1, 11],
    'a comma too many': ['{"users":[{},\n]}', notJson, 2, 1, 1],
    'a comma too few': ['{"users":[{} {}]}', notJson, 1, 14],
    'a list that is closed as an object': ['{"users":[{}}', notJson, 1, 13, 1],
    'an object that is closed as a list': ['{"users":[\n{"a":1]}', notJson, 2, 7],
    'a list within that is closed as an object': ['{"users":[{"a":[1}]}]}', notJson, 1, 18],
    'a word that is none': ['{"users":[{},tru]}', notJson, 1, 14, 1],
    'a number that begins with a zero': ['{"users":[{"a":01}]}', notJson, 1, 17],
    'a raw line end in a text': ['{"users":[{"a":"\n"}]}', notJson, 1, 16],
    'a comment within': ['{"users":[{/* */}]}', notJson, 1, 12],
    'nesting that is too deep': [`{"users":[{},\n ${deep(33)}]}`, 'nesting is deeper than 32', 2, 34, 1],
    'nesting without an end': [`{"users":[${'['.repeat(1000)}`, cutOff, 1, 1011],
    'the end within its name': ['{"use', cutOff, 1, 6],
    'the end before an item': ['{"users":[{},', cutOff, 1, 14, 1],
    'the end within an item': ['{"users":[{},\n{"a":"\\', cutOff, 2, 8, 1],
    'the end behind an item': ['{"users":[{}', cutOff, 1, 13],
    'the end behind the items': ['{"users":[{}]\n', cutOff, 2, 1, 1],
  };
  for (const [what, [list, message, line, column, count = 0]] of Object.entries(refused)) {
    it(`is refused with its place: ${what}`, async () => {
      for (const sizes of [[1], [2, 3], [1000]]) {
        const { items, error } = await readList(lists, list, sizes);
        expect([error?.message, error?.position]).to.deep.equal([message, { line, column }]);
        expect(items).to.have.length(count);
      }
    });
  }
});
