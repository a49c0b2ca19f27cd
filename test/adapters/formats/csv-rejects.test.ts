import { expect } from 'chai';
import { readFile } from '../../contract/file-format.ts';
import { codec } from './csv-table.ts';

/** The rejected rows as they are written, without their reasons. */
async function rejectsOf(file: string, spreadsheet: boolean): Promise<string[]> {
  const { rows, header } = await readFile(codec, file, { spreadsheet });
  const printer = codec.rejectPrinter(header, { spreadsheet });
  return rows.map((row) => printer.row(row, []).replace(/,""\r\n$/, ''));
}

describe('A rejected row whose cells are missing', () => {
  const file = 'userName;title;nickName\r\nada;x\r\n"b;c"\r\n';
  const rejectsAs = async (text: string) => {
    const { rows, header } = await readFile(codec, text);
    const printer = codec.rejectPrinter(header);
    return [printer.open, ...rows.map((row) => printer.row(row, row.violations))].join('');
  };
  const detailsOf = async (text: string) =>
    (await readFile(codec, text)).rows.map(({ value, violations }) => value ?? violations[0]?.detail);

  it('gets empty cells, so that its reason stands in its own column, and is refused until a person corrects it', async () => {
    const rejects = await rejectsAs(file);
    const missing = (cells: string) =>
      `the row has ${cells}, the header 3: cells are missing (if a spreadsheet left out empty ones, move a column without empty cells to the end)`;
    expect(rejects.split('\r\n')).to.deep.equal([
      'userName;title;nickName;$rejected',
      `ada;x;;"row 2: ${missing('2 cells')}"`,
      `"b;c";;;"row 3: ${missing('1 cell')}"`,
      '',
    ]);
    const refused = [missing('2 cells'), missing('1 cell')];
    expect(await detailsOf(rejects)).to.deep.equal(refused);
    expect(await rejectsAs(rejects)).to.equal(rejects);
    const saved = rejects.replaceAll(/"(row .*)"/g, '$1');
    expect(await detailsOf(saved)).to.deep.equal(refused);
    const corrected = saved.replace('ada;x;;', 'ada;;x;').replace(/row 3.*/, '');
    expect(await detailsOf(corrected)).to.deep.equal([
      { userName: 'ada', nickName: 'x' },
      { userName: 'b;c' },
    ]);
  });

  it('is read once a column without empty cells follows the reasons, as the message advises', async () => {
    const saved = 'title;nickName;$rejected;userName\r\nx;;row 2: the row has 2 cells;ada\r\n;;;b\r\n';
    expect(await detailsOf(saved)).to.deep.equal([{ userName: 'ada', title: 'x' }, { userName: 'b' }]);
  });
});

describe('Rejected rows of a table for spreadsheets', () => {
  const file = [
    'userName,title,nickName',
    `=1+1,"@a, ""b""",'+c`,
    "'=1+1,''=x,plain",
    '=1+1,"-a"b,+c',
    '=1+1,too,many,=cells',
    '',
  ].join('\r\n');

  it('have no cell that a spreadsheet would run, and are read with their original values', async () => {
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

  it('stay unchanged without the option for spreadsheets', async () => {
    expect(await rejectsOf(file, false)).to.deep.equal(file.split('\r\n').slice(1, -1));
  });
});
