import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { constants, gunzipSync, gzipSync } from 'node:zlib';
import { expect } from 'chai';
import { type FileFormat, fileEncodings } from '../../src/adapters/formats/core/file-format.ts';
import { fileFormats } from '../../src/adapters/formats/file-formats.ts';
import { memoryStore } from '../../src/adapters/stores/memory/store.ts';
import { messageOf } from '../../src/adapters/system-errors.ts';
import { type ImportWishes, takeUsers } from '../../src/commands/files/take-users.ts';
import type { User } from '../../src/domain/user/user.ts';
import { userCodec } from '../contract/file-format.ts';
import { aUser } from '../support/a-user.ts';
import { aDataFolder, discardProcesses, launch, run } from '../support/process.ts';
import { listAll, usersIn } from './directories.ts';

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

/** How far a text goes on behind a row before the row counts, and whether what then ends can be taken for a whole file. */
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

interface Taken {
  readonly users: readonly User[];
  readonly rejected: number;
  readonly failure: string | undefined;
}

async function take(path: string, format: FileFormat, wishes: Partial<ImportWishes> = {}): Promise<Taken> {
  const store = memoryStore();
  const { counts, failure } = await takeUsers(
    { path, codec: userCodec(format), ...wishes },
    {
      signal: new AbortController().signal,
      onFatal: (error) => expect.fail(String(error)),
      assertForeign: async () => undefined,
      openStore: async () => store,
    },
  );
  const message = failure === undefined ? undefined : messageOf(failure);
  return { users: await listAll(store), rejected: counts.rejected, failure: message };
}

