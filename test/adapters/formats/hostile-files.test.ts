import { expect } from 'chai';
import { fileFormats } from '../../../src/adapters/formats/file-formats.ts';
import type { FileFormat } from '../../../src/adapters/formats/port/file-format.ts';
import { UnreadableError } from '../../../src/adapters/formats/text/positions.ts';
import { User } from '../../../src/domain/kinds/user/user.ts';
import { validator } from '../../../src/domain/validation/schema-validator.ts';
import { maxRowLength, printFile, type ReadFile, readFile } from '../../contract/file-format.ts';
import { aUser } from '../../support/a-user.ts';
import { fullestUser } from '../../support/fullest-user.ts';
import { userCodec } from '../../support/kinds.ts';
import { mutate, seededRandom } from '../../support/mutations.ts';
import { runs } from '../../support/runs.ts';

/** Of each format: at least so many that some of each kind are among them. */
const mutated = Math.max(100, runs(2_000));
const validate = validator(User);

const users = [
  aUser({
    userName: 'jan',
    name: { familyName: 'Jansen', givenName: 'J "é" €' },
    title: 'a, b;\r\nc',
    emails: [{ value: 'jan@example.com', type: 'work', primary: true }, { value: 'j@example.com' }],
    roles: ['admin', 'a|b', 'c\\'],
    attributes: { costCenter: '=1', constructor: "'x" },
  }),
  aUser({ userName: 'piet', active: false, displayName: '<Piet & \u{1F600}>' }),
  aUser({ userName: 'kees' }),
];

/** All that there is to tell of a reading. What ends it is told of XML by what saxes has seen: in pieces it may be another fault. */
const describeReading = ({ rows, header, error }: ReadFile, isXml: boolean) => ({
  rows: rows.map(({ value, violations, position, text, locate }) => ({
    value,
    violations,
    position,
    text,
    places: violations.map(({ pointer }) => locate?.(pointer)),
  })),
  header,
  error: isXml ? error !== undefined : error?.message,
  position: isXml ? undefined : error?.position,
});

for (const format of fileFormats) {
  const codec = userCodec(format);
  const file = Buffer.from(printFile(codec, users));
  const isXml = format.name === 'xml';

  describe(`A damaged file in ${format.name}`, () => {
    it('is read or refused with a place, with the same result for any chunks', async () => {
      const random = seededRandom(17);
      let [whole, refused, faulty] = [0, 0, 0];
      for (let count = 0; count < mutated; count += 1) {
        const bytes = mutate(file, random);
        const options = { spreadsheet: count % 2 === 0, emptyRemoves: count % 3 === 0 };
        const read = await readFile(codec, bytes, options);
        const sizes = [1 + Math.floor(random() * 50), 1 + Math.floor(random() * 500)];
        const inPieces = await readFile(codec, bytes, { ...options, sizes });
        expect(describeReading(inPieces, isXml)).to.deep.equal(describeReading(read, isXml));
        if (read.error === undefined) whole += 1;
        else {
          refused += 1;
          expect(read.error.position?.line).to.be.within(1, 1 + bytes.length);
        }
        for (const { value, edit, violations } of read.rows) {
          faulty += violations.length > 0 ? 1 : 0;
          validate(value);
          if (edit !== undefined) validate(edit(structuredClone(users[0] as User)));
        }
        await checkRejects(format, read);
      }
      expect(({} as Record<string, unknown>).x).to.equal(undefined);
      expect(Object.keys(Object.prototype)).to.deep.equal([]);
      // Of each kind there must be some, or the generator is of no use.
      expect(whole).to.be.above(mutated / 50);
      expect(refused).to.be.above(mutated / 50);
      if (format.name === 'jsonl' || format.name === 'csv') expect(faulty).to.be.above(mutated / 50);
    });
  });
}

/** All rows, as if none had been taken, read again. */
async function checkRejects(format: FileFormat, read: ReadFile): Promise<void> {
  if (read.rows.length === 0) return;
  const codec = userCodec(format);
  const { open, between, close, row } = codec.rejectPrinter(read.header);
  const text = open + read.rows.map((one) => row(one, one.violations)).join(between) + close;
  const again = await readFile(codec, text);
  expect(again.error).to.equal(undefined);
  const contents = ({ rows }: ReadFile) => rows.map(({ violations, text }) => ({ violations, text }));
  expect(contents(again)).to.deep.equal(contents(read));
}

const mebibyte = 1024 * 1024;

/** What begins a file, then the same again and again, a gigabyte of it. `pulled` counts the bytes that were asked for. */
function endless(start: string, again: string) {
  const piece = Buffer.from(again.repeat(Math.ceil((64 * 1024) / again.length)));
  const counter = { pulled: 0, isClosed: false };
  async function* chunks(): AsyncGenerator<Buffer> {
    try {
      yield Buffer.from(start);
      for (; counter.pulled < 1024 * mebibyte; counter.pulled += piece.length) yield piece;
    } finally {
      counter.isClosed = true;
    }
  }
  return { chunks: chunks(), counter };
}

