import { expect } from 'chai';
import { describeMistake } from '../../../src/adapters/formats/port/mistakes.ts';
import { readFile } from '../../contract/file-format.ts';
import { codec, valuesOf } from './csv-table.ts';

const ada = { userName: 'ada', title: 'x' };

/** What each row is read as, or why it is refused. */
async function rowsOf(file: string, options: Parameters<typeof readFile>[2] = {}): Promise<unknown[]> {
  const { rows, error } = await readFile(codec, file, options);
  expect(error).to.equal(undefined);
  return rows.map((row) => (row.violations[0] ? describeMistake(row, row.violations[0]) : row.value));
}

describe('A table as spreadsheets and other programs save it', () => {
  for (const [what, file] of Object.entries({
    'empty columns at the end': 'userName,title,,\nada,x,,\nada,x,\nada,x\n',
    'an empty cell more in one row': 'userName;title\nada;x;\nada;x; ;\n',
    'a heading of spaces at the end': 'userName\ttitle\t \nada\tx\t\n',
    'the type that PowerShell writes':
      '#TYPE Selected.Microsoft.ActiveDirectory\n"userName","title"\n"ada","x"\n',
    "the version of Entra ID's template": 'version:v1.0,\nuserName,title\nada,x\n',
    'empty rows above the headings': ',,\n\n"",""\n \nuserName,title,\nada,x,\n',
    'a line that names the separator, too': 'sep=;\n#TYPE x\n;;\nuserName;title;\nada;x;\n',
  }))
    it(`may have ${what}`, async () => {
      for (const row of await valuesOf(file)) expect(row).to.deep.equal(ada);
    });

  it('numbers its rows as a spreadsheet does, also below lines that are skipped', async () => {
    const { rows } = await readFile(codec, '#TYPE x\n,\nuserName,title\nada,x\n');
    expect(rows[0]?.position.line).to.equal(4);
  });

  it('has a row refused if the row fills a column without a heading', async () => {
    expect(await rowsOf('userName,title,,\nada,x,,y\n')).to.deep.equal([
      'row 2: the row has 4 cells, the header 2: a cell with a separator in it needs quotes, and a column with a filled cell a heading',
    ]);
    expect(await rowsOf('userName,title\nada,x,y\n')).to.deep.equal([
      'row 2: the row has 3 cells, the header 2: a cell with a separator in it needs quotes',
    ]);
  });

  it('is refused if a heading between others is empty, unless unknown columns are left out', async () => {
    const file = 'userName,,title\nada,y,x\n';
    expect((await readFile(codec, file)).error?.message).to.match(/^a heading is empty: fill it/);
    expect(await rowsOf(file, { unknown: 'left out' })).to.deep.equal([ada]);
    expect(await rowsOf(file, { headings: new Map([['', '']]) })).to.deep.equal([ada]);
  });

  it('can be read again from its file of rejects, also with columns that have no heading', async () => {
    const file = 'userName,title,,\r\nada,x,,y\r\nada,x,,\r\nada\r\n"grace"," x",,\r\n';
    const { rows, header } = await readFile(codec, file);
    const printer = codec.rejectPrinter(header);
    const refused = [{ pointer: '', detail: 'is wrong' }];
    const rejects =
      printer.open + rows.map((row) => printer.row(row, [...row.violations, ...refused])).join('');
    expect(rejects.split('\r\n')[0]).to.equal('userName,title,,,$rejected');
    expect(await rowsOf(rejects)).to.deep.equal(await rowsOf(file));
    expect(await rowsOf(rejects.replace(',,"row 3: is wrong"', ',,mended'))).to.deep.equal(
      await rowsOf(file),
    );
  });
});

describe("A template of Entra ID's bulk operations", () => {
  it('is read without its row of examples', async () => {
    const file = `version:v1.0
Name [displayName] Required,User name [userPrincipalName] Required,Job title [jobTitle]
Example: Chris Green,chris@contoso.com,Engineer
Ada Lovelace,ada@example.org,Countess
`;
    expect(await rowsOf(file)).to.deep.equal([
      { displayName: 'Ada Lovelace', userName: 'ada@example.org', title: 'Countess' },
    ]);
  });

  it('is refused if it is the one for deleting users, which an import would create', async () => {
    const file = 'version:v1.0,\nUser name [userPrincipalName] Required,\nada@example.org,\n';
    expect((await readFile(codec, file)).error?.message).to.equal(
      "this is Entra ID's template for deleting or restoring users, and an import only creates and changes users: to import these, delete the line with the version",
    );
  });

  it('has its row of examples skipped only below the line with its version', async () => {
    expect(await rowsOf('displayName,title\nExample: a,x\n')).to.deep.equal([
      { displayName: 'Example: a', title: 'x' },
    ]);
  });
});

describe('Unknown columns of a table', () => {
  const leave = { unknown: 'left out' } as const;

  it('are left out on request, and named', async () => {
    const { rows, header } = await readFile(
      codec,
      'userName,Notes,title,Notes,Hire date\nada,a,x,b,c\n',
      leave,
    );
    expect(rows.map(({ value }) => value)).to.deep.equal([ada]);
    expect([...(header?.table?.headings ?? [])]).to.deep.equal([
      ['Notes', undefined],
      ['Hire date', undefined],
    ]);
  });

  it('are refused if no column is known, since the first row then has no headings', async () => {
    const { error } = await readFile(codec, 'björn,groß\n', leave);
    expect(error?.message).to.match(/^the first row must have the headings, and none of these is known: /);
  });

  it('are left out, but two headings of one column are still refused', async () => {
    const { error } = await readFile(codec, 'userName,Benutzername,Notes\nada,a,b\n', leave);
    expect(error?.message).to.match(/^"userName" and "Benutzername" are both userName: /);
  });

  it('do not decide which separator the table has: known headings do', async () => {
    expect(await rowsOf('userName;title;Surname, first\nada;x;y\n', leave)).to.deep.equal([ada]);
  });
});
