import { expect } from 'chai';
import { printFile } from '../../contract/file-format.ts';
import { aUser } from '../../support/a-user.ts';
import { codec, valuesOf } from './csv-table.ts';

describe('A table of users in CSV for a spreadsheet', () => {
  const spreadsheet = { spreadsheet: true };
  const cells = [
    '=1+1',
    '+31',
    '-1',
    '@a',
    'x\t=',
    '\rx',
    '\nx',
    "'=x",
    "''-",
    "'t Hooft",
    "'",
    'a=1',
    '\uFF1D1',
  ];

  it('has an apostrophe before each cell that a spreadsheet would run, and a byte order mark', () => {
    const file = printFile(codec, [aUser({ title: '=1+1', nickName: "'t Hooft" })], {
      ...spreadsheet,
      columns: ['title', 'nickName'],
    });
    expect(file).to.equal("\uFEFFtitle,nickName\r\n'=1+1,'t Hooft\r\n");
  });

  it('is read with its original values, also with values that begin with apostrophes', async () => {
    const columns = ['title', 'roles'];
    const users = cells.map((title) => aUser({ title, roles: [title, '-x'] }));
    const values = await valuesOf(printFile(codec, users, { ...spreadsheet, columns }), spreadsheet);
    expect(values).to.deep.equal(cells.map((title) => ({ title, roles: [title, '-x'] })));
  });
});
