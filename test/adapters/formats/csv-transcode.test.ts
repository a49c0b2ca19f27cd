import { expect } from 'chai';
import fc from 'fast-check';
import Type from 'typebox';
import { csv } from '../../../src/adapters/formats/csv.ts';
import type { FileCodec, FilePrintOptions, KeptUser } from '../../../src/adapters/formats/file-format.ts';
import type { User } from '../../../src/domain/user/user.ts';
import { userCodec } from '../../contract/file-format.ts';
import { aUser } from '../../support/a-user.ts';
import { fullestUser } from '../../support/fullest-user.ts';
import { runs } from '../../support/runs.ts';
import { editedText, shuffle, storedText, strangeText, tornTexts } from '../../support/stored-texts.ts';
import { anyUser, largestUser } from '../../support/users.ts';

const codec = userCodec(csv);

/** Of users of any kind, which are made of a text when it is asked for. */
const kept = <T = User>(texts: readonly string[]): KeptUser<T>[] =>
  texts.map((text) => ({
    text,
    get user() {
      return JSON.parse(text) as T;
    },
  }));

/** Of users whose values nobody is to ask for. */
const unparsed = (texts: readonly string[]): KeptUser<User>[] =>
  texts.map((text) => ({
    text,
    get user(): User {
      throw new Error(`it was parsed: ${text}`);
    },
  }));

function columnsOf<T>(texts: readonly string[], of: FileCodec<T>): readonly string[] {
  const collector = of.collectColumns?.();
  for (const { user } of kept<T>(texts)) collector?.add(user);
  return collector?.columns() ?? [];
}

/** Each of them parsed, and printed by itself. */
function slowRows<T>(texts: readonly string[], options: FilePrintOptions, of: FileCodec<T>): string {
  const { row } = of.printer(options);
  const rows = kept<T>(texts).map(({ user }) => row(user));
  // In UTF-8, which has no half of a surrogate pair.
  return Buffer.from(rows.join('')).toString();
}

const rowsOf = <T>(
  users: readonly KeptUser<T>[],
  options: FilePrintOptions,
  of: FileCodec<T>,
  onOther?: (user: T) => void,
): string => Buffer.from(of.printer(options).rowsOf?.(users, onOther) ?? []).toString();

const usual = () => JSON.stringify(aUser({ title: 'x', roles: ['a', 'b'], attributes: { a: 'x, "y"' } }));

/** The same as the slow way, with all columns and with these, and a failure where that has one. */
function expectAsParsed(texts: readonly string[], columns: readonly string[]): void {
  const options = { columns };
  const attempt = (print: () => string): string => {
    try {
      return print();
    } catch (error) {
      return `failed: ${(error as Error).name}`;
    }
  };
  const expected = attempt(() => slowRows(texts, options, codec));
  for (const onOther of [undefined, () => undefined])
    expect(attempt(() => rowsOf(kept(texts), options, codec, onOther))).to.equal(expected);
}

