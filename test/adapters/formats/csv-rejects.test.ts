import { expect } from 'chai';
import { readFile } from '../../contract/file-format.ts';
import { codec } from './csv-table.ts';

/** The rejected rows as they are written, without their reasons. */
async function rejectsOf(file: string, spreadsheet: boolean): Promise<string[]> {
  const { rows, header } = await readFile(codec, file, { spreadsheet });
  const printer = codec.rejectPrinter(header, { spreadsheet });
  return rows.map((row) => printer.row(row, []).replace(/,""\r\n$/, ''));
}

describe('Rejected rows of a table for spreadsheets', () => {
  const file = [
    'userName,title,nickName',
    `=1+1,"@a, ""b""",'+c`,
    "'=1+1,''=x,plain",
    '=1+1,"-a"b,+c',
    '=1+1,too,many,=cells',
    '',
  ].join('\r\n');

  it('hold no cell that runs, and are read as they were', async () => {
    const rejects = await rejectsOf(file, true);
    expect(rejects).to.deep.equal([
      `'=1+1,"'@a, ""b""",'+c`,
      "'=1+1,''=x,plain",
      `'=1+1,"'-a"b,'+c`,
      "'=1+1,too,many,'=cells",
    ]);
    const valuesOf = async (text: string) =>
      (await readFile(codec, text, { spreadsheet: true })).rows.slice(0, 2).map(({ value }) => value);
    const again = ['userName,title,nickName', ...rejects, ''].join('\r\n');
    expect(await valuesOf(again)).to.deep.equal(await valuesOf(file));
  });

  it('are left as they are where no spreadsheet was named', async () => {
    expect(await rejectsOf(file, false)).to.deep.equal(file.split('\r\n').slice(1, -1));
  });
});
