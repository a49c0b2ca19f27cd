import { expect } from 'chai';
import { describeMistake } from '../../../src/adapters/formats/port/mistakes.ts';
import { readFile } from '../../contract/file-format.ts';
import { codec } from './csv-table.ts';

/** As a spreadsheet numbers them. */
type Place = readonly [row: number, column: number];

/** Headers with columns that users don't have, how those are named, and the column of the first. */
const unknown: Readonly<Record<string, readonly [header: string, names: string, column: number]>> = {
  'a column that users do not have': ['userName,shoeSize', '"shoeSize"', 2],
  'names that are nearly right': [
    'usernam,familyNames,e-mails,Title,emails.0.valu,Benutzernamen,Strase',
    '"usernam" (perhaps userName), "familyNames" (perhaps name.familyName), "e-mails" (perhaps emails.0.value), "Title" (perhaps title), "emails.0.valu" (perhaps emails.0.value), "Benutzernamen" (perhaps userName), "Strase" (perhaps addresses.0.streetAddress)',
    1,
  ],
  'the prototype': ['userName,__proto__', '"__proto__"', 2],
  'the prototype of attributes': ['userName,attributes.__proto__', '"attributes.__proto__"', 2],
  'a part that is no column': ['name,userName', '"name" (perhaps name.formatted)', 1],
  'an item of a list too many': ['emails.20.value', '"emails.20.value" (perhaps emails.0.value)', 1],
  'an item written otherwise': ['emails.00.value', '"emails.00.value" (perhaps emails.0.value)', 1],
  'a name with control characters': ['userName,\u001b[31m', '"\uFFFD[31m"', 2],
};

/** Tables that can't be understood further, and how many rows there are before that. */
const ended: Readonly<Record<string, readonly [file: string, message: string, place: Place, rows?: number]>> =
  {
    'nothing at all': ['', 'the file is empty', [1, 1]],
    'empty lines only': ['\r\n\n', 'the file is empty', [1, 1]],
    'an empty heading': [
      'userName,,title\n',
      'a heading is empty: fill it, delete the column, or delete the rows above the headings',
      [1, 2],
    ],
    'a column twice': ['title,userName,"title"\n', 'the column "title" stands twice', [1, 3]],
    'a header with a quote in the wrong place': [
      'userName,x"y,"title"\n',
      'a quote stands within a cell that does not begin with one: put quotes around the cell, and double those in it',
      [1, 2],
    ],
    'a quote that is never closed': [
      'userName,title\na,b\na,"b\nc,d\n',
      'a quote opens here and is never closed',
      [3, 2],
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
      [3, 2],
      1,
    ],
  };
