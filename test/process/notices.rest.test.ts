import { join } from 'node:path';
import Database from 'better-sqlite3';
import { expect } from 'chai';
import { aUser } from '../support/a-user.ts';
import { discardProcesses, startProcess } from '../support/process.ts';

describe('The log of a start on SQLite', () => {
  afterEach(discardProcesses);

  it('shows the progress of a rebuild of indexes that other rules made, and nothing afterwards', async () => {
    const first = await startProcess();
    await first.stop();
    const { folder } = first;
    const db = new Database(join(folder, 'data', 'users.db'));
    db.exec("UPDATE key_rules SET rules = '1 search.0'");
    const insert = db.prepare('INSERT INTO users (id, name_key, version, document) VALUES (?, ?, ?, ?)');
    for (let at = 0; at < 600; at += 1) {
      const user = aUser({ userName: `user-${at}` });
      insert.run(user.id, user.userName, user.meta.version, JSON.stringify(user));
    }
    db.close();
    const service = await startProcess({ folder });
    await service.logged(/"listening"/);
    const { log } = await service.stop();
    const messages = log.map((line) => JSON.parse(line).msg as string);
    const [half, ready, listening] = ['500 of 600', 'of all users are rebuilt', 'listening'].map((part) =>
      messages.findIndex((message) => message.includes(part)),
    );
    expect([half, ready, listening]).to.deep.equal([0, 1, 2]);
  });
});
