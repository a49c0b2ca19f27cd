import { expect } from 'chai';
import { parse } from 'csv-parse/sync';
import { stringify } from 'csv-stringify/sync';
import fc from 'fast-check';
import Type from 'typebox';
import { csv } from '../../../src/adapters/formats/csv/csv.ts';
import { printFile, readFile } from '../../contract/file-format.ts';
import { aUser } from '../../support/a-user.ts';
import { runs } from '../../support/runs.ts';
import { tidyText } from '../../support/tidy-users.ts';
import { codec, valuesOf } from './csv-table.ts';

describe('A table of users in CSV', () => {
  it('has columns that are paths of the schema', async () => {
    const file = [
      'userName,name.familyName,emails.0.value,emails.0.primary,emails.1.value,roles,attributes.costCenter,active',
      'jan,Jansen,jan@example.com,true,j@example.com,admin|editor,4711,false',
      '',
    ].join('\r\n');
    expect(await valuesOf(file)).to.deep.equal([
      {
        userName: 'jan',
        name: { familyName: 'Jansen' },
        emails: [{ value: 'jan@example.com', primary: true }, { value: 'j@example.com' }],
        roles: ['admin', 'editor'],
        attributes: { costCenter: '4711' },
        active: false,
      },
    ]);
  });

  it('is printed with the chosen columns, in their order, with CR LF', () => {
    const users = [aUser({ userName: 'a', title: 'x, "y"' }), aUser({ userName: 'b', roles: ['r', 's|t'] })];
    const columns = ['title', 'userName', 'roles', 'emails.3.value'];
    expect(printFile(codec, users, { columns })).to.equal(
      'title,userName,roles,emails.3.value\r\n"x, ""y""",a,,\r\n,b,r|s\\|t,\r\n',
    );
  });

  it('has the columns that at least one user needs, in the order of the schema', () => {
    const collector = codec.collectColumns?.();
    collector?.add(aUser({ attributes: { b: '1', a: '2' }, title: 'x' }));
    collector?.add(
      aUser({ emails: [{ value: 'a@b' }, { value: 'c@d', type: 'work' }], attributes: { 'a-b': '1' } }),
    );
    expect(collector?.columns()).to.deep.equal([
      'id',
      'userName',
      'title',
      'active',
      'emails.0.value',
      'emails.1.value',
      'emails.1.type',
      'attributes.a',
      'attributes.a-b',
      'attributes.b',
      'meta.created',
      'meta.lastModified',
      'meta.version',
    ]);
  });

  it('is refused for users that need more than 1,000 columns', () => {
    const collector = codec.collectColumns?.();
    const add = (from: number): void => {
      for (let at = from; at < from + 500; at += 1)
        collector?.add(aUser({ attributes: { [`a${at}`]: 'x' } }));
    };
    add(0);
    expect(() => add(500)).to.throw('these users need more than 1000 columns: choose some with --columns');
  });

  it('may have booleans as spreadsheets write them; other texts are left to the validator', async () => {
    expect(await valuesOf('active\ntrue\nFALSE\n1\n0\n TRUE \nmaybe\nx\n')).to.deep.equal(
      [true, false, true, false, true, 'maybe', 'x'].map((active) => ({ active })),
    );
    for (const pair of ['yes/no', 'Y/N', 'ja/nein', 'J/N', 'WAHR/FALSCH', 'oui/non', 'VRAI/FAUX'])
      expect(await valuesOf(`active\n${pair.replace('/', '\n')}\n`)).to.deep.equal([
        { active: true },
        { active: false },
      ]);
  });

  it('has numbers only in columns of numbers, in the syntax of JSON', async () => {
    const numbers = csv.codec(
      Type.Object({
        n: Type.Optional(Type.Number()),
        all: Type.Optional(Type.Array(Type.Integer(), { item: 'one' })),
      }),
      { one: 'x', many: 'xs', namespace: 'urn:x' },
    );
    const { rows } = await readFile(
      numbers as typeof codec,
      'n,all\n1.5,1|2\n-1e3,\n 1,x\n0x10,01\nInfinity,|\n',
    );
    expect(rows.map(({ value }) => value)).to.deep.equal([
      { n: 1.5, all: [1, 2] },
      { n: -1000 },
      { n: 1, all: ['x'] },
      { n: '0x10', all: ['01'] },
      { n: 'Infinity', all: ['', ''] },
    ]);
  });

  it('keeps line ends, quotes and delimiters within quotes', async () => {
    const title = 'a\r\nb\n c\rd"e,;\n';
    const file = `userName,title,nickName\r\na,"${title.replaceAll('"', '""')}",x\r\nb,,\r\n`;
    for (const sizes of [[1], [2, 3], [1000]]) {
      const { rows } = await readFile(codec, file, { sizes });
      expect(rows.map(({ value, position }) => [value, position.line])).to.deep.equal([
        [{ userName: 'a', title, nickName: 'x' }, 2],
        [{ userName: 'b' }, 3],
      ]);
    }
  });

  for (const [what, end] of Object.entries({ LF: '\n', 'CR LF': '\r\n', CR: '\r' })) {
    it(`may end its lines with ${what}, and have empty ones`, async () => {
      const file = ['', 'userName,title', 'a,x', '', '', 'b,y', ',', ''].join(end);
      for (const sizes of [[1], [1000]]) {
        const { rows } = await readFile(codec, file, { sizes });
        expect(rows.map(({ value, position }) => [value, position.line])).to.deep.equal([
          [{ userName: 'a', title: 'x' }, 3],
          [{ userName: 'b', title: 'y' }, 6],
        ]);
      }
    });
  }

  for (const delimiter of [';', '\t']) {
    it(`may have ${JSON.stringify(delimiter)} for a delimiter, recognized from its header`, async () => {
      const file = ['userName', 'name.givenName', '"title"'].join(delimiter);
      expect(await valuesOf(`${file}\na${delimiter}"b${delimiter}b"${delimiter}c,d\n`)).to.deep.equal([
        { userName: 'a', name: { givenName: `b${delimiter}b` }, title: 'c,d' },
      ]);
    });
  }

  it('is refused when its header fits several delimiters, unless one is named', async () => {
    const { error } = await readFile(codec, 'userName;title,active\n');
    expect(error?.message).to.equal(
      'the header has several of comma, semicolon and tab: name the one between its headings with --delimiter',
    );
    const { error: named } = await readFile(codec, 'userName;title,active\n', { delimiter: ';' });
    expect(named?.message).to.match(/^there is no column "title,active"/);
  });

  it('is read in the encodings of spreadsheets', async () => {
    const file = 'userName,title\r\na,é€\r\n';
    const utf16 = Buffer.from(`\uFEFF${file}`, 'utf16le');
    const latin = Buffer.from(file.replace('€', '\x80'), 'latin1');
    for (const [bytes, encoding] of [
      [Buffer.from(`\uFEFF${file}`)],
      [utf16],
      [Buffer.from(utf16).swap16()],
      [utf16.subarray(2), 'utf-16le'],
      [latin, 'windows-1252'],
    ] as const)
      for (const sizes of [[1], [1000]])
        expect(await valuesOf(bytes, { sizes, encoding })).to.deep.equal([{ userName: 'a', title: 'é€' }]);
    expect(await valuesOf(latin, { encoding: 'iso-8859-1' })).to.deep.equal([
      { userName: 'a', title: 'é\x80' },
    ]);
  });

  const cell = fc.string({ unit: fc.constantFrom('a', '"', ',', ';', '\t', '\r', '\n', ' ', "'", '=', 'é') });
  const rows = fc.array(fc.array(cell, { minLength: 3, maxLength: 3 }), { minLength: 1, maxLength: 20 });
  const [paths, delimiters] = [
    ['userName', 'title', 'nickName'],
    [',', ';', '\t'],
  ];

  it('can be printed by node-csv', async () => {
    await fc.assert(
      fc.asyncProperty(rows, fc.constantFrom(...delimiters), async (cells, delimiter) => {
        const file = stringify([paths, ...cells], { delimiter, quoted_match: /[\r\n]/ });
        const expected = cells
          .map((row) => row.map(tidyText))
          .filter((row) => row.some((text) => text !== ''));
        const values = (await valuesOf(file)) as Record<string, string>[];
        expect(values.map((value) => paths.map((path) => value[path] ?? ''))).to.deep.equal(expected);
      }),
      { numRuns: runs(500) },
    );
  });

  it('can be read by node-csv', () => {
    fc.assert(
      fc.property(rows, (cells) => {
        const users = cells.map(([userName, title, nickName]) => ({ userName, title, nickName }) as never);
        const file = printFile(codec, users, { columns: paths });
        const options = { record_delimiter: '\r\n', skip_empty_lines: true };
        expect(parse(file, options)).to.deep.equal([paths, ...cells]);
      }),
      { numRuns: runs(500) },
    );
  });
});
