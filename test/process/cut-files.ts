/** Files of users that end anywhere. */

import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { constants, gunzipSync, gzipSync } from 'node:zlib';
import { expect } from 'chai';
import { fileFormats } from '../../src/adapters/formats/file-formats.ts';
import { type FileFormat, fileEncodings } from '../../src/adapters/formats/port/file-format.ts';
import type { User } from '../../src/domain/kinds/user/user.ts';
import { aUser } from '../support/a-user.ts';
import { userCodec } from '../support/kinds.ts';
import { type Taken, take } from './taken-files.ts';

/** Of every kind of value, with what has a meaning in one of the formats, and characters of one to four bytes. */
const users: readonly User[] = [
  aUser({ userName: 'ada', title: 'Grüße, "€" \u{1F600}', roles: ['a', 'b|c'], active: false }),
  aUser({ userName: 'bob', nickName: 'x\r\ny</user>}]', attributes: { costCenter: '4711' } }),
  aUser({
    userName: 'cyd',
    name: { familyName: 'Åš' },
    emails: [{ value: 'cyd@example.org', primary: true }],
  }),
  aUser({ userName: 'dan' }),
];

const columns = ['id', 'userName', 'title', 'roles', 'active', 'nickName', 'attributes.costCenter'];
columns.push('name.familyName', 'emails.0.value', 'emails.0.primary', 'meta.version');

/** What is told of a last row that may be complete. */
export const heldBack =
  'no line break ends the last line, and half a cell looks like a whole one: if the file was not cut off, --last-line takes it';

interface PrintedFile {
  readonly bytes: Buffer;
  /** Behind the header, and behind each row with what separates it from the next. */
  readonly ends: readonly number[];
}

function print(format: FileFormat): PrintedFile {
  const { open, between, close, row } = userCodec(format).printer({ columns });
  let text = open;
  const ends = [Buffer.byteLength(text)];
  for (const [at, user] of users.entries()) {
    text += (at > 0 ? between : '') + row(user);
    ends.push(Buffer.byteLength(text));
  }
  return { bytes: Buffer.from(text + close), ends };
}

/** How much text must follow a row before the row counts, and whether a file that ends there looks complete. */
const rules: Readonly<
  Record<string, { readonly after: number; readonly isWhole: (at: number, file: PrintedFile) => boolean }>
> = {
  // The closing brace; the line feed behind it may be missing.
  jsonl: {
    after: -1,
    isWhole: (at, { ends }) => ends.some((end) => at === end || at === Math.max(0, end - 1)),
  },
  // The comma, or the bracket on the next line.
  json: { after: 1, isWhole: (at, { bytes }) => at >= bytes.length - 1 },
  xml: { after: 0, isWhole: (at, { bytes }) => at >= bytes.length - 1 },
  // The carriage return.
  csv: { after: -1, isWhole: (at, { ends }) => ends.some((end) => at === end || at === end - 1) },
};

const withoutMeta = (all: readonly User[]) =>
  all.map(({ meta: _, ...user }) => user).sort((one, other) => (one.id < other.id ? -1 : 1));

export function itsEndIsFound(): void {
  let folder = '';
  const at = (name: string) => join(folder, name);
  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'cut-off-'));
    execFileSync('mkfifo', [at('pipe')]);
  });
  after(() => rmSync(folder, { recursive: true }));

  /** From a file, and through a pipe. */
  async function* takings(bytes: Buffer, name: string, format: FileFormat): AsyncGenerator<Taken> {
    writeFileSync(at(name), bytes);
    yield take(at(name), format);
    // A reader that has seen enough may go before all is written.
    const written = writeFile(at('pipe'), bytes).catch(() => undefined);
    yield take(at('pipe'), format);
    await written;
  }

  function expectTaken(
    { users: there, rejected, failure }: Taken,
    count: number,
    isWhole: boolean,
    where: string,
  ): void {
    expect(withoutMeta(there), where).to.deep.equal(withoutMeta(users.slice(0, count)));
    expect(rejected, where).to.equal(0);
    if (isWhole) expect(failure, where).to.equal(undefined);
    else expect(failure, where).to.match(/cut-off-.*: (?:line \d+, column \d+|row \d+, cell [A-Z]\d+): ./);
  }

  for (const format of fileFormats) {
    const file = print(format);
    const { after, isWhole } = rules[format.name] ?? expect.fail(format.name);

    it(`in ${format.name}, at any byte, reports the place and has the users before it`, async () => {
      const total = file.bytes.length;
      for (let length = 0; length <= total; length += 1) {
        // Behind the last row of JSON there is a line end in front of the bracket.
        const count = file.ends
          .slice(1)
          .filter((end, row) => length >= end + after + (after > 0 && row === users.length - 1 ? 1 : 0));
        for await (const taken of takings(file.bytes.subarray(0, length), `users.${format.name}`, format))
          expectTaken(taken, count.length, isWhole(length, file), `${length} of ${total} bytes`);
      }
    });

    it(`in ${format.name} with gzip, at any byte, reports the place and has the users before it`, async () => {
      const packed = gzipSync(file.bytes);
      for (let length = 1; length < packed.length; length += 1) {
        const part = packed.subarray(0, length);
        const known = length < 10 ? 0 : gunzipSync(part, { finishFlush: constants.Z_SYNC_FLUSH }).length;
        const needed = format.name === 'jsonl' ? 0 : after;
        const count = file.ends
          .slice(1)
          .filter((end, row) => known >= end + needed + (needed > 0 && row === users.length - 1 ? 1 : 0));
        for await (const taken of takings(part, `users.${format.name}.gz`, format))
          expectTaken(taken, count.length, false, `${length} of ${packed.length} bytes, ${known} of text`);
      }
    });

    it(`in ${format.name} and any encoding, also within a character, reports the place`, async () => {
      for (const encoding of fileEncodings) {
        if (!encoding.startsWith('utf-16')) continue;
        const little = Buffer.from(String(file.bytes), 'utf16le');
        const bytes = encoding === 'utf-16le' ? little : little.swap16();
        for (let length = 1; length < bytes.length; length += 2) {
          writeFileSync(at('wide'), bytes.subarray(0, length));
          const { failure, users: there } = await take(at('wide'), format, { encoding });
          expect(failure, `${encoding} ${length}`).to.match(
            /line \d+, column \d+: |row \d+, cell [A-Z]\d+: /,
          );
          expect(withoutMeta(there)).to.deep.equal(withoutMeta(users.slice(0, there.length)));
        }
      }
    });
  }
}