describe('A stored user who is printed in a table', function () {
  // Thousands of users, each parsed and printed in several ways.
  this.timeout(60_000);
  for (const spreadsheet of [false, true])
    it(`is the same to the character as if the text were parsed, ${spreadsheet ? 'also ' : 'if not '}for a spreadsheet`, () => {
      fc.assert(
        fc.property(fc.array(storedText(), { minLength: 1, maxLength: 12 }), (texts) => {
          const options = { columns: columnsOf(texts, codec), spreadsheet };
          const onOther = () => expect.fail('a column is missing');
          expect(rowsOf(unparsed(texts), options, codec, onOther)).to.equal(slowRows(texts, options, codec));
        }),
        { numRuns: runs(400) },
      );
    });

  it('is that with columns that are chosen, in any order', () => {
    fc.assert(
      fc.property(fc.array(storedText(), { minLength: 1, maxLength: 6 }), fc.nat(), (texts, seed) => {
        const all = Object.fromEntries(columnsOf(texts, codec).map((path) => [path, path]));
        const columns = Object.keys(shuffle(all, seed) as object).slice(0, 1 + (seed % 9));
        expect(rowsOf(unparsed(texts), { columns }, codec)).to.equal(slowRows(texts, { columns }, codec));
      }),
    );
  });

  it('is that whatever the order of its members', () => {
    fc.assert(
      fc.property(anyUser(), fc.nat(1000), (user, seed) => {
        const texts = [JSON.stringify(shuffle(user, seed))];
        const columns = columnsOf(texts, codec);
        expect(rowsOf(unparsed(texts), { columns }, codec)).to.equal(slowRows(texts, { columns }, codec));
      }),
    );
  });

  it('is quoted, and has its apostrophe, as a cell of each kind', () => {
    const risky = ['=', '+', '-', '@', '\t', '\r', '\n', '\uFF1D', '\uFF0B', '\uFF0D', '\uFF20', '\uFF21'];
    const plain = ['x', '', '"', ',', '|', '\\', '[', '["a","b"]', "'", "''", 'é', '\u{1F600}', ' '];
    const texts = [...risky, ...plain].flatMap((mark) =>
      [mark, `${mark}x`, `'${mark}`, `''${mark}=`, `x${mark}`, `${mark}${mark}"`].flatMap((value) => [
        JSON.stringify(aUser({ title: value, attributes: { a: value } })),
        JSON.stringify(aUser({ roles: [value] })),
        JSON.stringify(aUser({ roles: [value, 'x', value] })),
      ]),
    );
    for (const spreadsheet of [false, true]) {
      const options = { columns: columnsOf(texts, codec), spreadsheet };
      expect(rowsOf(unparsed(texts), options, codec)).to.equal(slowRows(texts, options, codec));
    }
  });

  it('has as many cells as there may be, and the longest', () => {
    const texts = [usual(), JSON.stringify(largestUser()), usual(), JSON.stringify(fullestUser()), usual()];
    const one = [JSON.stringify(fullestUser())];
    const many = Array.from({ length: 700 }, (_, at) => texts[at % 3] ?? '');
    for (const some of [texts.slice(0, 3), one, many]) {
      const columns = columnsOf(some, codec).slice(0, 1000);
      expect(rowsOf(unparsed(some), { columns }, codec)).to.equal(slowRows(some, { columns }, codec));
    }
  });

  it('has any keys of a map, nearly a thousand', () => {
    const texts = Array.from({ length: 24 }, (_, user) =>
      JSON.stringify(
        aUser({
          attributes: Object.fromEntries(
            Array.from({ length: 64 }, (_, at) => [`k${(user * 40 + at).toString(36)}`, `${at}`]),
          ),
        }),
      ),
    );
    const columns = columnsOf(texts, codec);
    expect(columns).to.have.length(6 + 984);
    expect(rowsOf(kept(texts), { columns }, codec)).to.equal(slowRows(texts, { columns }, codec));
  });

  it('is parsed alone when its text holds what no user has, and keeps its place among the others', () => {
    const swap = (other: string): string => usual().replace('"title":"x"', other);
    const strange = [
      ...['"title":7', '"title":null', '"title":"\\u003c"', '"title":"\\/"', '"title":{}', '"title":[]'],
      ...['"title": "x"', '"title":"x","title":"y"', '"Title":"x"', '"titlé":"x"', '"__proto__":"x"'],
      ...[
        '"name":[]',
        '"roles":{}',
        '"roles":[]',
        '"roles":["a",7]',
        '"emails":[{"value":1}]',
        '"title":"\\b"',
      ],
      ...['"name":{"givenName":"a","givenName":"b"}', '"name":{"givenName":"a"},"name":{"familyName":"b"}'],
      ...['"nickName":"x"\n', '"nickName":\r\n"x"', '"nickName":"\\ud83d"', '"nickName":"\ud83d"'],
    ].map(swap);
    const columns = [
      'userName',
      'title',
      'nickName',
      'name.givenName',
      'name.familyName',
      'roles',
      'attributes.a',
    ];
    for (const text of strange)
      expectAsParsed([usual(), usual(), text, usual(), text, text, usual()], columns);
    expectAsParsed(strange, columns);
    const parsed: string[] = [];
    const odd = swap('"title":7');
    const users = kept([usual(), odd, usual()]).map(({ text }) => ({
      text,
      get user(): User {
        parsed.push(text);
        return JSON.parse(text);
      },
    }));
    rowsOf(users, { columns }, codec);
    expect(parsed).to.deep.equal([odd]);
  });

  it('has the keys of a map that JSON.parse has', () => {
    const columns = ['userName', 'attributes.a', 'attributes.constructor', 'attributes.toString'];
    const maps = [
      ...['{"a":"x","a":"y"}', '{"b":"x","b":"y","a":"z"}', '{"__proto__":"x"}', '{"__proto__":{"a":"x"}}'],
      ...[
        '{"constructor":"x","a b":"y"}',
        '{"":"x"}',
        '{"1":"x","a":"y"}',
        '{"\\u0061":"x"}',
        '{"é":"x"}',
        '{}',
      ],
    ];
    expectAsParsed(
      maps.map((map) => usual().replace('{"a":"x, \\"y\\""}', map)),
      columns,
    );
  });

  it('has no part of the one before, wherever the text breaks off', () => {
    const text = JSON.stringify(aUser({ displayName: 'Ada', roles: ['x', 'y'], attributes: { a: 'b' } }));
    const columns = columnsOf([text, usual()], codec);
    for (let length = 0; length < text.length; length += 1)
      expectAsParsed([usual(), text.slice(0, length), usual()], columns);
  });

  it('is never two users in one text, nor one in two', () => {
    for (const texts of [...tornTexts(usual(), usual()), []]) expectAsParsed(texts, ['id', 'title']);
  });

  it('is parsed when the text is larger than what is transcoded at once', () => {
    const texts = [usual(), JSON.stringify(aUser({ title: '"'.repeat(70_000) })), usual()];
    expectAsParsed(texts, ['id', 'title']);
    expectAsParsed([JSON.stringify(aUser({ title: '"'.repeat(30_000) }))], ['id', 'title']);
  });

  it('is nothing but what its values say, whatever somebody has done to the text', () => {
    fc.assert(
      fc.property(storedText(), editedText(), (text, edited) => {
        const columns = columnsOf([text], codec);
        expectAsParsed([text, edited, text], columns);
        expectAsParsed([edited], columns);
      }),
      { numRuns: runs(2000) },
    );
  });

  it('is nothing but what its values say, with any values in any places', () => {
    fc.assert(
      fc.property(storedText(), strangeText(), (text, strange) => {
        expectAsParsed([text, strange, text], columnsOf([text], codec));
      }),
      { numRuns: runs(2000) },
    );
  });
});

