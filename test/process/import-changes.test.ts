import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { openSqliteStore } from '../../src/adapters/stores/sqlite/open-store.ts';
import type { Entry } from '../../src/domain/changes/change.ts';
import { type ChangeLog, readHistory } from '../../src/domain/changes/log.ts';
import type { Store } from '../../src/domain/store.ts';
import {
  changeMembers,
  createGroup,
  createUser,
  removeGroup,
  removeUser,
  replaceUser,
} from '../contract/change-log.ts';
import { aGroup } from '../support/a-group.ts';
import { aUser, changed } from '../support/a-user.ts';
import { aDataFolder, discardProcesses, run } from '../support/process.ts';
import { tester } from '../support/store-verbs.ts';

const open = (folder: string, name: string) =>
  openSqliteStore({ file: join(folder, name), onFatal: (cause) => expect.fail(String(cause)) });
const logOf = ({ changes }: Store): ChangeLog => changes ?? expect.fail('no log');

/** Without what an export leaves out. */
const shown = ({ values, ...entry }: Entry) => {
  const { kept, ...rest } = values ?? { label: '' };
  return { ...entry, ...(values && { values: rest }) };
};

async function historiesOf(store: Store, ids: readonly string[]) {
  const all: object[] = [];
  for await (const { entries } of readHistory(logOf(store))) all.push(...entries.map(shown));
  const histories = ids.map((id) => logOf(store).history(99, undefined, { kind: 'user', id }));
  return { all, histories: (await Promise.all(histories)).map(({ entries }) => entries.map(shown)) };
}

describe('An import of changes', () => {
  let folder = '';
  const [ann, bob, cy] = [aUser(), aUser({ userName: 'bob' }), aUser()];
  const ids = [ann, bob, cy].map(({ id }) => id);
  let expected: object;
  before(async () => {
    folder = aDataFolder();
    const [crew, gone] = [aGroup(), aGroup()];
    const source = await open(folder, 'first.db');
    for (const write of [
      ...[createUser(ann), createUser(bob), createUser(cy), createGroup(crew, [ann.id, bob.id])],
      ...[createGroup(gone, [bob.id]), changeMembers(crew.id, { isWhole: true, add: [bob.id, cy.id] })],
      ...[
        replaceUser(bob, changed(bob, { title: 'Dr' })),
        removeGroup(gone),
        removeUser(cy),
        removeUser(ann, true),
      ],
    ])
      expect(await source.commit([write], { ...tester, request: 'r-1' })).to.deep.equal(['done']);
    await logOf(source).moves.usersOf([]);
    expected = await historiesOf(source, ids);
    await source.close();
    for (const file of ['changes.jsonl', 'changes.json', 'changes.xml.gz'])
      expect((await run(['export', '--kind', 'changes', file], folder, at('first.db'))).code).to.equal(0);
  });
  after(discardProcesses);

  const at = (name: string) => ({ USERS_STORE: 'sqlite', USERS_SQLITE_FILE: name });
  const imported = async (file: string, name: string, ...more: readonly string[]) => {
    const { code, log, told } = await run(['import', '--kind', 'changes', ...more, file], folder, at(name));
    const notices = told.filter((line) => !line.includes('there are no users yet'));
    return [code, [...log, ...notices].join()];
  };

  for (const file of ['changes.jsonl', 'changes.json', 'changes.xml.gz'])
    it(`gives a new store the log and the histories of all users: ${file}`, async () => {
      const name = `${file}.db`;
      expect(await imported(file, name)).to.deep.equal([0, '12 changes are imported']);
      const store = await open(folder, name);
      expect(await historiesOf(store, ids)).to.deep.equal(expected);
      await store.close();
      expect(await imported(file, name)).to.deep.equal([
        1,
        'Not finished: changes are imported into an empty store only',
      ]);
    });

  it('names a row that is no change, leaves the store closed to others, and goes on with the corrected file', async () => {
    const lines = readFileSync(join(folder, 'changes.jsonl'), 'utf8').trim().split('\n');
    const mistaken = lines.with(5, lines[5]?.replace('"type":"', '"type":"x') ?? '');
    writeFileSync(join(folder, 'mistaken.jsonl'), mistaken.join('\n'));
    expect(await imported('mistaken.jsonl', 'third.db')).to.deep.equal([
      ...[1, 'Not finished: mistaken.jsonl: line 6, column 1: is not an exported change'],
    ]);
    const double = [...lines, lines[0]];
    writeFileSync(join(folder, 'double.jsonl'), double.join('\n'));
    expect((await imported('double.jsonl', 'third.db'))[1]).to.include('is not older than the one before it');
    expect(await imported('changes.jsonl', 'third.db')).to.deep.equal([0, '12 changes are imported']);
    expect((await imported('changes.jsonl', 'fourth.db', '--dry-run'))[0]).to.equal(64);
  });
});
