import { execFileSync } from 'node:child_process';
import { symlinkSync } from 'node:fs';
import { platform } from 'node:os';
import { dirname, join } from 'node:path';
import { expect } from 'chai';
import { aDataFolder, discardProcesses } from '../support/process.ts';
import { some } from '../support/runs.ts';
import { refusal } from './refusal.ts';

/** Places at which opening, reading or making a folder would never come to an end, or where nothing can be kept. */
const unusablePlaces: Readonly<Record<string, { at: (folder: string) => string; tells: string }>> = {
  'below /proc': { at: () => '/proc/users/data/users.db', tells: 'keeps no files (proc)' },
  'a file in /proc': { at: () => '/proc/self/comm', tells: 'keeps no files (proc)' },
  'below /sys': { at: () => '/sys/users/users.db', tells: 'keeps no files (sysfs)' },
  'a device': { at: () => '/dev/full', tells: 'is a device' },
  'a folder': { at: (folder) => folder, tells: 'is a folder' },
  'a FIFO': {
    at: (folder) => {
      execFileSync('mkfifo', [join(folder, 'users.db')]);
      return join(folder, 'users.db');
    },
    tells: 'is a FIFO',
  },
  'beside a FIFO in the place of its log': {
    at: (folder) => {
      execFileSync('mkfifo', [join(folder, 'users.db-wal')]);
      return join(folder, 'users.db');
    },
    tells: 'users.db-wal is a FIFO',
  },
  'a loop of links': {
    at: (folder) => {
      symlinkSync('users.db', join(folder, 'users.db'));
      return join(folder, 'users.db');
    },
    tells: 'ELOOP',
  },
};

/** With these settings the service makes no development key beside the file. */
const ofAnIssuer = {
  USERS_JWT_SECRET: 'a secret of at least thirty-two bytes',
  USERS_JWT_ISSUER: 'https://issuer.example',
  USERS_JWT_AUDIENCE: 'users',
};

(platform() === 'linux' ? describe : describe.skip)('Starting the service where no database can be', () => {
  afterEach(discardProcesses);

  for (const [place, kind] of some(Object.entries(unusablePlaces)))
    it(`names the unusable path of the database (${place}) and exits at once`, async () => {
      const folder = aDataFolder();
      const file = kind.at(folder);
      const line = await refusal(folder, { USERS_SQLITE_FILE: file, ...ofAnIssuer });
      expect(line).to.contain(dirname(file)).and.to.contain(kind.tells);
    });
});
