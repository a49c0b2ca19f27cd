import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { csv } from '../../src/adapters/formats/csv/csv.ts';
import { codecOf } from '../../src/commands/file-options.ts';
import { membershipFile } from '../../src/domain/import/memberships.ts';
import { simplify } from '../../src/domain/validation/suggest.ts';
import { aUser } from '../support/a-user.ts';
import { kinds } from '../support/kinds.ts';
import { aDataFolder, discardProcesses, run } from '../support/process.ts';
import { fill, usersIn } from './directories.ts';

describe('A table that a person made with a spreadsheet', () => {
  let folder = '';
  const put = (name: string, content: string | Buffer) => writeFileSync(join(folder, name), content);
  const read = (name: string) => readFileSync(join(folder, name), 'utf8');
  beforeEach(() => {
    folder = aDataFolder();
  });
  afterEach(discardProcesses);

  it('from a German Excel is imported without an option, and the summary says how it was read', async () => {
    const table = 'Benutzername;Nachname;Aktiv\r\nmüller;Müller;WAHR\r\nweiß;Weiß;FALSCH\r\n';
    put('users.csv', Buffer.from(table, 'latin1'));
    const { code, log, told } = await run(['import', 'users.csv', '--json'], folder);
    expect([code, told.at(-1)]).to.deep.equal([
      0,
      'Read as a table with semicolons, in windows-1252; "Benutzername" is userName, "Nachname" is name.familyName, "Aktiv" is active; true and false are wahr, falsch',
    ]);
    expect(JSON.parse(log.join()).table).to.deep.equal({
      delimiter: 'semicolon',
      encoding: 'windows-1252',
      headings: { Benutzername: 'userName', Nachname: 'name.familyName', Aktiv: 'active' },
      booleans: ['wahr', 'falsch'],
      dates: {},
    });
    const there = usersIn(folder).map(({ userName, name, active }) => [userName, name?.familyName, active]);
    expect(there.sort()).to.deep.equal([
      ['müller', 'Müller', true],
      ['weiß', 'Weiß', false],
    ]);
  });

  it('is read as the options say: --map, --booleans, --delimiter', async () => {
    put('users.csv', 'Login,x;Kreuz;Notiz, intern\nada;x;a\ngrace;;b\n');
    const { code, told } = await run(
      [
        ...['import', 'users.csv', '--delimiter', ';', '--booleans', 'x/'],
        ...['--map', 'Login,x=Benutzername', '--map', 'Kreuz=active', '--map', 'Notiz, intern='],
      ],
      folder,
    );
    expect([code, told.at(-1)]).to.deep.equal([
      0,
      'Read as a table with semicolons, in UTF-8; "Login,x" is userName, "Kreuz" is active, "Notiz, intern" is left out; true and false are x, an empty cell',
    ]);
    const there = usersIn(folder).map(({ userName, active }) => [userName, active]);
    expect(there.sort()).to.deep.equal([
      ['ada', true],
      ['grace', false],
    ]);
  });

  it('is refused before the store is opened when --map or --booleans is wrong, and a missing heading is named', async () => {
    put('users.csv', 'Login\nada\n');
    for (const [given, message] of [
      [['--map', 'Login=userNam'], 'there is no column "userNam" (perhaps userName)'],
      [['--map', 'Login'], 'Write it as HEADING=COLUMN'],
      [['--map', 'a=title', '--map', 'a='], 'This heading is mapped twice'],
      [['--booleans', 'ja'], 'Write two words as TRUE/FALSE'],
      [['--delimiter', 'pipe'], 'Choose one of comma, semicolon, tab'],
    ] as const) {
      const { code, told } = await run(['import', 'users.csv', ...given], folder);
      expect([code, told.join().includes(message)], told.join()).to.deep.equal([64, true]);
    }
    const absent = await run(['import', 'users.csv', '--map', 'Logn=userName'], folder);
    expect(absent.told.at(-1)).to.equal(
      'Not finished: users.csv: row 1, cell A1: --map names "Logn", which is no heading here',
    );
    const workbook = await run(['import', 'users.xlsx'], folder);
    expect([workbook.code, workbook.told.join()]).to.satisfy(
      ([code, told]: [number, string]) => code === 64 && told.includes('save it as CSV'),
    );
  });

  it('of one column is refused when its cells contain another separator', async () => {
    put('users.csv', 'userName\nada;Lovelace\ngrace\n"ann;b"\n');
    const { code, told } = await run(['import', 'users.csv', '--rejects', 'rejects.csv'], folder);
    expect([code, told]).to.satisfy(
      ([ended, lines]: [number, string[]]) =>
        ended === 2 &&
        lines.includes(
          'row 2: the row has 2 cells, the header 1: a cell with a separator in it needs quotes',
        ),
    );
    const again = await run(['import', 'rejects.csv'], folder);
    expect(again.code).to.equal(2);
    expect(
      usersIn(folder)
        .map(({ userName }) => userName)
        .sort(),
    ).to.deep.equal(['ann;b', 'grace']);
  });

  it('gets a file of rejects that its spreadsheet opens: with its separator and a byte order mark', async () => {
    const table = 'Benutzername;Aktiv;Rollen\r\nmüller;vielleicht;a|b\r\n;ja;a, b\r\n';
    for (const [bytes, mark] of [
      [Buffer.from(table), ''],
      [Buffer.from(`\uFEFF${table}`), '\uFEFF'],
      [Buffer.from(table, 'latin1'), '\uFEFF'],
      [Buffer.from(table, 'utf16le'), '\uFEFF'],
    ] as const) {
      put('users.csv', bytes);
      const rejects = `rejects${bytes.length}.csv`;
      expect((await run(['import', 'users.csv', '--rejects', rejects], folder)).code).to.equal(2);
      const lines = read(rejects).split('\r\n');
      expect(lines[0]).to.equal(`${mark}Benutzername;Aktiv;Rollen;$rejected`);
      expect(lines[1]).to.match(
        /^müller;vielleicht;a\|b;"row 2, cell B2 ""Aktiv"": must be true or false, such as /,
      );
      expect(lines[2]).to.match(
        /^;ja;a, b;"row 3, cell C3 ""Rollen"": must be a list, with \| between its values.*; row 3, cell A3 ""Benutzername"": is required"$|^;ja;a, b;"row 3, cell A3 ""Benutzername"": is required; row 3, cell C3 ""Rollen"": must be a list/,
      );
      put(
        'mended.csv',
        `${mark}${lines.join('\r\n').slice(mark.length).replace('vielleicht', 'ja').replace(';ja;a, b', 'neu;ja;a')}`,
      );
      const again = await run(['import', 'mended.csv', '--dry-run'], folder);
      expect([again.code, again.log]).to.deep.equal([
        0,
        ['nothing was changed; would be: 2 created, 0 changed, 0 unchanged, 0 refused'],
      ]);
    }
  });

  it('may have unknown columns with --ignore-unknown, which names them', async () => {
    put('users.csv', 'userName,Hire date,title,Notes,,\nada,2026-01-01,Boss,x,,\n');
    const refused = await run(['import', 'users.csv'], folder);
    expect([refused.code, refused.told.join()]).to.satisfy(
      ([code, told]: [number, string]) => code === 1 && told.includes('--ignore-unknown all unknown ones'),
    );
    const { code, log, told } = await run(['import', 'users.csv', '--ignore-unknown'], folder);
    expect([code, log[0], told.at(-1)]).to.deep.equal([
      0,
      '1 created, 0 changed, 0 unchanged, 0 refused',
      'Read as a table with commas, in UTF-8; "Hire date" is left out, "Notes" is left out',
    ]);
    const wrong = await run(['import', 'users.jsonl', '--ignore-unknown'], folder);
    expect([wrong.code, wrong.told.join()]).to.satisfy(
      ([ended, said]: [number, string]) => ended === 64 && said.includes('--ignore-unknown goes with'),
    );
  });

  it('may have spaces at the ends of its cells: each text is found, and each key identifies one user', async () => {
    put(
      'users.csv',
      'userName,enterprise.department,externalId\nada,Sales ,E1 \nup.one,\u00A0Sales,E2\n , ,\n',
    );
    put('more.csv', 'externalId,userName,title\nE1,ada ,Boss\n');
    put('groups.csv', 'displayName\n Team A \n');
    put('memberships.csv', 'group,user\nTeam A ,up.one\nTeam A, ada\n');
    expect((await run(['import', 'users.csv'], folder)).log[0]).to.match(/^2 created, 0 ch.* 0 refused$/);
    const match = ['--mode', 'upsert', '--match', 'externalId'];
    expect((await run(['import', 'more.csv', ...match], folder)).log[0]).to.match(/^0 created, 1 changed/);
    const found = ['export', '-', '--format', 'csv', '--columns', 'userName', '--where', 'department=Sales'];
    expect((await run(found, folder)).log).to.have.members(['userName', 'ada', 'up.one']);
    for (const [kind, count] of [
      ['groups', 1],
      ['memberships', 2],
    ] as const) {
      const { log } = await run(['import', `${kind}.csv`, '--kind', kind], folder);
      expect(log[0]).to.equal(`${count} created, 0 changed, 0 unchanged, 0 refused`);
    }
  });

  it('loses a space at the end of a stored value: create reports a difference, and upsert changes the user', async () => {
    await fill(folder, [aUser({ userName: 'ada', title: 'Boss ' })]);
    expect((await run(['export', 'users.csv'], folder)).code).to.equal(0);
    const created = await run(['import', 'users.csv'], folder);
    expect([created.code, created.log[0]]).to.deep.equal([2, '0 created, 0 changed, 0 unchanged, 1 refused']);
    await run(['import', 'users.csv', '--mode', 'upsert'], folder);
    expect(usersIn(folder).map(({ title }) => title)).to.deep.equal(['Boss']);
  });

  it('is exported for a spreadsheet, and can be imported again', async () => {
    await fill(folder, [aUser({ userName: 'ada', title: 'a;b', roles: ['x, y', 'z'] })]);
    const chosen = ['--columns', 'userName,title,roles,active', '--format', 'csv'];
    for (const [given, text] of [
      [['--delimiter', 'semicolon'], 'userName;title;roles;active\r\nada;"a;b";"x\\, y|z";true\r\n'],
      [
        ['--delimiter', 'tab', '--bom'],
        '\uFEFFuserName\ttitle\troles\tactive\r\nada\t"a;b"\t"x\\, y|z"\ttrue\r\n',
      ],
    ] as const) {
      expect((await run(['export', 'users.csv', '--force', ...given, ...chosen], folder)).code).to.equal(0);
      expect(read('users.csv')).to.equal(text);
      const again = await run(['import', 'users.csv', '--match', 'userName'], folder);
      expect(again.log).to.deep.equal(['0 created, 0 changed, 1 unchanged, 0 refused']);
    }
    const told = (await run(['export', 'sheet.csv', '--spreadsheet'], folder)).told.join();
    expect(told).to.contain('--delimiter semicolon');
  });

  it('has the apostrophes of export --spreadsheet counted when import is run without the option', async () => {
    // The row of a manager is read again with the manager's id.
    put('users.csv', "userName,title,nickName,Manager\ngrace,'n Roll,,\nada,'+49 30,'=1,grace\n");
    const told = async (...given: string[]) =>
      (await run(['import', 'users.csv', '--dry-run', ...given], folder)).told.at(-1);
    const read = 'Read as a table with commas, in UTF-8; "Manager" is @enterprise.manager.value';
    expect(await told()).to.equal(
      `${read}; 2 cells begin with an apostrophe, as export --spreadsheet writes: import --spreadsheet removes it`,
    );
    expect(await told('--spreadsheet')).to.equal(read);
  });

  it('has the usual headings that --columns names', async () => {
    const columns = 'Benutzername,Nachname,attributes.x';
    const template = await run(['export', '--template', '--columns', columns], folder);
    expect(template.log).to.deep.equal([columns]);
    const wrong = await run(['export', '--template', '--columns', 'Geburtstag'], folder);
    expect(wrong.told.join()).to.contain(', and attributes.NAME for one of your own');
    const twice = await run(['export', '--template', '--columns', 'userName,Benutzername'], folder);
    expect(twice.told.join()).to.contain('"userName" and "Benutzername" are both userName');
    const reasons = await run(['export', '--template', '--columns', 'userName,$rejected'], folder);
    expect([wrong.code, twice.code, reasons.code]).to.deep.equal([64, 64, 64]);
  });

  it('can begin as a template, whose headings are all recognized', async () => {
    const { code, log } = await run(['export', '--template', '--delimiter', ';'], folder);
    const [header = ''] = log;
    expect([code, log.length, header.split(';').slice(0, 3)]).to.deep.equal([
      0,
      1,
      ['userName', 'name.formatted', 'name.familyName'],
    ]);
    put('users.csv', `${header}\r\n${header.replace('userName', 'ada').replace(/;[^;]+/g, ';')}\r\n`);
    expect((await run(['import', 'users.csv'], folder)).log).to.deep.equal([
      '1 created, 0 changed, 0 unchanged, 0 refused',
    ]);
    const missing = await run(['export', '--template'], folder, { USERS_ATTRIBUTES_FILE: 'missing.json5' });
    expect([missing.code, missing.log]).to.deep.equal([1, []]);
    expect(missing.told[0]).to.match(/^No file: missing\.json5: ENOENT/);
    const selected = await run(['export', '--template', '--where', 'role=a'], folder);
    expect([selected.code, selected.told.join().includes('--where goes with')]).to.deep.equal([64, true]);
    expect((await run(['export', '--template', '--kind', 'memberships'], folder)).log).to.deep.equal([
      'group,user',
    ]);
  });

  it('has labels for headings, each of which means one column', () => {
    for (const kind of [...kinds.all, membershipFile]) {
      const { printer, namedColumns } = codecOf<unknown>(kind, csv);
      expect(printer({ columns: namedColumns?.() ?? [] }).open).not.to.equal('');
    }
    const labels = new Map<string, string>();
    for (const [label, path] of labelsOf(kinds.of('user').shown)) {
      expect(labels.get(label) ?? path, label).to.equal(path);
      labels.set(label, path);
    }
    expect(labels.size).to.be.above(40);
  });
});

/** Simplified labels with the path of their field. */
function labelsOf(schema: object, path = ''): [label: string, path: string][] {
  const {
    labels,
    properties = {},
    items,
  } = schema as {
    labels?: Record<string, string[]>;
    properties?: Record<string, object>;
    items?: object;
  };
  return [
    ...Object.values(labels ?? {}).flatMap((some) =>
      some.map((label): [string, string] => [simplify(label), path]),
    ),
    ...(items === undefined ? [] : labelsOf(items, path)),
    ...Object.entries(properties).flatMap(([name, inner]) => labelsOf(inner, `${path}/${name}`)),
  ];
}
