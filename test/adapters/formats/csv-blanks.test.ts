import { expect } from 'chai';
import { printFile, readFile } from '../../contract/file-format.ts';
import { aUser } from '../../support/a-user.ts';
import { codec, valuesOf } from './csv-table.ts';

/** What JavaScript, Unicode and spreadsheets take for a blank: a space, a tab, spaces that don't break or are wide, and a stray mark. */
const blanks = [' ', '\t', '\u00A0', '\u2003', '\u202F', '\u3000', '\uFEFF'];

describe('White space in a table of users', () => {
  it('is removed at both ends of a cell, in quotes or not', async () => {
    for (const blank of blanks)
      for (const cell of [`${blank}Sales`, `Sales${blank}`, `"${blank}${blank}Sales${blank}"`])
        expect(await valuesOf(`userName,title\nada,${cell}\n`, { delimiter: ',' })).to.deep.equal([
          { userName: 'ada', title: 'Sales' },
        ]);
  });

  it('is removed at both ends of each value of a list, and is not a value itself', async () => {
    expect(await valuesOf('userName,roles\nada, a | b\u00A0|c d| |\n')).to.deep.equal([
      { userName: 'ada', roles: ['a', 'b', 'c d', '', ''] },
    ]);
  });

  it('stays within a cell, and so do line breaks in quotes', async () => {
    expect(await valuesOf('userName,title,nickName\nada," a \n\n b ","\r\nc \n"\n')).to.deep.equal([
      { userName: 'ada', title: 'a \n\n b', nickName: '\r\nc \n' },
    ]);
  });

  it('makes a cell empty if the cell has nothing else: it changes nothing or removes the value', async () => {
    for (const cell of [...blanks, '"  "', '" \n "']) {
      const file = `userName,title\nada,${cell}\n`;
      const there = aUser({ userName: 'ada', title: 'Boss' });
      const { title: _, ...without } = there;
      for (const [emptyRemoves, expected] of [
        [false, there],
        [true, without],
      ] as const) {
        const { rows } = await readFile(codec, file, { delimiter: ',', emptyRemoves });
        expect(rows[0]?.edit?.(structuredClone(there))).to.deep.equal(expected);
      }
    }
    expect(await valuesOf('userName,active\nada, \n', { booleans: ['x', ''] })).to.deep.equal([
      { userName: 'ada', active: false },
    ]);
  });

  it('makes a row empty if the row has nothing else, and the row is skipped however many cells it has', async () => {
    const blank = [',,', ' , ,\u00A0', '" ","",', '   ', ' ,', ',,,,', '\t'];
    const file = `userName,title,nickName\n${blank.join('\n')}\nada,,\n`;
    const { rows, error } = await readFile(codec, file);
    expect(error).to.equal(undefined);
    expect(rows.map(({ value, position }) => [value, position.line])).to.deep.equal([
      [{ userName: 'ada' }, blank.length + 2],
    ]);
    expect(await valuesOf('userName,title\nada,x\n  ')).to.deep.equal([{ userName: 'ada', title: 'x' }]);
  });

  it('is removed before and after the apostrophe of a spreadsheet', async () => {
    expect(await valuesOf("title\n '=1 \n' x\n\"'\tx\"\n", { spreadsheet: true })).to.deep.equal([
      { title: '=1' },
      { title: "' x" },
      { title: 'x' },
    ]);
  });

  it('at the ends of a stored value is lost in a table, and white space inside the value is kept', async () => {
    const user = aUser({ title: ' a  b ', nickName: '\u00A0', roles: ['r ', 's\n t'] });
    const { title: _, nickName: __, ...rest } = user;
    expect(await valuesOf(printFile(codec, [user]))).to.deep.equal([
      { ...rest, title: 'a  b', roles: ['r', 's\n t'] },
    ]);
  });

  it('does not make a hostile cell slow to read', async () => {
    const [value] = (await valuesOf(`title\na${' '.repeat(200_000)}b\n`)) as { title: string }[];
    expect(value?.title).to.have.length(200_002);
  });
});