describe('A file that never ends', () => {
  const hostile: Readonly<Record<string, [format: string, start: string, again: string, message: RegExp]>> = {
    'a line of JSON Lines': ['jsonl', '{"title":"', 'x', /^the line has more than/],
    'a line of white space': ['jsonl', '', ' ', /^the line has more than/],
    'an object that opens': ['jsonl', '', '{"a":', /^the line has more than/],
    'a text in JSON': ['json', '{"users":[{"title":"', 'x', /^an item of the list, or the text between/],
    'lists within lists': ['json', '{"users":[', '[', /^an item of the list, or the text between/],
    'white space in front of a list in JSON': ['json', '', ' ', /^an item of the list, or the text between/],
    'white space in front of the items in JSON': [
      'json',
      '{"users"',
      '\n',
      /^an item of the list, or the text between/,
    ],
    'white space between items in JSON': [
      'json',
      '{"users":[{},',
      ' \r\n\t',
      /^an item of the list, or the text between/,
    ],
    'white space behind an item in JSON': [
      'json',
      '{"users":[{}',
      ' ',
      /^an item of the list, or the text between/,
    ],
    'white space behind the items in JSON': [
      'json',
      '{"users":[{}]',
      ' ',
      /^an item of the list, or the text between/,
    ],
    'white space behind a list in JSON': [
      'json',
      '{"users":[{}]}',
      ' ',
      /^an item of the list, or the text between/,
    ],
    'white space in front of a list in XML': ['xml', '', ' ', /^an item of the list, or the text between/],
    'white space between items in XML': [
      'xml',
      '<users><user/>',
      ' ',
      /^an item of the list, or the text between/,
    ],
    'white space behind a list in XML': ['xml', '<users/>', ' ', /^an item of the list, or the text between/],
    'an element in XML': ['xml', '<users><user><title>', 'x', /has more than/],
    'elements within elements': ['xml', '<users>', '<user>', /nesting is deeper/],
    'a comment in XML': ['xml', '<users><!--', 'x', /has more than/],
    'a declaration of entities': ['xml', '<!DOCTYPE users [', '<!ENTITY a "b">', /./],
    'a header': ['csv', '', 'x', /^the row has more than/],
    'empty columns': ['csv', 'userName', ',', /^the row has more than/],
    'columns that stand twice': ['csv', 'userName', ',title', /^the row has more than/],
    'a cell': ['csv', 'userName\n', 'x', /^the row has more than/],
    'empty cells': ['csv', 'userName\n', ',', /^the row has more than/],
    'a quote': ['csv', 'userName\n"', 'x\n', /^a quote opens here and is not closed/],
    'doubled quotes': ['csv', 'userName\n"', '""', /^a quote opens here and is not closed/],
    'a row with a fault': ['csv', 'userName\na"', 'x', /^the row has more than/],
    'NUL in a line': ['jsonl', '', '\0', /^the line has more than/],
    'NUL in a table': ['csv', '', '\0', /^the row has more than/],
  };
  for (const [what, [name, start, again, message]] of Object.entries(hostile)) {
    it(`is refused after the maximum length of a row: ${what}`, async () => {
      const { chunks, counter } = endless(start, again);
      const format = fileFormats.find((one) => one.name === name) ?? expect.fail(name);
      let error: unknown;
      try {
        for await (const rows of userCodec(format).read(chunks, { maxRowLength }))
          expect(rows.length).to.be.at.most(256);
      } catch (thrown) {
        error = thrown;
      }
      expect(error).to.be.instanceOf(UnreadableError);
      expect((error as UnreadableError).message).to.match(message);
      expect((error as UnreadableError).position?.line).to.be.at.least(1);
      expect(counter.pulled).to.be.at.most(2 * maxRowLength);
      expect(counter.isClosed).to.equal(true);
    });
  }

  it('may have a thousand columns, but no more', async () => {
    const csv = fileFormats.find(({ name }) => name === 'csv') ?? expect.fail();
    const named = (count: number) => Array.from({ length: count }, (_, at) => `attributes.a${at}`).join(',');
    const read = (count: number) => readFile(userCodec(csv), `${named(count)}\n`, { maxRowLength: mebibyte });
    expect((await read(1000)).error).to.equal(undefined);
    expect((await read(1002)).error?.message).to.equal('there are more than 1000 columns');
    const million = await readFile(userCodec(csv), `${','.repeat(1e6)}\n`, {
      maxRowLength: 2 * mebibyte,
    });
    expect(million.error?.message).to.equal('there are more than 1000 columns');
  });

  it('may begin with the largest possible user', async () => {
    for (const format of fileFormats) {
      const codec = userCodec(format);
      const { rows } = await readFile(codec, printFile(codec, [fullestUser(), fullestUser()]));
      expect(rows).to.have.length(2);
    }
  });
});
