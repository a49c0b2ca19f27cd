import { inspect } from 'node:util';
import { Worker } from 'node:worker_threads';
import Database from 'better-sqlite3';
import { expect } from 'chai';
import { describeError } from '../../../../src/adapters/stores/sqlite/file/sqlite-errors.ts';
import { WriterClient } from '../../../../src/adapters/stores/sqlite/write/writer-client.ts';
import { matching } from '../../../../src/domain/find/conditions.ts';
import { kindsOf } from '../../../../src/domain/kinds.ts';
import { Stored } from '../../../../src/domain/resource/stored.ts';
import type { Write } from '../../../../src/domain/store.ts';
import { outcome } from '../../../contract/refusals.ts';
import { aGroup } from '../../../support/a-group.ts';
import { aUser, changed } from '../../../support/a-user.ts';
import { tester } from '../../../support/store-verbs.ts';
import { giveFile, openAt } from './a-file.ts';

describe('The SQLite store in trouble', () => {
  let file: string;
  giveFile((path) => {
    file = path;
  });

  it('refuses a write while another process holds the file, and does the next one', async () => {
    const store = await openAt(file, { busyTimeout: 1 });
    const other = new Database(file);
    other.exec('BEGIN IMMEDIATE');
    const user = aUser();
    expect(await outcome(store.insert(Stored.of(user)))).to.equal('unavailable');
    expect(await store.find(user.id)).to.equal(undefined);
    other.exec('ROLLBACK');
    other.close();
    await store.insert(Stored.of(user));
    await store.close();
  });
  it('refuses a write at once when too many are waiting', async () => {
    const store = await openAt(file, { maxQueued: 3 });
    const results = await Promise.all(
      Array.from({ length: 5 }, () => outcome(store.insert(Stored.of(aUser())))),
    );
    expect(results).to.deep.equal([undefined, undefined, undefined, 'unavailable', 'unavailable']);
    await store.insert(Stored.of(aUser()));
    await store.close();
  });
  it('reports an unknown outcome when a commit fails, and writes no more', async () => {
    const causes: unknown[] = [];
    const store = await openAt(file, { onFatal: (cause) => causes.push(cause) });
    const before = aUser();
    await store.insert(Stored.of(before));
    const other = new Database(file);
    // Only the commit finds this violation, as it would an I/O error.
    other.exec(`CREATE TABLE fault (a REFERENCES users (id) DEFERRABLE INITIALLY DEFERRED);
      CREATE TRIGGER fault AFTER INSERT ON users BEGIN INSERT INTO fault VALUES ('nobody'); END`);
    other.close();
    expect(await outcome(store.insert(Stored.of(aUser())))).to.equal('outcome-unknown');
    expect(await outcome(store.insert(Stored.of(aUser())))).to.equal('unavailable');
    expect(await outcome(store.check())).to.equal('unavailable');
    expect((await store.find(before.id))?.value).to.deep.equal(before);
    expect(causes.map(String).join()).to.match(/^Error: the SQLite file .*: SQLITE_CONSTRAINT_FOREIGNKEY/);
    await store.close();
  });
  it('reports a fault without the user’s data', async () => {
    const store = await openAt(file);
    const other = new Database(file);
    other.exec(`CREATE TRIGGER fault BEFORE INSERT ON user_keys BEGIN SELECT RAISE(ABORT, 'at fault'); END`);
    other.close();
    const cause = await store
      .insert(Stored.of(aUser({ userName: 'secret' })))
      .catch((reason: unknown) => reason);
    expect(cause).to.be.instanceOf(Error).and.not.to.have.property('code');
    expect(String(cause) + String(cause instanceof Error && cause.cause)).not.to.include('secret');
    await store.close();
  });

  describe('with a damaged document,', () => {
    const user = aUser({ title: 'Keeper of the secret' });
    const cut = JSON.stringify(user).replace(/( the sec)ret.*/, '$1');

    beforeEach(async () => {
      const store = await openAt(file);
      await store.insert(Stored.of(user));
      await store.close();
    });

    function damage(sql = ''): void {
      const other = new Database(file);
      other.pragma('ignore_check_constraints = 1');
      other.prepare('UPDATE users SET document = ?').run(cut);
      other.exec(sql);
      other.close();
    }
    /** All that a log would show of a failure. It must not have any part of the document. */
    async function told(doing: Promise<unknown>): Promise<string> {
      const cause = await doing.then(
        () => expect.fail('it was done'),
        (reason: unknown) => reason,
      );
      const all = inspect(cause, { depth: Number.POSITIVE_INFINITY });
      expect(all).not.to.match(/Keeper|the sec|title/);
      return all;
    }

    it('names the document when it is read, without quoting it', async () => {
      damage();
      const store = await openAt(file);
      const found = store.find(user.id);
      for (const read of [found.then((stored) => stored?.value), found.then((stored) => stored?.meta)])
        expect(await told(read)).to.include(
          `What is stored of ${user.id} can't be read (SyntaxError at JSON.parse`,
        );
      await store.close();
    });
    it('replaces and removes the document', async () => {
      damage();
      const store = await openAt(file);
      const next = changed(user, { roles: ['mended'] });
      expect(await store.replace(Stored.of(next), user.meta.version)).to.equal(true);
      expect(
        (await store.list({ where: matching({ role: 'mended' }), limit: 9 })).map(({ id }) => id),
      ).to.deep.equal([user.id]);
      damage();
      expect(await store.remove(user.id, next.meta.version)).to.equal(true);
      await store.insert(Stored.of(user));
      await store.close();
    });
    it('finds all other users when keys are rebuilt, and the damaged one by its id', async () => {
      damage("UPDATE key_rules SET rules = '0 email'");
      const store = await openAt(file);
      const other = aUser({ roles: ['x'] });
      await store.insert(Stored.of(other));
      expect(await store.list({ where: matching({ active: 'true' }), limit: 9 })).to.have.length(1);
      await told(store.find(user.id).then((stored) => stored?.value));
      await store.close();
    });
  });

  const newVersion = "version = 'x', document = json_set(document, '$.meta.version', 'x')";
  for (const [what, sql] of [
    ['roles', `UPDATE users SET document = json_set(document, '$.roles', json('["z"]'))`],
    ['version', `UPDATE users SET ${newVersion}`],
    [
      'version, and a key of no user',
      `UPDATE users SET ${newVersion}; INSERT OR IGNORE INTO user_keys SELECT 'role', 'y', id, n FROM users`,
    ],
    ['keys', 'DELETE FROM user_keys'],
  ] as const) {
    it(`replaces and removes a user whose row was edited by hand: other ${what}`, async () => {
      const store = await openAt(file);
      const user = aUser({ roles: ['x'] });
      await store.insert(Stored.of(user));
      const edit = (): void => {
        const other = new Database(file);
        other.exec(sql);
        other.close();
      };
      edit();
      const found = await store.find(user.id);
      const next = changed(user, { roles: ['y'] });
      expect(await store.replace(Stored.of(next), found?.version ?? '')).to.equal(true);
      expect(await store.list({ where: matching({ role: 'y' }), limit: 9 })).to.have.length(1);
      expect(await store.list({ where: matching({ role: 'x' }), limit: 9 })).to.have.length(0);
      edit();
      expect(await store.remove(user.id, (await store.find(user.id))?.version ?? '')).to.equal(true);
      await store.insert(Stored.of(user));
      await store.close();
    });
  }
  for (const [what, sql] of [
    ['another id', `UPDATE users SET id = '${aUser().id}'`],
    ['another version', "UPDATE users SET version = 'x'"],
    ['a document without an id', "UPDATE users SET document = json_remove(document, '$.id')"],
    ['a document that is not JSON', "UPDATE users SET document = 'x'"],
  ] as const)
    it(`lets no program put ${what} into a row of a user or group`, async () => {
      const store = await openAt(file);
      await store.insert(Stored.of(aUser()));
      await store.groups.insert(aGroup());
      const other = new Database(file);
      for (const one of [sql, sql.replace('users', 'groups')])
        expect(() => other.exec(one)).to.throw(/CHECK constraint failed|malformed JSON/);
      other.close();
      await store.close();
    });

  it('names other errors without their message, which may quote data', () => {
    expect(describeError(new SyntaxError('"secret" is not valid JSON'))).to.equal('SyntaxError');
    expect(describeError('secret')).to.equal('thrown');
    expect(describeError(new Error('ours'))).to.equal('Error: ours');
  });
});

