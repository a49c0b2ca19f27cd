import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { expect } from 'chai';
import { migrate, migrations } from '../../src/adapters/stores/sqlite/schema.ts';
import { writeEarlierFile } from '../adapters/stores/sqlite/a-file.ts';
import { aUser } from '../support/a-user.ts';
import { aDataFolder, discardProcesses, startProcess } from '../support/process.ts';

describe('The log of a start on SQLite', function () {
  this.timeout(20_000);
  afterEach(discardProcesses);

  it('tells that there was no file, as when a disk is not mounted, and only then', async () => {
    const first = await startProcess();
    expect(await first.logged(/begins with no users/)).to.contain(join(first.folder, 'data', 'users.db'));
    await first.stop();
    const second = await startProcess({ folder: first.folder });
    expect((await second.stop()).log.join()).not.to.contain('begins with no users');
  });

  it('tells that a file of an earlier release was changed so that the earlier one refuses it, once', async () => {
    const folder = aDataFolder();
    mkdirSync(join(folder, 'data'));
    const db = new Database(join(folder, 'data', 'users.db'));
    migrate(db, migrations.slice(0, 1));
    db.close();
    const first = await startProcess({ folder });
    const line = await first.logged(/brought up to layout/);
    expect(line).to.contain('releases that know 1 refuse it from now on');
    await first.stop();
    const second = await startProcess({ folder });
    expect((await second.stop()).log.join()).not.to.contain('layout');
  });

  it('tells how far it is while users of an earlier release are made ready, not afterwards', async () => {
    const folder = aDataFolder();
    mkdirSync(join(folder, 'data'));
    const users = Array.from({ length: 600 }, (_, at) => aUser({ userName: `user-${at}` }));
    writeEarlierFile(join(folder, 'data', 'users.db'), 2, users);
    const service = await startProcess({ folder });
    await service.logged(/"listening"/);
    const { log } = await service.stop();
    const messages = log.map((line) => JSON.parse(line).msg as string);
    const [changing, half, ready, listening] = ['being changed', '500 of 600', 'All users', 'listening'].map(
      (part) => messages.findIndex((message) => message.includes(part)),
    );
    expect([changing, half, ready, listening]).to.deep.equal([0, 1, 2, 3]);
  });
});