describe('The columns of a table', () => {
  it('are found in stored texts as in their values', () => {
    fc.assert(
      fc.property(fc.array(storedText(), { maxLength: 12 }), (texts) => {
        const collector = codec.collectColumns?.();
        collector?.addAll(kept(texts));
        expect(collector?.columns()).to.deep.equal(columnsOf(texts, codec));
        expect(collector?.size).to.equal(collector?.columns().length);
        // All of them are known now.
        collector?.addAll(unparsed(texts));
      }),
    );
  });

  it('are missed by those users and no others who have a value in none of them', () => {
    fc.assert(
      fc.property(storedText(), fc.array(storedText(), { minLength: 1, maxLength: 8 }), (first, texts) => {
        const columns = columnsOf([first], codec);
        const missed: unknown[] = [];
        const rows = rowsOf(kept(texts), { columns }, codec, (user) => missed.push(user));
        expect(rows).to.equal(slowRows(texts, { columns }, codec));
        const others = texts.filter((text) => columnsOf([first, text], codec).length > columns.length);
        expect(missed).to.deep.equal(others.map((text) => JSON.parse(text)));
      }),
    );
  });

  it('may be more than 1,000, which is refused as ever', () => {
    const texts = Array.from({ length: 20 }, (_, user) =>
      JSON.stringify(
        aUser({
          attributes: Object.fromEntries(Array.from({ length: 64 }, (_, at) => [`a${user}-${at}`, 'x'])),
        }),
      ),
    );
    expect(() => codec.collectColumns?.().addAll(kept(texts))).to.throw('more than 1000 columns');
  });
});

describe('A stored document of another schema that is printed in a table', () => {
  const values = Type.Array(Type.Boolean(), { item: 'i' });
  const many = Object.fromEntries(
    Array.from({ length: 70 }, (_, at) => [`m${at}`, Type.Optional(Type.String())]),
  );
  const schema = Type.Object({
    é: Type.Optional(Type.String()),
    a: Type.Optional(
      Type.Record(
        Type.String({ pattern: '' }),
        Type.Record(Type.String({ pattern: '' }), Type.String(), { entry: 'inner' }),
        {
          entry: 'outer',
        },
      ),
    ),
    m: Type.Optional(Type.Record(Type.String({ pattern: '' }), Type.String(), { entry: 'one' })),
    lists: Type.Optional(Type.Array(values, { item: 'list' })),
    texts: Type.Optional(
      Type.Array(
        Type.Object({
          more: Type.Optional(Type.Record(Type.String({ pattern: '' }), Type.String(), { entry: 'one' })),
        }),
        {
          item: 'text',
        },
      ),
    ),
    n: Type.Optional(Type.Number()),
    ...many,
  });
  const other = csv.codec<object>(schema, { one: 'thing', many: 'things', namespace: 'urn:x' });

  it('may have maps in maps, lists in lists, maps in lists and any number of members', () => {
    const texts = [
      {},
      { é: '\u{1F600}' },
      { a: { b: { c: 'd', e: 'f' }, c: { c: '<' }, d: {} }, é: 'x' },
      { lists: [[true, false], [], [false]], é: '' },
      { texts: Array.from({ length: 200 }, (_, at) => ({ more: { [`k${at % 3}`]: `${at}` } })) },
      { texts: [{ more: { a: '1', b: '2' } }, {}, { more: { a: '3' } }], m: { a: '4', '': '5', 'a.b': '6' } },
      { n: 1.5 },
      Object.fromEntries(Array.from({ length: 70 }, (_, at) => [`m${69 - at}`, `${at}`])),
    ].map((document) => JSON.stringify(document));
    const more = [...texts, '{"m1":"1","m69":"2","m1":"3"}', '{"m69":"2","m1":"3","m69":"1"}'];
    const columns = columnsOf(more, other);
    const missed = () => undefined;
    for (const onOther of [undefined, missed])
      expect(rowsOf(kept<object>(more), { columns }, other, onOther)).to.equal(
        slowRows(more, { columns }, other),
      );
    const collector = other.collectColumns?.();
    collector?.addAll(kept<object>(more));
    expect(collector?.columns()).to.deep.equal(columns);
  });
});
