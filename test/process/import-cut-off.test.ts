import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect } from 'chai';
import { fileFormats } from '../../src/adapters/formats/file-formats.ts';
import type { ImportWishes } from '../../src/commands/files/take-resources.ts';
import { aDataFolder, discardProcesses, launch, run } from '../support/process.ts';
import { usersIn } from './directories.ts';
import { take } from './taken-files.ts';

describe('A file of users that was cut off', () => {
  let folder = '';
  const at = (name: string) => join(folder, name);
  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'cut-off-'));
  });
  after(() => rmSync(folder, { recursive: true }));
  afterEach(discardProcesses);

  const table = async (content: string, wishes: Partial<ImportWishes> = {}) => {
    writeFileSync(at('table.csv'), content);
    const csv = fileFormats.find(({ name }) => name === 'csv') ?? expect.fail();
    const { users: there, rejected, failure = '' } = await take(at('table.csv'), csv, wishes);
    return [there.map(({ userName }) => userName).sort(), rejected, failure.replace(/^.*table.csv: /, '')];
  };
  const heldBack =
    'no line break ends the last line, and half a cell looks like a whole one: if the file was not cut off, --last-line takes it';

  it('as a table whose last row may be complete, is imported without that row, which is reported; --last-line imports it', async () => {
    for (const last of ['bob,x', 'bob,', 'bob,"x"', ',', 'bob,"x""y"']) {
      expect(await table(`userName,title\nada,\n${last}`), last).to.deep.equal([
        ['ada'],
        0,
        `row 3, cell A3: ${heldBack}`,
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

  it('as a table with missing cells or an open quote in its last row, is not imported to the end with --last-line either', async () => {
    const open = 'row 3, cell B3: a quote opens here and is never closed';
    for (const [last, message] of [
      ['bob', 'row 3, cell A3: the file is cut off: the row has 1 cell, the header 2'],
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

  it('as a table with only an unfinished header, is reported as cut off', async () => {
    for (const front of ['userName,title', 'userName,tit', 'sep=', 'sep=;'])
      expect(await table(front), front).to.deep.equal([[], 0, `row 1, cell A1: ${heldBack}`]);
    expect(await table('userName,title', { lastLine: true })).to.deep.equal([[], 0, '']);
    expect(await table('userName,title\n')).to.deep.equal([[], 0, '']);
  });

  it('as a table of rejects, is reported with or without the column of reasons', async () => {
    const header = 'userName,title,$rejected\n';
    const reasons = '"row 2, cell B2 ""title"": must be shorter"';
    for (const [row, message] of [
      [`ada,x,${reasons}`, heldBack],
      ['ada,x', heldBack],
      ['ada', 'the file is cut off: the row has 1 cell, the header 2'],
    ])
      expect(await table(header + row), row).to.deep.equal([[], 0, `row 2, cell A2: ${message}`]);
    expect(await table(`${header}ada,x,${reasons}`, { lastLine: true })).to.deep.equal([['ada'], 0, '']);
  });

  it('in JSON Lines, is distinguished from a file with a wrong last value', async () => {
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

  it('makes the command exit with 1, and the imported users are counted and stay', async () => {
    const header = 'userName,title\n';
    const many = Array.from({ length: 5000 }, (_, one) => `user${one},x\n`).join('');
    const own = aDataFolder();
    writeFileSync(join(own, 'users.csv'), `${header}${many}last,Admir`);
    const cut = await run(['import', 'users.csv'], own);
    expect([cut.code, cut.log, cut.told.at(-1)]).to.deep.equal([
      1,
      ['5000 created, 0 changed, 0 unchanged, 0 refused'],
      `Not finished: users.csv: row 5002, cell A5002: ${heldBack}`,
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
        new RegExp(
          `^Not finished: standard input: row ${created + 2}, cell [AB]${created + 2}: the gzip is cut off$`,
        ),
      );
    }
  });

  it('can be imported with --last-line only as a table', async () => {
    const { code, told } = await run(['import', 'users.jsonl', '--last-line'], aDataFolder());
    expect(code).to.equal(64);
    expect(told.join()).to.contain('--last-line goes with --format csv');
  });
});
