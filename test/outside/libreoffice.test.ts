import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect } from 'chai';
import type { User } from '../../src/domain/user.ts';
import { fill, usersIn, withoutVersions } from '../process/directories.ts';
import { aUser } from '../support/a-user.ts';
import { aDataFolder, discardProcesses, run } from '../support/process.ts';
import { needed, outputOf } from './tools.ts';

/** Of a CSV that is opened: commas, quotes, UTF-8, from the first line on. */
const opened = 'CSV:44,34,76,1';
/** Of one that is saved; the last but one: cells as they are shown. */
const saved = 'csv:Text - txt - csv (StarCalc):44,34,76,1,,0,false,true,false';

/** Whoever opens it makes each column a text. */
const asTexts = (columns: number): string =>
  `${opened},${Array.from({ length: columns }, (_, at) => `${at + 1}/2`).join('/')}`;

/** As people have in a directory. */
const aPerson = (at: number): User =>
  aUser({
    userName: `zoë.${at}@example.org`,
    externalId: `hr-${at}`,
    name: { familyName: "O'Brien-Müller", givenName: 'Zoë' },
    displayName: `=Zoë, "Zo" O'Brien-Müller ${at}`,
    active: at % 3 > 0,
    emails: [{ value: `zoë.${at}@example.org`, type: 'work', primary: true }],
    phoneNumbers: [{ value: `+31 20 555 ${at}`, type: 'work' }],
    addresses: [{ formatted: `${at} Main Street\nAmsterdam`, country: 'NL' }],
    roles: ['engineer', 'a|b'],
    attributes: { desk: '-4', team: '@home', note: 'Straße; “8” €' },
  });

describe('LibreOffice Calc', function () {
  this.timeout(120_000);
  let soffice = '';
  before(function () {
    soffice = needed(this, 'soffice');
  });
  afterEach(discardProcesses);

  /** Opens the file, saves it as a spreadsheet, opens that and saves it as CSV, as somebody at a desk does. */
  async function throughSpreadsheet(folder: string, format: string, infilter: string): Promise<string> {
    const profile = `-env:UserInstallation=${pathToFileURL(join(folder, 'profile'))}`;
    const convert = (file: string, to: string, into: string, ...more: string[]) =>
      outputOf(soffice, [profile, '--headless', ...more, '--convert-to', to, '--outdir', into, file]);
    const into = join(folder, 'back');
    mkdirSync(into);
    await convert(join(folder, 'users.csv'), format, folder, `--infilter=${infilter}`);
    await convert(join(folder, `users.${format}`), saved, into);
    return join(into, 'users.csv');
  }

  async function goesThrough(users: readonly User[], format: string, filter: (columns: number) => string) {
    const [from, to] = [aDataFolder(), aDataFolder()];
    await fill(from, users);
    expect((await run(['export', 'users.csv', '--spreadsheet'], from)).code).to.equal(0);
    const { log } = await run(['export', '--format', 'csv'], from);
    const back = await throughSpreadsheet(from, format, filter(log[0]?.split(',').length ?? 0));
    const { code, told } = await run(['import', back, '--spreadsheet', '--keep-meta'], to);
    expect([code, told.slice(1)]).to.deep.equal([0, []]);
    expect(withoutVersions(await usersIn(to))).to.deep.equal(withoutVersions(users));
  }

  for (const format of ['ods', 'xlsx'])
    it(`opens an exported table, saves it as ${format} and as CSV, and keeps everybody as they were`, async () => {
      await goesThrough(
        Array.from({ length: 200 }, (_, at) => aPerson(at)),
        format,
        () => opened,
      );
    });

  it('keeps what looks like a number or a date too, when the columns are opened as texts', async () => {
    const titles = ['007', '1e3', '2026-01-02', 'TRUE', '1/2', '12345678901234567890', '0x1F', 'null'];
    const users = titles.map((title, at) => ({ ...aPerson(at), title }));
    await goesThrough(users, 'ods', asTexts);
  });
});
