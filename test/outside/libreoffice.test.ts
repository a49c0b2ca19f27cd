import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import fc from 'fast-check';
import { csv } from '../../src/adapters/formats/csv/csv.ts';
import { printFile, readFile } from '../contract/file-format.ts';
import { aUser } from '../support/a-user.ts';
import { userCodec } from '../support/kinds.ts';
import { anyUser } from '../support/users.ts';
import { needed } from './tools.ts';

const codec = userCodec(csv);

/** LibreOffice's numbers for encodings. */
const charsets = { 'utf-8': 76, 'windows-1252': 1 } as const;

/** A line end within a cell is LF to it, and some pairs of them are one. */
const withoutLineEnds = (value: unknown): unknown =>
  JSON.parse(JSON.stringify(value).replace(/(?:\\r|\\n)+/g, '\\n'));

describe('A table in LibreOffice', () => {
  let folder = '';
  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'spreadsheet-'));
  });
  after(() => rmSync(folder, { recursive: true }));

  /** Opened with every column as text, as one has to with numbers that begin with a zero, and saved. */
  function openAndSave(soffice: string, table: string, delimiter: string, charset: number): Buffer {
    const file = join(folder, 'users.csv');
    writeFileSync(file, table);
    const columns = table.slice(0, table.indexOf('\r\n')).split(',');
    const asText = columns.map((_, at) => `${at + 1}/2`).join('/');
    const { status, stderr } = spawnSync(
      soffice,
      [
        '--headless',
        `-env:UserInstallation=file://${folder}/profile`,
        `--infilter=CSV:44,34,76,1,${asText}`,
        '--convert-to',
        `csv:Text - txt - csv (StarCalc):${delimiter.charCodeAt(0)},34,${charset},1,,0,false,true,false`,
        '--outdir',
        join(folder, 'saved'),
        file,
      ],
      { encoding: 'utf8' },
    );
    expect(status, stderr).to.equal(0);
    return readFileSync(join(folder, 'saved', 'users.csv'));
  }

  it('keeps all users when it is opened and saved', async function () {
    const soffice = needed(this, 'soffice');
    const users = fc.sample(anyUser(), { numRuns: 200, seed: 17 });
    const table = printFile(codec, users, { spreadsheet: true });
    const { rows } = await readFile(codec, table, { spreadsheet: true });
    const saved = await readFile(codec, openAndSave(soffice, table, ',', charsets['utf-8']), {
      spreadsheet: true,
    });
    expect(saved.error).to.equal(undefined);
    expect(saved.rows.map(({ value }) => withoutLineEnds(value))).to.deep.equal(
      rows.map(({ value }) => withoutLineEnds(value)),
    );
  });

  it('keeps all users when it is saved with semicolons in windows-1252', async function () {
    const soffice = needed(this, 'soffice');
    const users = [
      aUser({ displayName: 'José "Pepe" Muñoz; €', title: '007', roles: ['a;b', 'c|d'] }),
      aUser({ displayName: "=1+1, 't Hooft", title: '-1', active: false, attributes: { costCenter: '1e3' } }),
    ];
    const table = printFile(codec, users, { spreadsheet: true });
    const saved = openAndSave(soffice, table, ';', charsets['windows-1252']);
    const options = { spreadsheet: true, encoding: 'windows-1252' } as const;
    const { rows, error } = await readFile(codec, saved, options);
    expect(error).to.equal(undefined);
    expect(rows.map(({ value }) => value)).to.deep.equal(users);
  });
});
