import { expect } from 'chai';
import { readFile } from '../../contract/file-format.ts';
import { codec } from './csv-table.ts';

type Place = readonly [line: number, column: number];

/** Headers with columns that users don't have, and how those are named. */
const unknown: Readonly<Record<string, readonly [header: string, names: string, column: number]>> = {
  'a column that users do not have': ['userName,shoeSize', '"shoeSize"', 10],
  'names that are nearly right': [
    'username,familyName,email,Title,emails.0.valu',
    '"username" (perhaps userName), "familyName" (perhaps name.familyName), "email" (perhaps emails.0.value), "Title" (perhaps title), "emails.0.valu" (perhaps emails.0.value)',
    1,
  ],
  'the prototype': ['userName,__proto__', '"__proto__"', 10],
  'the prototype of attributes': ['userName,attributes.__proto__', '"attributes.__proto__"', 10],
  'a part that is no column': ['name,userName', '"name" (perhaps name.formatted)', 1],
  'an item of a list too many': ['emails.20.value', '"emails.20.value" (perhaps emails.0.value)', 1],
  'an item written otherwise': ['emails.00.value', '"emails.00.value" (perhaps emails.0.value)', 1],
  'an empty name': ['userName,,title', '""', 10],
  'a name with control characters': ['userName,\u001b[31m', '"\uFFFD[31m"', 10],
};

/** Tables that can't be understood further, and how many rows there are before that. */
const ended: Readonly<Record<string, readonly [file: string, message: string, place: Place, rows?: number]>> =
  {
    'nothing at all': ['', 'the file is empty', [1, 1]],
    'empty lines only': ['\r\n\n', 'the file is empty', [1, 1]],
    'a column twice': ['title,userName,"title"\n', 'the column "title" stands twice', [1, 16]],
    'a header with a quote in the wrong place': [
      'userName,x"y,"title"\n',
      'a quote stands within a cell that does not begin with one',
      [1, 11],
    ],
    'a quote that is never closed': [
      'userName,title\na,b\na,"b\nc,d\n',
      'a quote opens here and is never closed',
      [3, 3],
      1,
    ],
    'a row that is too long': [
      `userName\na\n${'x'.repeat(300)}`,
      'the row has more than 200 characters',
      [3, 1],
      1,
    ],
    'a quote that is not closed for long': [
      `userName,title\na,b\na,"${'x\n'.repeat(300)}`,
      'a quote opens here and is not closed within the 200 characters that a row may have',
      [3, 3],
      1,
    ],
  };
describe('A table of users in CSV, where something is wrong with it,', () => {
  it('tells where what is wrong with a cell stands', async () => {
    const { rows } = await readFile(
      codec,
      'userName,"title",emails.0.value,roles\n"a\n",x,"y"\n\n"a\r\nb","c""d","e\nf",g\n',
    );
    const [short, row] = rows;
    expect(short?.position).to.deep.equal({ line: 2, column: 1 });
    const places = [
      '/userName',
      '/title',
      '/emails/0/value',
      '/emails/0',
      '/emails',
      '/roles/3',
      '/roles',
      '/x',
      '',
    ];
    expect(places.map((pointer) => row?.locate?.(pointer))).to.deep.equal([
      { line: 5, column: 1 },
      { line: 6, column: 4 },
      { line: 6, column: 11 },
      { line: 6, column: 11 },
      { line: 6, column: 11 },
      { line: 7, column: 4 },
      { line: 7, column: 4 },
      undefined,
      undefined,
    ]);
  });

  it('continues after an unreadable row, which is reported with its line', async () => {
    const opening = 'a quote stands within a cell that does not begin with one';
    const closing = 'something stands behind the closing quote of a cell';
    const file = [
      'userName,title',
      'a,b',
      'a',
      'a,b,c',
      'a,5" disk',
      '"a" ,b',
      '"a\n"b,c',
      '"a""b",c',
      'a,"b"\0',
      'a,b',
      '',
    ].join('\n');
    for (const sizes of [[1], [5, 2], [1000]]) {
      const { rows, error } = await readFile(codec, file, { sizes });
      expect(error).to.equal(undefined);
      const told = rows.map(({ position, violations: [fault], locate, value }) =>
        fault === undefined ? value : [position.line, locate?.('')?.line, locate?.('')?.column, fault.detail],
      );
      expect(told).to.deep.equal([
        { userName: 'a', title: 'b' },
        [3, undefined, undefined, 'the row has 1 cell, the header 2'],
        [4, undefined, undefined, 'the row has 3 cells, the header 2'],
        [5, 5, 4, opening],
        [6, 6, 4, closing],
        [7, 8, 2, closing],
        { userName: 'a"b', title: 'c' },
        [10, 10, 6, closing],
        { userName: 'a', title: 'b' },
      ]);
    }
  });

  async function expectEnd(file: string, message: string, [line, column]: Place, count = 0): Promise<void> {
    for (const sizes of [[1], [1000]]) {
      const { rows, error } = await readFile(codec, file, { sizes, maxRowLength: 200 });
      expect([error?.message, error?.position]).to.deep.equal([message, { line, column }]);
      expect(rows).to.have.length(count);
    }
  }
  for (const [what, [header, names, column]] of Object.entries(unknown))
    it(`ends with the place of ${what}`, async () => {
      await expectEnd(`${header}\na,44\n`, `there is no column ${names}`, [1, column]);
    });
  for (const [what, args] of Object.entries(ended))
    it(`ends with the place of ${what}`, () => expectEnd(...args));

  it('names ten unknown columns and counts the rest', async () => {
    const names = Array.from({ length: 25 }, (_, at) => `zzzzzz${at}`);
    const { error } = await readFile(codec, `userName,${names.join(',')}\n`);
    expect(error?.message).to.match(/^there is no column "zzzzzz0", .*"zzzzzz9", and 15 more are unknown$/);
  });

  it('refuses the same columns for output as for input', () => {
    for (const [columns, message] of [
      [['userName', 'mail'], 'there is no column "mail"'],
      [['userName', 'userName'], 'the column "userName" stands twice'],
      [['$rejected'], 'there is no column "$rejected"'],
    ] as const)
      expect(() => codec.printer({ columns })).to.throw(message);
  });
});
