import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { fileFormats } from '../../src/adapters/formats/file-formats.ts';
import type { ImportWishes } from '../../src/commands/files/take-resources.ts';
import { runHere } from './called.ts';
import { heldBack } from './cut-files.ts';
import { take } from './taken-files.ts';

describe('A file of users that was cut off', () => {
  let folder = '';
  const at = (name: string) => join(folder, name);
  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'cut-off-'));
  });
  after(() => rmSync(folder, { recursive: true }));

  const table = async (content: string, wishes: Partial<ImportWishes> = {}) => {
    writeFileSync(at('table.csv'), content);
    const csv = fileFormats.find(({ name }) => name === 'csv') ?? expect.fail();
    const { users: there, rejected, failure = '' } = await take(at('table.csv'), csv, wishes);
    return [there.map(({ userName }) => userName).sort(), rejected, failure.replace(/^.*table.csv: /, '')];
  };

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

  it('can be imported with --last-line only as a table', async () => {
    const { code, told } = await runHere(['import', 'users.jsonl', '--last-line'], folder);
    expect(code).to.equal(64);
    expect(told.join()).to.contain('--last-line goes with --format csv');
  });
});
