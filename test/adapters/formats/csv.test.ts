import { expect } from 'chai';
import fc from 'fast-check';
import Type from 'typebox';
import { csv } from '../../../src/adapters/formats/csv.ts';
import { kindOf } from '../../../src/adapters/formats/xml-shape.ts';
import { validator } from '../../../src/domain/schema-validator.ts';
import { User } from '../../../src/domain/user.ts';
import { printFile, readFile, userCodec } from '../../contract/file-format.ts';
import { aUser } from '../../support/a-user.ts';

const codec = userCodec(csv);

const valuesOf = async (file: string | Buffer, options: Parameters<typeof readFile>[2] = {}) => {
  const { rows, error } = await readFile(codec, file, options);
  expect(error).to.equal(undefined);
  expect(rows.flatMap(({ violations }) => violations)).to.deep.equal([]);
  return rows.map(({ value }) => value);
};

/** What the first row makes of a user who is there. */
const edited = async (file: string, user: User, options = {}): Promise<unknown> => {
  const { rows } = await readFile(codec, file, options);
  return rows[0]?.edit?.(structuredClone(user));
};

describe('A table of users in CSV', () => {
  it('has columns that are paths of the schema', async () => {
    const file = [
      'userName,name.familyName,emails.0.value,emails.0.primary,emails.1.value,roles,attributes.costCenter,active',
      'jan,Jansen,jan@example.com,true,j@example.com,admin|editor,4711,false',
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

  it('is printed with the columns that are given, in their order, in CRLF', () => {
    const users = [aUser({ userName: 'a', title: 'x, "y"' }), aUser({ userName: 'b', roles: ['r', 's|t'] })];
    const columns = ['title', 'userName', 'roles', 'emails.3.value'];
    expect(printFile(codec, users, { columns })).to.equal(
      'title,userName,roles,emails.3.value\r\n"x, ""y""",a,,\r\n,b,r|s\\|t,\r\n',
    );
  });

  it('has those columns that any of the users needs, in the order of the schema', () => {
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

  it('refuses to find more than 1,000 columns', () => {
    const collector = codec.collectColumns?.();
    const add = (from: number): void => {
      for (let at = from; at < from + 500; at += 1)
        collector?.add(aUser({ attributes: { [`a${at}`]: 'x' } }));
    };
    add(0);
    expect(() => add(500)).to.throw('these users need more than 1000 columns: choose some with --columns');
  });

  it('reads booleans as spreadsheets write them, and leaves other texts to the validator', async () => {
    expect(await valuesOf('active\ntrue\nFALSE\n1\n0\nyes\n TRUE')).to.deep.equal(
      [true, false, true, false, 'yes', ' TRUE'].map((active) => ({ active })),
    );
  });

  it('reads numbers where the schema has them, and nothing else for them', async () => {
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
      { n: ' 1', all: ['x'] },
      { n: '0x10', all: ['01'] },
      { n: 'Infinity', all: ['', ''] },
    ]);
  });

  it('keeps line ends, quotes, delimiters and white space within quotes as they are', async () => {
    const title = ' a\r\nb\nc\rd"e,;\t ';
    const file = `userName,title,nickName\r\na,"${title.replaceAll('"', '""')}",x\r\nb,,\r\n`;
    for (const sizes of [[1], [2, 3], [1000]]) {
      const { rows } = await readFile(codec, file, { sizes });
      expect(rows.map(({ value, position }) => [value, position.line])).to.deep.equal([
        [{ userName: 'a', title, nickName: 'x' }, 2],
        [{ userName: 'b' }, 6],
      ]);
    }
  });

  for (const [what, end] of Object.entries({ LF: '\n', 'CR LF': '\r\n', CR: '\r' })) {
    it(`may end its lines with ${what}, and have empty ones`, async () => {
      const file = ['', 'userName,title', 'a,x', '', '', 'b,y', ','].join(end);
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
    it(`may have ${JSON.stringify(delimiter)} for a delimiter, as its header shows`, async () => {
      const file = ['userName', 'name.givenName', '"title"'].join(delimiter);
      expect(await valuesOf(`${file}\na${delimiter}"b${delimiter}"${delimiter}c,d\n`)).to.deep.equal([
        { userName: 'a', name: { givenName: `b${delimiter}` }, title: 'c,d' },
      ]);
    });
  }

  it('is read with the comma when the header fits several delimiters', async () => {
    const { error } = await readFile(codec, 'userName;title,active\n');
    expect(error?.message).to.equal('there is no column "userName;title"');
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

  it('goes on behind a row that can not be read, which is told with its place', async () => {
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

  const ended: Readonly<
    Record<string, [file: string, message: string, line: number, column: number, rows?: number]>
  > = {
    'nothing at all': ['', 'the file is empty', 1, 1],
    'empty lines only': ['\r\n\n', 'the file is empty', 1, 1],
    'a column that users do not have': ['userName,shoeSize\na,44', 'there is no column "shoeSize"', 1, 10],
    'names that are nearly right': [
      'username,familyName,email,Title,emails.0.valu\n',
      'there is no column "username" (perhaps userName), "familyName" (perhaps name.familyName), "email" (perhaps emails.0.value), "Title" (perhaps title), "emails.0.valu" (perhaps emails.0.value)',
      1,
      1,
    ],
    'a column twice': ['title,userName,"title"\n', 'the column "title" stands twice', 1, 16],
    'the prototype': ['userName,__proto__\n', 'there is no column "__proto__"', 1, 10],
    'the prototype of attributes': [
      'userName,attributes.__proto__\n',
      'there is no column "attributes.__proto__"',
      1,
      10,
    ],
    'a part that is no column': [
      'name,userName\n',
      'there is no column "name" (perhaps name.formatted)',
      1,
      1,
    ],
    'an item of a list too many': [
      'emails.20.value\n',
      'there is no column "emails.20.value" (perhaps emails.0.value)',
      1,
      1,
    ],
    'an item written otherwise': [
      'emails.00.value\n',
      'there is no column "emails.00.value" (perhaps emails.0.value)',
      1,
      1,
    ],
    'an empty name': ['userName,,title\n', 'there is no column ""', 1, 10],
    'a name with control characters': ['userName,\u001b[31m\n', 'there is no column "\uFFFD[31m"', 1, 10],
    'a header with a quote in the wrong place': [
      'userName,x"y,"title"\n',
      'a quote stands within a cell that does not begin with one',
      1,
      11,
    ],
    'a quote that is never closed': [
      'userName,title\na,b\na,"b\nc,d\n',
      'a quote opens here and is never closed',
      3,
      3,
      1,
    ],
    'a row that is too long': [
      `userName\na\n${'x'.repeat(300)}`,
      'the row has more than 200 characters',
      3,
      1,
      1,
    ],
    'a quote that is not closed for long': [
      `userName,title\na,b\na,"${'x\n'.repeat(300)}`,
      'a quote opens here and is not closed within the 200 characters that a row may have',
      3,
      3,
      1,
    ],
  };
  for (const [what, [file, message, line, column, count = 0]] of Object.entries(ended)) {
    it(`ends with the place of ${what}`, async () => {
      for (const sizes of [[1], [1000]]) {
        const { rows, error } = await readFile(codec, file, { sizes, maxRowLength: 200 });
        expect([error?.message, error?.position]).to.deep.equal([message, { line, column }]);
        expect(rows).to.have.length(count);
      }
    });
  }

  it('names ten unknown columns and counts the rest', async () => {
    const names = Array.from({ length: 25 }, (_, at) => `zzzzzz${at}`);
    const { error } = await readFile(codec, `userName,${names.join(',')}\n`);
    expect(error?.message).to.match(/^there is no column "zzzzzz0", .*"zzzzzz9", and 15 more are unknown$/);
  });

  it('refuses columns to print as it does those to read', () => {
    for (const [columns, message] of [
      [['userName', 'mail'], 'there is no column "mail"'],
      [['userName', 'userName'], 'the column "userName" stands twice'],
      [['$rejected'], 'there is no column "$rejected"'],
    ] as const)
      expect(() => codec.printer({ columns })).to.throw(message);
  });

  describe('put over a user who is there', () => {
    const there = aUser({
      title: 'Boss',
      emails: [{ value: 'a@b', type: 'work' }, { value: 'c@d' }],
      roles: ['x', 'y'],
      attributes: { a: '1', b: '2' },
    });

    it('changes what its cells say and nothing beside', async () => {
      const file =
        'title,nickName,emails.0.type,emails.1.value,roles,attributes.b,attributes.c,name.givenName\n';
      expect(await edited(`${file}Chief,,home,,z,,3,Jan\n`, there)).to.deep.equal({
        ...there,
        title: 'Chief',
        emails: [{ value: 'a@b', type: 'home' }, { value: 'c@d' }],
        roles: ['z'],
        attributes: { a: '1', b: '2', c: '3' },
        name: { givenName: 'Jan' },
      });
    });

    it('takes away what its empty cells name, if they are to', async () => {
      const file = 'title,emails.0.type,emails.1.value,emails.4.value,roles,attributes.b,name.givenName\n';
      const { title: _, roles: __, ...rest } = there;
      const result = await edited(`${file}"",,,,,,Jan\n`, there, { emptyRemoves: true });
      expect(result).to.deep.equal({
        ...rest,
        emails: [{ value: 'a@b' }, {}],
        attributes: { a: '1' },
        name: { givenName: 'Jan' },
      });
      expect(validator(Type.Object({ emails: Type.Array(Type.Unknown()) }))(result).value).to.have.property(
        'emails',
      );
    });

    it('leaves him as he is if he was printed with these very columns', async () => {
      const file = printFile(codec, [there]);
      for (const emptyRemoves of [true, false])
        expect(await edited(file, there, { emptyRemoves })).to.deep.equal(there);
    });
  });

  describe('for a spreadsheet', () => {
    const spreadsheet = { spreadsheet: true };
    const cells = [
      '=1+1',
      '+31',
      '-1',
      '@a',
      '\tx',
      '\rx',
      '\nx',
      "'=x",
      "''-",
      "'t Hooft",
      "'",
      'a=1',
      '\uFF1D1',
    ];

    it('has an apostrophe in front of what it would run, and a byte order mark', () => {
      const file = printFile(codec, [aUser({ title: '=1+1', nickName: "'t Hooft" })], {
        ...spreadsheet,
        columns: ['title', 'nickName'],
      });
      expect(file).to.equal("\uFEFFtitle,nickName\r\n'=1+1,'t Hooft\r\n");
    });

    it('is read as it was, apostrophes included', async () => {
      const columns = ['title', 'roles'];
      const users = cells.map((title) => aUser({ title, roles: [title, '-x'] }));
      const values = await valuesOf(printFile(codec, users, { ...spreadsheet, columns }), spreadsheet);
      expect(values).to.deep.equal(cells.map((title) => ({ title, roles: [title, '-x'] })));
    });
  });

  it('can leave out what is empty, since users have nothing empty', () => {
    const canBeEmpty = (schema: Type.TSchema, path: string): readonly string[] => {
      const kind = kindOf(schema);
      const { required } = schema as { readonly required?: readonly string[] };
      const { minLength, pattern, format, type, minItems, minProperties } = schema as Readonly<
        Record<string, unknown>
      >;
      if (kind.is === 'value') {
        const mayBe =
          minLength === undefined && (pattern === undefined || new RegExp(String(pattern), 'u').test(''));
        return type === 'string' && mayBe && format === undefined ? [path] : [];
      }
      const bound = { list: minItems, map: minProperties, object: minProperties ?? required?.length }[
        kind.is
      ];
      const within =
        kind.is === 'object'
          ? [...kind.members].flatMap(([name, of]) => canBeEmpty(of, `${path}.${name}`))
          : canBeEmpty(kind.of, `${path}.*`);
      return Number(bound) > 0 ? within : [path, ...within];
    };
    expect(canBeEmpty(User, 'user')).to.deep.equal([]);
  });

  it('has one column for each key of a map, whatever is in it, and round-trips every list of texts', async () => {
    const text = fc.oneof(
      fc.string({ unit: 'grapheme', minLength: 1 }),
      fc.constantFrom('|', '\\', '\\|', '|\\', '\\\\'),
    );
    const key = fc.oneof(
      fc.string({ unit: 'grapheme' }),
      fc.constantFrom('', '.', '\\', 'a.b', 'a\\.b', '__proto__', 'constructor', ' ', '"', ',', '\n'),
    );
    const schema = Type.Object({
      deep: Type.Optional(
        Type.Record(
          Type.String({ pattern: '^[\\s\\S]*$' }),
          Type.Object({ x: Type.Array(Type.String(), { item: 'x' }) }),
          {
            entry: 'entry',
          },
        ),
      ),
    });
    const odd = csv.codec<User>(schema, { one: 'x', many: 'xs', namespace: 'urn:x' });
    const maps = fc.dictionary(key, fc.record({ x: fc.array(text, { minLength: 1, maxLength: 4 }) }), {
      minKeys: 1,
      maxKeys: 5,
      noNullPrototype: true,
    });
    await fc.assert(
      fc.asyncProperty(
        fc.array(maps, { minLength: 1, maxLength: 3 }),
        fc.boolean(),
        async (all, spreadsheet) => {
          const values = all.map((deep) => ({ deep })) as unknown as User[];
          const { rows, error } = await readFile(odd, printFile(odd, values, { spreadsheet }), {
            spreadsheet,
          });
          expect(error).to.equal(undefined);
          expect(rows.map(({ value }) => value)).to.deep.equal(values);
        },
      ),
      { numRuns: 300 },
    );
    expect(({} as Record<string, unknown>).x).to.equal(undefined);
  });
});
