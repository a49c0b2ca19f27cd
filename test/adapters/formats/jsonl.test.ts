import { expect } from 'chai';
import { jsonl } from '../../../src/adapters/formats/json/jsonl.ts';
import { readFile } from '../../contract/file-format.ts';
import { userCodec } from '../../support/kinds.ts';

const codec = userCodec(jsonl);

/** Of each row the line, and where and what is wrong. */
async function faultsOf(file: string | Buffer) {
  const { rows, error } = await readFile(codec, file);
  expect(error).to.equal(undefined);
  return rows.map(({ position, violations, locate }) =>
    violations.map(({ pointer, detail }) => [position.line, locate?.(pointer)?.column, pointer, detail]),
  );
}

describe('A file of JSON Lines', () => {
  it('may have blank lines, CR LF, and no line end after the last line', async () => {
    const file = '\n{"userName":"a"}\r\n \t\r\n\r\n  {"userName":"b"} \n{"userName":"c"}';
    for (const sizes of [[1], [7, 2], [1000]]) {
      const { rows, error } = await readFile(codec, file, { sizes });
      expect(error).to.equal(undefined);
      expect(rows.map(({ value, position }) => [value, position])).to.deep.equal([
        [{ userName: 'a' }, { line: 2, column: 1 }],
        [{ userName: 'b' }, { line: 5, column: 1 }],
        [{ userName: 'c' }, { line: 6, column: 1 }],
      ]);
    }
  });

  it('is read on after a line that is not JSON, which is reported with its number', async () => {
    const notJson = 'this is not JSON';
    const lines = ['{"a":1}', '{"a":01}', 'nonsense', '{"a":"\0"}', '{"a":"', '{"a":1}{}', '[{"b":}]', '{}'];
    expect(await faultsOf(lines.join('\n'))).to.deep.equal([
      [],
      [[2, 7, '', notJson]],
      [[3, 1, '', notJson]],
      [[4, 6, '', notJson]],
      [[5, 6, '', notJson]],
      [[6, 8, '', notJson]],
      [[7, 7, '', notJson]],
      [],
    ]);
  });

  it('may have a CR as white space within a line, but not within a text', async () => {
    expect(await faultsOf('{"a":\r1}\n{"a":"\r"}\n{"a":\r\rx}')).to.deep.equal([
      [],
      [[2, 6, '', 'this is not JSON']],
      [[3, 8, '', 'this is not JSON']],
    ]);
  });

  it('is read quickly, however many CRs follow each other', async () => {
    const file = `{"a":1${'\r'.repeat(250_000)}}\r\n`.repeat(2);
    expect(await faultsOf(file)).to.deep.equal([[], []]);
  });

  it('has limits for depth, values and duplicate names in each line', async () => {
    const deep = '['.repeat(40) + ']'.repeat(40);
    const many = JSON.stringify(Array.from({ length: 5000 }, () => 0));
    expect(await faultsOf(`${deep}\n${many}\n{"a":1,"a":2}\n{}`)).to.deep.equal([
      [[1, 33, '', 'nesting is deeper than 32']],
      [[2, 8191, '', 'it has more than 4096 values']],
      [[3, 12, '/a', 'occurs more than once']],
      [],
    ]);
  });

  it('may have names of the prototype, like other names', async () => {
    const { rows } = await readFile(codec, '{"__proto__":{"x":1},"constructor":2}');
    expect(rows.map(({ value }) => Object.keys(value as object))).to.deep.equal([
      ['__proto__', 'constructor'],
    ]);
    expect(({} as Record<string, unknown>).x).to.equal(undefined);
  });

  it('is read up to a line that is too long, which is reported with its place', async () => {
    const { rows, error } = await readFile(codec, `{}\n{"a":"${'x'.repeat(100)}"}\n{}`, {
      sizes: [10],
      maxRowLength: 50,
    });
    expect(rows).to.have.length(1);
    expect([error?.message, error?.position]).to.deep.equal([
      'the line has more than 50 characters',
      { line: 2, column: 1 },
    ]);
  });

  const text = '{"title":"é€"}\n';
  const utf16 = Buffer.from(`\uFEFF${text}`, 'utf16le');
  const encoded: readonly [
    what: string,
    file: Buffer,
    encoding?: 'windows-1252' | 'iso-8859-1' | 'utf-16be',
  ][] = [
    ['UTF-8', Buffer.from(text)],
    ['UTF-8 with its mark', Buffer.from(`\uFEFF${text}`)],
    ['UTF-16, little-endian, by its mark', utf16],
    ['UTF-16, big-endian, by its mark', Buffer.from(utf16).swap16()],
    ['UTF-16, by its mark, whatever it is said to be', utf16, 'windows-1252'],
    ['UTF-16, big-endian, as it is said to be', Buffer.from(text, 'utf16le').swap16(), 'utf-16be'],
    ['windows-1252', Buffer.from('{"title":"\xe9\x80"}', 'latin1'), 'windows-1252'],
  ];
  for (const [what, file, encoding] of encoded) {
    it(`is read in ${what}`, async () => {
      for (const sizes of [[1], [1000]]) {
        const { rows, error } = await readFile(codec, file, { sizes, encoding });
        expect(error).to.equal(undefined);
        expect(rows.map(({ value }) => value)).to.deep.equal([{ title: 'é€' }]);
      }
    });
  }

  it('is read up to the first byte that is not in its encoding, which is reported with its place', async () => {
    const { rows, error } = await readFile(codec, Buffer.from('{}\n{"a":"\xfc"}\n{}', 'latin1'));
    expect(rows).to.have.length(1);
    expect([error?.message, error?.position]).to.deep.equal([
      'the file is not UTF-8; it looks like windows-1252: --encoding windows-1252',
      { line: 2, column: 7 },
    ]);
  });

  it('is read in batches of 256 lines, or fewer with 64 KiB of text', async () => {
    const sizesOf = async (line: string, count: number) => {
      const sizes: number[] = [];
      const file = async function* () {
        yield Buffer.from(`${line}\n`.repeat(count));
      };
      for await (const rows of codec.read(file(), { maxRowLength: 1 << 20 })) sizes.push(rows.length);
      return sizes;
    };
    expect(await sizesOf('{}', 600)).to.deep.equal([256, 256, 88]);
    expect(await sizesOf(JSON.stringify({ title: 'x'.repeat(30_000) }), 7)).to.deep.equal([3, 3, 1]);
  });
});
