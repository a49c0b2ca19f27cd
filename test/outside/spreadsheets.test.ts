import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect } from 'chai';
import type { User } from '../../src/domain/kinds/user/user.ts';
import { fill, usersIn, withoutVersions } from '../process/directories.ts';
import { aUser } from '../support/a-user.ts';
import { aDataFolder, discardProcesses, run } from '../support/process.ts';
import { needed, outputOf } from './tools.ts';

/** Of a CSV that is opened: commas, quotes, UTF-8, from the first line on. */
const opened = 'CSV:44,34,76,1';
/** Options of a saved table; the last but one saves cells as they are shown. */
const saved = 'csv:Text - txt - csv (StarCalc):44,34,76,1,,0,false,true,false';

/** As people have in a directory, whose values a spreadsheet takes for texts. */
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

describe('LibreOffice Calc', () => {
  let soffice = '';
  before(function () {
    soffice = needed(this, 'soffice');
  });
  afterEach(discardProcesses);

  /** Opened without a choice for any column, saved as a spreadsheet, which is opened and saved as CSV. */
  async function throughSpreadsheet(folder: string, format: string): Promise<string> {
    const profile = `-env:UserInstallation=${pathToFileURL(join(folder, 'profile'))}`;
    const convert = (file: string, to: string, into: string, ...more: string[]) =>
      outputOf(soffice, [profile, '--headless', ...more, '--convert-to', to, '--outdir', into, file]);
    const into = join(folder, 'back');
    mkdirSync(into);
    await convert(join(folder, 'users.csv'), format, folder, `--infilter=${opened}`);
    await convert(join(folder, `users.${format}`), saved, into);
    return join(into, 'users.csv');
  }

  for (const format of ['ods', 'xlsx'])
    it(`opens an exported table and saves it as ${format} and as CSV without changing a user`, async () => {
      const [from, to] = [aDataFolder(), aDataFolder()];
      const users = Array.from({ length: 200 }, (_, at) => aPerson(at));
      await fill(from, users);
      expect((await run(['export', 'users.csv', '--spreadsheet'], from)).code).to.equal(0);
      const back = await throughSpreadsheet(from, format);
      const { code, told } = await run(['import', back, '--spreadsheet', '--keep-meta'], to);
      expect(`${code},${told.slice(1)}`).to.match(/^0,Read as a table with commas, in UTF-8; [^,]*, [^,]*$/);
      expect(withoutVersions(usersIn(to))).to.deep.equal(withoutVersions(users));
    });
});