describe('A file of users that was cut off', function () {
  this.timeout(120_000);
  let folder = '';
  const at = (name: string) => join(folder, name);
  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'cut-off-'));
    execFileSync('mkfifo', [at('pipe')]);
  });
  after(() => rmSync(folder, { recursive: true }));
  afterEach(discardProcesses);

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
    else expect(failure, where).to.match(/cut-off-.*: line \d+, column \d+: ./);
  }

  for (const format of fileFormats) {
    const file = print(format);
    const { after, isWhole } = rules[format.name] ?? expect.fail(format.name);

    it(`in ${format.name}, at whatever byte, ends with its place and has the users in front of it`, async () => {
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

    it(`in ${format.name} and packed, at whatever byte, ends with its place and has the users in front of it`, async () => {
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

    it(`in ${format.name} ends with its place in every encoding, also within a character`, async () => {
      for (const encoding of fileEncodings) {
        if (!encoding.startsWith('utf-16')) continue;
        const little = Buffer.from(String(file.bytes), 'utf16le');
        const bytes = encoding === 'utf-16le' ? little : little.swap16();
        for (let length = 1; length < bytes.length; length += 2) {
          writeFileSync(at('wide'), bytes.subarray(0, length));
          const { failure, users: there } = await take(at('wide'), format, { encoding });
          expect(failure, `${encoding} ${length}`).to.match(/line \d+, column \d+: /);
          expect(withoutMeta(there)).to.deep.equal(withoutMeta(users.slice(0, there.length)));
        }
      }
    });
  }

  const table = async (content: string, wishes: Partial<ImportWishes> = {}) => {
    writeFileSync(at('table.csv'), content);
    const csv = fileFormats.find(({ name }) => name === 'csv') ?? expect.fail();
    const { users: there, rejected, failure = '' } = await take(at('table.csv'), csv, wishes);
    return [there.map(({ userName }) => userName).sort(), rejected, failure.replace(/^.*table.csv: /, '')];
  };
  const heldBack =
    'no line break ends the last line, and half a cell looks like a whole one: if the file was not cut off, --last-line takes it';

  it('as a table whose last row may be whole, holds that back and names it; --last-line takes it', async () => {
    for (const last of ['bob,x', 'bob,', 'bob,"x"', ',', 'bob,"x""y"']) {
      expect(await table(`userName,title\nada,\n${last}`), last).to.deep.equal([
        ['ada'],
        0,
        `line 3, column 1: ${heldBack}`,
      ]);
      const names = last === ',' ? ['ada'] : ['ada', 'bob'];
      expect(await table(`userName,title\nada,\n${last}`, { lastLine: true }), last).to.deep.equal([
        names,
        0,
        '',
      ]);
      expect(await table(`userName,title\nada,\n${last}\n`)).to.deep.equal([names, 0, '']);
    }
  });

  it('as a table with missing cells or an open quote in its last row, is not taken with --last-line either', async () => {
    const open = 'line 3, column 5: a quote opens here and is never closed';
    for (const [last, message] of [
      ['bob', 'line 3, column 1: the file is cut off: the row has 1 cell, the header 2'],
      ['bob,"x', open],
      ['bob,"x\n', open],
      ['bob,"x""', open],
    ] as const)
      for (const lastLine of [true, false])
        expect(await table(`userName,title\nada,\n${last}`, { lastLine }), last).to.deep.equal([
          ['ada'],
          0,
          message,
        ]);
    // With a line end it is a row like others.
    expect(await table('userName,title\nada,\nbob\n')).to.deep.equal([['ada'], 1, '']);
  });

  it('as a table that has no more than its header, is held back too', async () => {
    for (const front of ['userName,title', 'userName,tit', 'sep=', 'sep=;'])
      expect(await table(front), front).to.deep.equal([[], 0, `line 1, column 1: ${heldBack}`]);
    expect(await table('userName,title', { lastLine: true })).to.deep.equal([[], 0, '']);
    expect(await table('userName,title\n')).to.deep.equal([[], 0, '']);
  });

  it('as a table of rejects, is held back with the reasons or without them', async () => {
    const header = 'userName,title,$rejected\n';
    const reasons = '"{""line"":2,""column"":1,""errors"":[]}"';
    for (const [row, message] of [
      [`ada,x,${reasons}`, heldBack],
      ['ada,x', heldBack],
      ['ada', 'the file is cut off: the row has 1 cell, the header 2'],
    ])
      expect(await table(header + row), row).to.deep.equal([[], 0, `line 2, column 1: ${message}`]);
    expect(await table(`${header}ada,x,${reasons}`, { lastLine: true })).to.deep.equal([['ada'], 0, '']);
  });

  it('in JSON Lines, tells a last value that is wrong from one that is not whole', async () => {
    const jsonl = fileFormats.find(({ name }) => name === 'jsonl') ?? expect.fail();
    for (const [last, rejected, place] of [
      ['{"userName":"bob",}', 1, undefined],
      ['{"userName":"bob"]', 1, undefined],
      ['7', 1, undefined],
      ['{"userName":"bo', 0, /line 2, column 16: the file is cut off/],
      ['{"userName":"bob","active":tru', 0, /line 2, column 31: the file is cut off/],
      ['{"userName":"bob\\', 0, /line 2, column 18: the file is cut off/],
      ['{"name":{"givenName":"B"}', 0, /line 2, column 26: the file is cut off/],
    ] as const) {
      writeFileSync(at('lines.jsonl'), `{"userName":"ada"}\n${last}`);
      const taken = await take(at('lines.jsonl'), jsonl);
      expect([taken.users.length, taken.rejected], last).to.deep.equal([1, rejected]);
      if (place === undefined) expect(taken.failure, last).to.equal(undefined);
      else expect(taken.failure, last).to.match(place);
    }
  });

  it('ends the command with 1, says what is in, and keeps it', async () => {
    const header = 'userName,title\n';
    const many = Array.from({ length: 5000 }, (_, one) => `user${one},x\n`).join('');
    const own = aDataFolder();
    writeFileSync(join(own, 'users.csv'), `${header}${many}last,Admir`);
    const cut = await run(['import', 'users.csv'], own);
    expect([cut.code, cut.log, cut.told.at(-1)]).to.deep.equal([
      1,
      ['5000 created, 0 changed, 0 unchanged, 0 refused'],
      `Not finished: users.csv: line 5002, column 1: ${heldBack}`,
    ]);
    expect(await usersIn(own)).to.have.length(5000);
    const whole = await run(['import', 'users.csv', '--last-line'], own);
    expect([whole.code, whole.log]).to.deep.equal([0, ['1 created, 0 changed, 5000 unchanged, 0 refused']]);

    const packed = gzipSync(`${header}${many}`);
    for (const length of [packed.length - 8, packed.length - 1, packed.length >> 1]) {
      const { child, ended } = launch(
        ['import', '-', '--format', 'csv', '--json'],
        aDataFolder(),
        {},
        { stdin: 'pipe' },
      );
      child.stdin?.end(packed.subarray(0, length));
      const { code, log, told } = await ended;
      expect(code).to.equal(1);
      const { created } = JSON.parse(log[0] ?? '');
      expect(created).to.be.within(length < packed.length - 8 ? 2000 : 5000, 5000);
      expect(told.at(-1)).to.match(
        new RegExp(`^Not finished: standard input: line ${created + 2}, column \\d+: the gzip is cut off$`),
      );
    }
  });

  it('has --last-line for tables only', async () => {
    const { code, told } = await run(['import', 'users.jsonl', '--last-line'], aDataFolder());
    expect(code).to.equal(64);
    expect(told.join()).to.contain('--last-line goes with --format csv');
  });
});
