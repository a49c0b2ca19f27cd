import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { printFile } from '../contract/file-format.ts';
import { aDataFolder, discardProcesses, run } from '../support/process.ts';
import { fill } from './directories.ts';
import { codec, late, longUsers, many } from './long-users.ts';

describe('An export of a table', () => {
  let folder = '';
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'users-tables-'));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  describe('by the program', () => {
    afterEach(discardProcesses);

    it('is the same on standard output and in a file, for any users', async () => {
      const data = aDataFolder();
      const users = longUsers(many, (at) =>
        at === late ? { title: '=x', attributes: { z: 'a\r\n"b"' } } : {},
      );
      await fill(data, users);
      const { code, told } = await run(['export', 'users.csv'], data);
      expect([code, told]).to.deep.equal([0, [`${many} users are in users.csv`]]);
      const file = readFileSync(join(data, 'users.csv'), 'utf8');
      expect(file).to.equal(printFile(codec, users));
      const { log } = await run(['export', '--format', 'csv'], data);
      expect(log.join('\n').replaceAll('\r', '')).to.equal(file.replaceAll('\r', '').trimEnd());
      expect(readdirSync(data).sort()).to.deep.equal(['data', 'users.csv']);
    });
  });
});