const removal: Write = { kind: 'user', id: 'x', op: 'remove', before: Stored.of(aUser()) };

describe('The writer of the SQLite store', () => {
  const neverTold = (message: string) => expect.fail(message);
  /** A writer that reports that it is ready, and then treats requests like this. */
  async function client(code: string) {
    const causes: unknown[] = [];
    const worker = new Worker(
      `const { parentPort } = require('node:worker_threads');
       parentPort.on('message', (message) => { ${code} });
       parentPort.postMessage({ kind: 'ready' });`,
      { eval: true },
    );
    const writer = new WriterClient(worker, {
      onFatal: (cause) => causes.push(cause),
      onProgress: () => {},
      onProblem: neverTold,
      maxQueued: 9,
      kinds: kindsOf(),
    });
    await writer.waitUntilStarted();
    const write = () =>
      outcome(
        writer.send([removal], tester).then(([one]) => (one instanceof Error ? Promise.reject(one) : one)),
      );
    return { writer, write, causes };
  }

  for (const [what, code] of [
    ['throws', "throw new Error('died')"],
    ['ends', 'process.exit()'],
  ] as const) {
    it(`leaves the outcome of its writes unknown when it ${what}, and accepts no more`, async () => {
      const { writer, write, causes } = await client(code);
      expect(await Promise.all([write(), write()])).to.deep.equal(['outcome-unknown', 'outcome-unknown']);
      expect(causes).to.have.length(1);
      expect(await write()).to.equal('unavailable');
      await writer.close();
      await writer.close();
    });
  }
  it('reports writes that it had begun when it failed as unknown, and the others as not done', async () => {
    const { writer, write, causes } = await client(
      `parentPort.removeAllListeners('message');
       const [{ number }] = message.writes;
       const answers = [{ number, result: 'unavailable' }];
       const reason = 'SQLITE_IOERR_FSYNC: failed';
       parentPort.postMessage({ kind: 'committed', answers, reason, fatal: true, begun: number + 1 });`,
    );
    const outcomes = await Promise.all([write(), write(), write()]);
    expect(outcomes).to.deep.equal(['unavailable', 'outcome-unknown', 'unavailable']);
    expect(causes.map(String)).to.deep.equal(['Error: SQLITE_IOERR_FSYNC: failed']);
    await writer.close();
  });
  it('reports writes that it never received as not done when it ends', async () => {
    const { writer, write } = await client('');
    const sent = write();
    await new Promise(setImmediate);
    const waiting = write();
    writer.fail(new Error('damage was found'));
    expect(await Promise.all([sent, waiting])).to.deep.equal(['outcome-unknown', 'unavailable']);
    await writer.close();
  });
  it('says why it can’t start', async () => {
    const writer = new WriterClient(new Worker("throw new Error('cannot')", { eval: true }), {
      onFatal: (cause) => expect.fail(String(cause)),
      onProgress: () => {},
      onProblem: neverTold,
      maxQueued: 9,
      kinds: kindsOf(),
    });
    const cause = await writer.waitUntilStarted().catch((reason: unknown) => reason);
    expect(String(cause)).to.include('cannot');
  });
});