describe('A table of users in CSV with mistakes', () => {
  it('has the place of each mistake in a cell reported', async () => {
    const { rows } = await readFile(
      codec,
      'userName,"title",emails.0.value,roles\n"a\n",x,"y"\n\n"a\r\nb","c""d","e\nf",g\n',
    );
    const [short, row] = rows;
    expect(short?.position).to.deep.equal({ line: 2, column: 1 });
    // The empty row counts, and the line ends in cells don't, as in a spreadsheet.
    expect(row?.position).to.deep.equal({ line: 4, column: 1 });
    const told = (pointer: string) => row && describeMistake(row, { pointer, detail: 'is wrong' });
    const pointers = ['/title', '/emails/0/value', '/emails/0', '/emails', '/roles/3', '/roles', '/x/y', ''];
    expect(pointers.map(told)).to.deep.equal([
      'row 4, cell B4 "title": is wrong',
      ...Array.from({ length: 3 }, () => 'row 4, cell C4 "emails.0.value": is wrong'),
      'row 4, cell D4 "roles", value 4: is wrong',
      'row 4, cell D4 "roles": is wrong',
      'row 4: x.y is wrong',
      'row 4: is wrong',
    ]);
  });

  it('has the place of a mistake reported in the second of two columns that have the same cells', async () => {
    const { rows } = await readFile(codec, 'title,userName+emails.0.value\nx,ada\n');
    const told = (pointer: string) => rows[0] && describeMistake(rows[0], { pointer, detail: 'is wrong' });
    const place = 'row 2, cell B2 "userName+emails.0.value": is wrong';
    expect([told('/userName'), told('/emails/0/value'), told('/emails/0')]).to.deep.equal([
      place,
      place,
      place,
    ]);
  });

  it('has invisible characters in a cell reported, with a way to remove them', async () => {
    const { rows } = await readFile(codec, 'userName,emails.0.value\nada\u00a0,ada@example.org \n');
    const told = (pointer: string, detail: string) =>
      rows[0] && describeMistake(rows[0], { pointer, detail });
    const advice = '; a spreadsheet does not show this character: type the cell again';
    for (const point of ['U+00A0', 'U+0009', 'U+200B', 'U+D800', 'U+10FFFF'])
      expect(told('/userName', `has ${point}`)).to.equal(`row 2, cell A2 "userName": has ${point}${advice}`);
    expect(told('/userName', 'has U+0041')).to.equal('row 2, cell A2 "userName": has U+0041');
    expect(told('/emails/0/value', 'must be one address, such as ada@example.org')).to.equal(
      'row 2, cell B2 "emails.0.value": must be one address, without spaces before or after it, such as ada@example.org',
    );
  });

  it('is read on after an unreadable row, which is reported with its line', async () => {
    const opening =
      'a quote stands within a cell that does not begin with one: put quotes around the cell, and double those in it';
    const closing = 'text follows the closing quote of a cell: double the quotes in a cell';
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
      const told = rows.map((row) =>
        row.violations[0] === undefined ? row.value : describeMistake(row, row.violations[0]),
      );
      expect(told).to.deep.equal([
        { userName: 'a', title: 'b' },
        'row 3: the row has 1 cell, the header 2: cells are missing (if a spreadsheet left out empty ones, move a column without empty cells to the end)',
        'row 4: the row has 3 cells, the header 2: a cell with a separator in it needs quotes',
        `row 5, cell B5: ${opening}`,
        `row 6, cell A6: ${closing}`,
        `row 7, cell A7: ${closing}`,
        { userName: 'a"b', title: 'c' },
        `row 9, cell B9: ${closing}`,
        { userName: 'a', title: 'b' },
      ]);
    }
  });

  it('accepts rows that a person has corrected, unless they have misplaced quotes or line breaks', async () => {
    const corrections = new Map<string, readonly string[] | string>([
      ['2:1', ['a"b', 'c\nd']],
      ['3:1', 'a,"b'],
      ['4:1', 'a,b\nc,d'],
      ['5:1', '"a",b\r\n'],
      ['6:1', 'a,5" disk'],
    ]);
    const { rows, error } = await readFile(codec, `userName,title\n${'x,y,\n'.repeat(6)}`, {
      ...{ corrections, rows: new Set(['2:1', '3:1', '4:1', '5:1', '6:1']) },
    });
    expect(error).to.equal(undefined);
    expect(rows.map((row) => row.violations[0]?.detail.split(':')[0] ?? row.value)).to.deep.equal([
      { userName: 'a"b', title: 'c\nd' },
      'a quote opens here and is never closed',
      'a line break ends the row',
      { userName: 'a', title: 'b' },
      'a quote stands within a cell that does not begin with one',
    ]);
  });

  async function expectEnd(file: string, message: string, [line, column]: Place, count = 0): Promise<void> {
    for (const sizes of [[1], [1000]]) {
      const { rows, error } = await readFile(codec, file, { sizes, maxRowLength: 200 });
      expect([error?.message, error?.position]).to.deep.equal([message, { line, column }]);
      expect(rows).to.have.length(count);
    }
  }
  for (const [what, [header, names, column]] of Object.entries(unknown))
    it(`is refused with a place: ${what}`, async () => {
      const { error } = await readFile(codec, `${header}\na,44\n`);
      expect(error?.position).to.deep.equal({ line: 1, column });
      const [, first] = names.match(/^"([^"]*)"/) ?? [];
      const advice = `--map "${first}=COLUMN" says which column it is, --map "${first}=" leaves it out, --ignore-unknown all unknown ones`;
      expect(error?.message).to.contain(
        `there is no column ${names}: ${advice}; the usual columns are userName, name.formatted, name.familyName, `,
      );
    });
  for (const [what, args] of Object.entries(ended))
    it(`is refused with a place: ${what}`, () => expectEnd(...args));

  it('does not have its first row quoted if no heading is known, since the row may have data', async () => {
    const { error } = await readFile(codec, 'björn,groß\n');
    expect(error?.message).to.match(
      /^the first row must have the headings, and none of these is known: --map/,
    );
    expect(error?.message).not.to.match(/björn|groß/);
  });

  it('has the possible separators named if the first row is a single unknown heading', async () => {
    const { error } = await readFile(codec, 'userName|title\na|b\n');
    expect(error?.message).to.match(
      /^the first row must have the headings, and none of these is known, or no comma, semicolon or tab separates them: --map/,
    );
  });

  it('has ten unknown columns named and the rest counted', async () => {
    const names = Array.from({ length: 25 }, (_, at) => `zzzzzz${at}`);
    const { error } = await readFile(codec, `userName,${names.join(',')}\n`);
    expect(error?.message).to.match(/^there is no column "zzzzzz0", .*"zzzzzz9", and 15 more are unknown: /);
  });

  it('is refused for the same columns when it is printed as when it is read', () => {
    for (const [columns, message] of [
      [['userName', 'shoe'], 'there is no column "shoe"'],
      [['userName', 'userName'], 'the column "userName" stands twice'],
      [['$rejected'], 'there is no column "$rejected"'],
    ] as const)
      expect(() => codec.printer({ columns })).to.throw(message);
  });
});
