import { randomUUID } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { openSqliteStore } from '../../src/adapters/stores/sqlite/open-store.ts';
import type { Entry } from '../../src/domain/changes/change.ts';
import { isMovable, type MovableLog } from '../../src/domain/changes/copy-log.ts';
import { type Cursor, readHistory } from '../../src/domain/changes/log.ts';
import { beingFilled } from '../../src/domain/changes/moves.ts';
import type { Store } from '../../src/domain/store.ts';
import {
  changeMembers,
  createGroup,
  createUser,
  removeGroup,
  removeUser,
  replaceUser,
} from '../contract/change-log.ts';
import { outcome } from '../contract/refusals.ts';
import { aGroup } from '../support/a-group.ts';
import { aUser, changed } from '../support/a-user.ts';
import { aDatabase, describeMongo } from '../support/mongodb.ts';
import { aDataFolder, discardProcesses } from '../support/process.ts';
import { onAllStores, some } from '../support/runs.ts';
import { tester } from '../support/store-verbs.ts';
import { portOf } from '../support/stores.ts';
import { runHere } from './called.ts';

const logOf = ({ changes }: Store): MovableLog => (isMovable(changes) ? changes : expect.fail('no log'));

const openFile = (folder: string, name: string) =>
  openSqliteStore({ file: join(folder, name), onFatal: (cause) => expect.fail(String(cause)) });

/** A store that an import fills. */
interface Target {
  readonly env: Readonly<Record<string, string>>;
  readonly open: () => Promise<Store>;
  readonly drop?: () => Promise<void>;
}

const inFile = (name: string) => ({ USERS_STORE: 'sqlite', USERS_SQLITE_FILE: name });

async function aMongoTarget(): Promise<Target> {
  const { uri, open, drop } = await aDatabase();
  return {
    env: { USERS_STORE: 'mongodb', USERS_MONGODB_URI: uri },
    open: async () => portOf(await open()),
    drop,
  };
}

/** Without what an export leaves out. */
const shown = ({ values, ...entry }: Entry) => {
  const { kept, ...rest } = values ?? { label: '' };
  return { ...entry, ...(values && { values: rest }) };
};

/** All entries, with the users whom the store has derived, and the histories of users. */
async function historiesOf(store: Store, ids: readonly string[]) {
  const all: object[] = [];
  for await (const { entries } of readHistory(logOf(store))) {
    await logOf(store).moves.usersOf(entries);
    all.push(...entries.map(shown));
  }
  const histories = ids.map((id) => logOf(store).history(99, undefined, { kind: 'user', id }));
  return { all, histories: (await Promise.all(histories)).map(({ entries }) => entries.map(shown)) };
}

describe('An import of changes', () => {
  let folder = '';
  const [ann, bob, cy] = [aUser(), aUser({ userName: 'bob' }), aUser()];
  const ids = [ann, bob, cy].map(({ id }) => id);
  let expected: object;
  let end: Cursor;
  before(async () => {
    folder = aDataFolder();
    const [crew, gone] = [aGroup(), aGroup()];
    const source = await openFile(folder, 'first.db');
    const writes = [
      ...[createUser(ann), createUser(bob), createUser(cy), createGroup(crew, [ann.id, bob.id])],
      ...[createGroup(gone, [bob.id]), changeMembers(crew.id, { isWhole: true, add: [bob.id, cy.id] })],
      ...[replaceUser(bob, changed(bob, { title: 'Dr' })), removeGroup(gone)],
      ...[removeUser(cy), removeUser(ann, true)],
    ];
    for (const write of writes)
      expect(await source.commit([write], { ...tester, request })).to.deep.equal(['done']);
    expected = await historiesOf(source, ids);
    end = (await logOf(source).read('now', 1)).end;
    await source.close();
    for (const file of files)
      expect(
        (await runHere(['export', '--kind', 'changes', file], folder, inFile('first.db'))).code,
      ).to.equal(0);
  });
  after(discardProcesses);

  const files = ['changes.jsonl', 'changes.json', 'changes.xml.gz'];
  const request = randomUUID();

  const imported = async (file: string, { env }: Target, ...more: readonly string[]) => {
    const { code, log, told } = await runHere(['import', '--kind', 'changes', ...more, file], folder, env);
    const notices = told.filter((line) => !line.includes('there are no users yet'));
    return [code, [...log, ...notices].join()];
  };

  const cases = (aTarget: () => Promise<Target>): void => {
    let target: Target;
    beforeEach(async () => {
      target = await aTarget();
    });
    afterEach(() => target.drop?.());

    for (const file of some(files))
      it(`gives a new store the log and the histories of all users: ${file}`, async () => {
        expect(await imported(file, target)).to.deep.equal([0, '12 changes are imported']);
        const store = await target.open();
        expect(await historiesOf(store, ids)).to.deep.equal(expected);
        const log = logOf(store);
        const { entries } = await log.history(99, undefined, { requests: new Set([request]) });
        expect(entries).to.have.length(12);
        expect(await outcome(log.read(end, 1))).to.equal('cursor-foreign');
        await store.close();
        expect(await imported(file, target)).to.deep.equal([
          1,
          'Not finished: changes are imported into an empty store only',
        ]);
      });

    it('names a row that is not a change, keeps the store closed to others, and continues with the corrected file', async () => {
      const exported = readFileSync(join(folder, 'changes.jsonl'), 'utf8').trim().split('\n');
      const [newest = ''] = exported;
      const numbered = (number: number) => newest.replace(/(?<="cursor":"[^".]*[.])\d+/, String(number));
      const lines = [...Array.from({ length: 5_000 }, (_, at) => numbered(5_012 - at)), ...exported];
      const mistaken = lines.with(5_005, lines[5_005]?.replace('"type":"', '"type":"x') ?? '');
      writeFileSync(join(folder, 'mistaken.jsonl'), mistaken.join('\n'));
      expect(await imported('mistaken.jsonl', target)).to.deep.equal([
        ...[1, 'Not finished: mistaken.jsonl: line 5006, column 1: is not an exported change'],
      ]);
      const double = [...lines, lines[0]];
      writeFileSync(join(folder, 'double.jsonl'), double.join('\n'));
      expect((await imported('double.jsonl', target))[1]).to.include('is not older than the one before it');
      expect((await runHere(['check'], folder, target.env)).log.join()).to.include(beingFilled);
      writeFileSync(join(folder, 'many.jsonl'), lines.join('\n'));
      expect(await imported('many.jsonl', target)).to.deep.equal([0, '5012 changes are imported']);
      expect((await imported('many.jsonl', target, '--dry-run'))[0]).to.equal(64);
    });
  };

  describe('into SQLite', () => {
    let made = 0;
    cases(async () => {
      made += 1;
      const name = `target-${made}.db`;
      return { env: inFile(name), open: () => openFile(folder, name) };
    });
  });
  if (onAllStores) describeMongo('into MongoDB', () => cases(aMongoTarget));
});
