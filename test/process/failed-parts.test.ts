import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { pino } from 'pino';
import { loadSettings } from '../../src/config/settings.ts';
import { compose } from '../../src/container.ts';
import { tokenSettings } from '../support/service.ts';

describe('A start that fails after the store is open', () => {
  const folder = mkdtempSync(join(tmpdir(), 'failed-parts-'));
  after(() => rmSync(folder, { recursive: true }));

  it('ends with the store closed, so that the next start does not miss its WAL', async () => {
    const file = join(folder, 'users.db');
    const observer = {
      get requests(): never {
        throw new Error('the application fails');
      },
    };
    const settings = await loadSettings({ ...tokenSettings, USERS_SQLITE_FILE: file });
    const log = pino({ level: 'silent' });
    const parts = { settings, log, onFatal() {}, onNotice() {}, observers: [observer] };
    const error = await compose(parts).catch((cause: unknown) => cause);
    expect(String(error)).to.include('the application fails');
    expect([existsSync(file), existsSync(`${file}-wal`)]).to.deep.equal([true, false]);
  });
});
