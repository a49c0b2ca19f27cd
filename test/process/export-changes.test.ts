import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { parse } from 'csv-parse/sync';
import { openSqliteStore } from '../../src/adapters/stores/sqlite/open-store.ts';
import { createUser, removeUser, replaceUser } from '../contract/change-log.ts';
import { aUser, changed } from '../support/a-user.ts';
import { aDataFolder, discardProcesses, run, startProcess } from '../support/process.ts';
import { tester } from '../support/store-verbs.ts';
import { runHere } from './called.ts';
import { fileIn } from './directories.ts';
import { poster } from './posts.ts';

const user = aUser({ userName: 'ada', name: { familyName: 'Byron' }, attributes: { floor: '2' } });
const next = changed(user, {
  name: { familyName: 'Lovelace' },
  roles: ['a', 'b'],
  attributes: { floor: '3' },
});
const other = aUser({ userName: 'babbage' });

/** A user with a history, an erased user, and changes by two clients. */
async function fillLog(folder: string): Promise<void> {
  const store = await openSqliteStore({
    file: fileIn(folder),
    onFatal: (cause) => expect.fail(String(cause)),
    onProblem: (problem) => expect.fail(problem),
  });
  const person = { issuer: 'https://id.example.org', subject: 'p-1' };
  await store.commit([createUser(user), createUser(other)], { client: 'hr-sync', via: 'import' });
  await store.commit([replaceUser(user, next)], { client: 'console', person, via: 'users', request: 'r-1' });
  await store.commit([removeUser(other, true)], tester);
  await store.close();
}

describe('An export of the changes', () => {
  let folder = '';
  before(async () => {
    folder = aDataFolder();
    await fillLog(folder);
  });
  after(discardProcesses);

  const exported = async (file: string, ...more: readonly string[]): Promise<string> => {
    const { code, told } = await runHere(['export', '--kind', 'changes', ...more, file], folder);
    expect(code, told.join('\n')).to.equal(0);
    return readFileSync(join(folder, file), 'utf8');
  };

  it('has author, time, old and new value of each change, newest first', async () => {
    const lines = (await exported('changes.jsonl')).trim().split('\n');
    const entries = lines.map((line) => JSON.parse(line));
    expect(entries.map(({ type, id }) => [type, id])).to.deep.equal([
      ['user.deleted', other.id],
      ['user.updated', user.id],
      ['user.created', other.id],
      ['user.created', user.id],
    ]);
    const { cursor, at, ...update } = entries[1];
    expect(update).to.deep.equal({
      ...{ type: 'user.updated', id: user.id, version: next.meta.version, label: 'ada' },
      by: { client: 'console', person: { issuer: 'https://id.example.org', subject: 'p-1' } },
      ...{ via: 'users', request: 'r-1' },
      changed: ['/name/familyName', '/roles', '/attributes/floor'],
      before: { name: { familyName: 'Byron' }, attributes: { floor: '2' } },
      after: { name: { familyName: 'Lovelace' }, roles: ['a', 'b'], attributes: { floor: '3' } },
    });
    expect(Date.parse(at)).to.be.within(Date.now() - 600_000, Date.now());
    for (const erased of [entries[0], entries[2]])
      expect(erased).not.to.have.any.keys('label', 'before', 'after');
  });

  it('has the filters of GET /history, with the same error messages', async () => {
    const query = 'by=hr-sync&type=user.created';
    const text = await exported('filtered.jsonl', '--where', query, '--where', `id=${user.id}`);
    expect(JSON.parse(text)).to.include({ type: 'user.created', id: user.id, label: 'ada' });
    const args = ['export', '--kind', 'changes', 'no.jsonl', '--where', 'type=user.renamed'];
    const { code, told } = await runHere(args, folder);
    expect([code, told.join()]).to.deep.equal([64, told.join()]);
    expect(told.join()).to.match(/type must be one of user.created, /);
  });

  it('has the same content in CSV, JSON and XML', async () => {
    const table = parse(await exported('changes.csv'), { columns: true }) as Record<string, string>[];
    expect(table).to.have.length(4);
    expect(table[1]).to.include({
      ...{ type: 'user.updated', 'by.client': 'console', 'by.person.subject': 'p-1', label: 'ada' },
      ...{ 'before.name.familyName': 'Byron', 'after.name.familyName': 'Lovelace' },
      ...{ 'after.roles': 'a|b', 'before.attributes.floor': '2', 'after.attributes.floor': '3' },
    });
    expect(JSON.parse(await exported('changes.json')).changes).to.have.length(4);
    const xml = await exported('changes.xml');
    expect(xml).to.include('<familyName>Lovelace</familyName>');
  });

  it('is refused when the change log is off', async () => {
    const other = aDataFolder();
    await fillLog(other);
    const off = { USERS_CHANGES_RETENTION: '0' };
    const { code, told } = await runHere(['export', '--kind', 'changes', 'off.jsonl'], other, off);
    const reason = 'This installation keeps no change log: changes.retention is 0.';
    expect([code, told]).to.deep.equal([1, [`No file: ${reason}`]]);
  });

  it('neither ends nor begins the change log of a service whose settings differ', async () => {
    for (const served of ['30', '0']) {
      const exporting = served === '0' ? '30' : '0';
      const folder = aDataFolder();
      const service = await startProcess({ folder, env: { USERS_CHANGES_RETENTION: served } });
      const { post } = await poster(service);
      expect(await post()).to.equal(201);
      const env = { USERS_CHANGES_RETENTION: exporting };
      expect((await run(['export', 'users.jsonl'], folder, env)).code).to.equal(0);
      expect(await post()).to.equal(201);
      await service.stop();
      const { told } = await runHere(['export', '--kind', 'changes', 'changes.jsonl'], folder);
      const expected =
        served === '30' ? '2 changes are in changes.jsonl' : 'No file: The change log is switched off.';
      expect(told).to.deep.equal([expected]);
    }
  });
});
