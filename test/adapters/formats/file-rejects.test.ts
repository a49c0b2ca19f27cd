import { expect } from 'chai';
import fc from 'fast-check';
import { fileFormats } from '../../../src/adapters/formats/file-formats.ts';
import type { FileRow } from '../../../src/adapters/formats/port/file-format.ts';
import type { Violation } from '../../../src/domain/validation/errors.ts';
import { printFile, type ReadFile, readFile } from '../../contract/file-format.ts';
import { aUser } from '../../support/a-user.ts';
import { userCodec } from '../../support/kinds.ts';
import { runs } from '../../support/runs.ts';
import { anyUser } from '../../support/users.ts';

/** What a row is, wherever it stands. */
const contentOf = ({ value, violations, text }: FileRow) => ({ value, violations, text });

const violations = fc.array(
  fc.record({
    pointer: fc.oneof(fc.constant('/userName'), fc.string({ unit: 'grapheme' })),
    detail: fc.oneof(
      fc.constantFrom('--', '-->', '"}"', ']}', '$rejected', '|,;\t\n', '\u2028', '"{""line"":'),
      fc.string({ unit: 'grapheme' }),
    ),
  }),
  { maxLength: 3 },
);

for (const format of fileFormats) {
  const codec = userCodec(format);
  const printRejects = ({ rows, header }: ReadFile, reasons: readonly (readonly Violation[])[]): string => {
    const { open, between, close, row } = codec.rejectPrinter(header);
    return open + rows.map((one, at) => row(one, reasons[at] ?? [])).join(between) + close;
  };

  describe(`A file of rejects in ${format.name}`, () => {
    it('is read as the rows that it was made of, however often they are refused again', async () => {
      await fc.assert(
        fc.asyncProperty(
          fc.array(anyUser(), { minLength: 1, maxLength: 4 }),
          fc.array(violations, { minLength: 4, maxLength: 4 }),
          fc.integer({ min: 1, max: 2000 }),
          async (users, reasons, size) => {
            const first = await readFile(codec, printFile(codec, users));
            let again = first;
            for (let times = 0; times < 2; times += 1) {
              again = await readFile(codec, printRejects(again, reasons), { sizes: [size] });
              expect(again.error).to.equal(undefined);
              expect(again.rows.map(contentOf)).to.deep.equal(first.rows.map(contentOf));
            }
          },
        ),
        { numRuns: runs(150) },
      );
    });

    it('has the reason beside each row, with its place', async () => {
      const users = [aUser({ title: 'One' }), aUser({ title: 'Two' })];
      const read = await readFile(codec, printFile(codec, users));
      const reason = [{ pointer: '/title', detail: 'is too short' }];
      const file = printRejects(read, [reason, reason]);
      for (const { position } of read.rows) {
        const told = format.hasColumns
          ? `row ${position.line}, cell C${position.line} "title": is too short`
          : JSON.stringify({ ...position, errors: reason });
        expect(file.replaceAll('""', '"')).to.include(told);
      }
    });

    it('without rejects is a valid, empty file', async () => {
      const read = await readFile(codec, printFile(codec, [aUser()]));
      const { rows, error } = await readFile(codec, printRejects({ ...read, rows: [] }, []));
      expect([rows, error]).to.deep.equal([[], undefined]);
    });
  });
}

const codecOf = (name: string) => {
  const format = fileFormats.find((one) => one.name === name);
  return format === undefined ? expect.fail(name) : userCodec(format);
};
const reason = [{ pointer: '', detail: 'x' }];

async function rejectsOf(
  name: string,
  file: string,
): Promise<{ text: string; read: ReadFile; again: ReadFile }> {
  const codec = codecOf(name);
  const read = await readFile(codec, file);
  const { open, between, close, row } = codec.rejectPrinter(read.header);
  const text = open + read.rows.map((one) => row(one, [...reason, ...one.violations])).join(between) + close;
  return { text, read, again: await readFile(codec, text) };
}

describe('A file of rejects', () => {
  it('keeps lines that are not JSON', async () => {
    const { text, read, again } = await rejectsOf('jsonl', '{"a":1\r\nnonsense\n{"a": 1 }\n');
    expect(text.split('\n').filter((_, at) => at % 2 === 1)).to.deep.equal([
      '{"a":1',
      'nonsense',
      '{"a": 1 }',
    ]);
    expect(again.rows.map(contentOf)).to.deep.equal(read.rows.map(contentOf));
  });

  it('keeps the unreadable rows of a table, and its delimiter', async () => {
    const rows = ['a;b', 'a', 'a;"b" c', 'a;x"y', '"x\ny";"";', '"c"'];
    const { text, read, again } = await rejectsOf('csv', `userName;title\n${rows.join('\n')}\n`);
    expect(text.startsWith('userName;title;$rejected\r\na;b;"row 2: x"\r\n')).to.equal(true);
    const filled = rows.map((row) => (['a', '"c"'].includes(row) ? `${row};` : row));
    expect(read.rows.map((row) => row.text)).to.deep.equal(filled);
    expect(again.rows.map(contentOf)).to.deep.equal(read.rows.map(contentOf));
  });

  it('may be a table whose reasons were removed or changed by hand', async () => {
    const mended = 'userName,title,$rejected\na,b\na,b,\na,b,mended\na,"{""line"":1}"\n';
    const { rows } = await readFile(codecOf('csv'), mended);
    expect(rows.map(({ value }) => value)).to.deep.equal([
      { userName: 'a', title: 'b' },
      { userName: 'a', title: 'b' },
      { userName: 'a', title: 'b' },
      { userName: 'a', title: '{"line":1}' },
    ]);
  });

  it('keeps the prefixes, comments and characters of XML', async () => {
    const own = 'xmlns:u="urn:user-management:1"';
    const users = [
      `<u:user\n a:b='>' xmlns:a="urn:a"><!-- </u:user> --><u:title><![CDATA[</u:user>]]>&lt;</u:title></u:user>`,
      '<u:user><u:title>\u{1F600}</u:title></u:user>',
      '<u:user/>',
      '<u:user></u:user >',
      '<u:user><?a </u:user> ?><u:nonsense><u:user/></u:nonsense></u:user>',
    ];
    const file = `<?xml version="1.0"?>\r\n<!-- <u:x> --><?b <y>?><u:users\r\n ${own} total="9">\r\n<!-- x -->${users.join(' <!-- y -->\r <!-- \u{1F600} -->')}</u:users>`;
    const { text, read, again } = await rejectsOf('xml', file);
    expect(read.rows.map((row) => row.text)).to.deep.equal(users);
    expect(text).to.include(`\n<u:users\r\n ${own} total="9">\n`.trim());
    expect(again.error).to.equal(undefined);
    expect(again.rows.map(contentOf)).to.deep.equal(read.rows.map(contentOf));
  });

  it('keeps the layout of users in JSON', async () => {
    const { text, read, again } = await rejectsOf(
      'json',
      '{"total":2,"users":[\n{ "a": 1,\r\n "a" : 2 } , {}\n]}',
    );
    expect(text).to.include('\n{ "a": 1,\r\n "a" : 2 },\n');
    expect(again.rows.map(contentOf)).to.deep.equal(read.rows.map(contentOf));
  });
});
