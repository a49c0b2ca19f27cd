import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { csv } from '../../src/adapters/formats/csv/csv.ts';
import { fileFormats } from '../../src/adapters/formats/file-formats.ts';
import { jsonFile } from '../../src/adapters/formats/json/file.ts';
import { jsonl } from '../../src/adapters/formats/json/jsonl.ts';
import { memoryStore } from '../../src/adapters/stores/memory/store.ts';
import { openSqliteStore } from '../../src/adapters/stores/sqlite/open-store.ts';
import { membershipFile, referenceForms } from '../../src/domain/import/memberships.ts';
import { Stored } from '../../src/domain/resource/stored.ts';
import type { Store } from '../../src/domain/store.ts';
import { DomainError } from '../../src/domain/validation/errors.ts';
import { aFolder } from '../adapters/stores/sqlite/a-file.ts';
import { aGroup } from '../support/a-group.ts';
import { aUser } from '../support/a-user.ts';
import { kinds } from '../support/kinds.ts';
import { tester } from '../support/store-verbs.ts';
import { overridden } from '../support/stores.ts';
import {
  contentsOf,
  counts,
  exportTo,
  fileKinds,
  fillDirectory,
  importFrom,
  importText,
} from './moved-directories.ts';

const unknownId = '00000000-0000-4000-8000-000000000000';
const [ada, club] = [Stored.of(aUser({ userName: 'ada' })), aGroup({ displayName: 'Club' })];

/** Of both who are in no group yet. */
async function aStore(): Promise<Store> {
  const store = memoryStore();
  await store.commit([{ kind: 'user', id: ada.id, op: 'create', next: ada }], tester);
  await store.commit([{ kind: 'group', id: club.id, op: 'create', next: club }], tester);
  return store;
}

const isIn = async (store: Store, user = ada.id): Promise<boolean> =>
  (await store.findMembers(club.id, [user])).has(user);

describe('Files of groups and memberships', () => {
  let folder: ReturnType<typeof aFolder>;
  let opened: Store[] = [];
  beforeEach(() => {
    folder = aFolder();
  });
  afterEach(async () => {
    for (const store of opened) await store.close();
    opened = [];
    folder.remove();
  });

  async function aSqliteStore(name: string): Promise<Store> {
    const onFatal = (cause: unknown) => expect.fail(String(cause));
    const store = await openSqliteStore({ file: join(folder.path, name), onFatal });
    opened.push(store);
    return store;
  }

  for (const format of fileFormats)
    for (const by of referenceForms)
      it(`of ${format.name}, by ${by}, give the same directory in an empty store, and change nothing when imported again`, async () => {
        const [from, to] =
          by === 'id'
            ? [await aSqliteStore('from.db'), await aSqliteStore('to.db')]
            : [memoryStore(), memoryStore()];
        await fillDirectory(from, 30, 4);
        for (const kind of fileKinds) {
          const path = join(folder.path, `${kind.plural}.${format.name}`);
          const count = await exportTo(path, from, kind, format, { by });
          expect(await importFrom(path, to, kind, format)).to.deep.equal(counts(count, 0, 0));
          expect(await importFrom(path, to, kind, format)).to.deep.equal(counts(0, count, 0));
        }
        expect(await contentsOf(to)).to.deep.equal(await contentsOf(from));
      });

  it('have groups as the API shows them, and downloads of the API can be imported', async () => {
    const from = memoryStore();
    await fillDirectory(from, 4, 1);
    const path = join(folder.path, 'groups.json');
    await exportTo(path, from, kinds.of('group'), jsonFile);
    const { groups } = JSON.parse(readFileSync(path, 'utf8'));
    expect(groups[0]).to.include({ displayName: 'Größe, "0"', memberCount: 4 });
    writeFileSync(path, JSON.stringify({ total: 1, groups: [{ ...groups[0], description: 'new' }] }));
    const changed = await importFrom(path, from, kinds.of('group'), jsonFile, { mode: 'upsert' });
    expect(changed).to.include({ changed: 1, rejected: 0 });
    const table = join(folder.path, 'groups.csv');
    await exportTo(table, from, kinds.of('group'), csv);
    expect(readFileSync(table, 'utf8').split('\r\n')[0]).to.equal(
      'id,displayName,description,memberCount,meta.created,meta.lastModified,meta.version',
    );
    expect(await importFrom(table, from, kinds.of('group'), csv)).to.deep.equal(counts(0, 1, 0));
  });

  it('with rejected rows are reported with place and reason, and can be imported once corrected', async () => {
    const store = await aStore();
    const rows = [
      `Club,${unknownId}`,
      'Club,grace',
      'Chess,ada',
      'Chess,grace',
      'Club,',
      ',',
      `CLUB,ada`,
      `${club.id},${ada.id.toUpperCase()}`,
    ];
    const rejects = join(folder.path, 'rejects.csv');
    const given = `group,user\r\n${rows.join('\r\n')}\r\n`;
    expect(await importText(folder.path, given, store, csv, { rejects })).to.deep.equal(counts(1, 1, 5));
    const written = readFileSync(rejects, 'utf8').split('\r\n');
    const reasons = written
      .slice(1, -1)
      .map((line) => line.slice(line.indexOf('"row')).replaceAll('""', '"'));
    expect(reasons).to.deep.equal([
      '"row 2, cell B2 "user": no user has this id"',
      '"row 3, cell B3 "user": no user has this userName"',
      '"row 4, cell A4 "group": no group has this displayName"',
      '"row 5, cell A5 "group": no group has this displayName; row 5, cell B5 "user": no user has this userName"',
      '"row 6, cell B6 "user": is required"',
    ]);
    const mended = written.join('\r\n').replaceAll('grace', 'ada').replaceAll('Chess', 'Club');
    expect(await importText(folder.path, mended, store, csv)).to.deep.equal(counts(0, 3, 2));
  });

  it('with the name of a group in place of a user are refused at that row', async () => {
    const rejects = join(folder.path, 'rejects.jsonl');
    const pair = `${JSON.stringify({ group: 'Club', user: club.id })}\n`;
    expect(await importText(folder.path, pair, await aStore(), jsonl, { rejects })).to.deep.equal(
      counts(0, 0, 1),
    );
    expect(readFileSync(rejects, 'utf8')).to.include("is a group: groups can't be nested");
  });

  it('with rows that are not pairs of texts are refused at those rows', async () => {
    const store = await aStore();
    const rows = [
      { group: 'Club', user: 7 },
      ['Club', 'ada'],
      { group: 'Club', user: 'ada', role: 'chair' },
      {},
    ];
    const text = `${rows.map((row) => JSON.stringify(row)).join('\n')}\n`;
    expect(await importText(folder.path, text, store, jsonl)).to.deep.equal(counts(0, 0, 4));
    expect(await isIn(store)).to.equal(false);
  });

  it('change nothing in a dry run, which reports what the real run then does, also for repeated pairs', async () => {
    const store = await aStore();
    const more = Array.from({ length: 600 }, () => 'Club,ada').join('\n');
    const text = `group,user\nClub,ada\nClub,grace\n${more}\n`;
    const dry = await importText(folder.path, text, store, csv, { dryRun: true });
    expect(dry).to.deep.equal(counts(1, 600, 1));
    expect(await isIn(store)).to.equal(false);
    expect(await importText(folder.path, text, store, csv)).to.deep.equal(dry);
    expect(await importText(folder.path, text, store, csv, { dryRun: true })).to.deep.equal(
      counts(0, 601, 1),
    );
  });

  it('have UUIDs read as ids, unless --match says that all are names', async () => {
    const store = await aStore();
    const odd = Stored.of(aUser({ userName: ada.id }));
    await store.commit([{ kind: 'user', id: odd.id, op: 'create', next: odd }], tester);
    const pair = `group,user\nClub,${ada.id}\n`;
    expect(await importText(folder.path, pair, store, csv)).to.deep.equal(counts(1, 0, 0));
    expect([await isIn(store), await isIn(store, odd.id)]).to.deep.equal([true, false]);
    expect(await importText(folder.path, pair, store, csv, { match: 'name' })).to.deep.equal(counts(1, 0, 0));
    expect(await isIn(store, odd.id)).to.equal(true);
    expect(
      await importText(folder.path, 'group,user\nClub,ada\n', store, csv, { match: 'id' }),
    ).to.deep.equal(counts(0, 0, 1));
    const path = join(folder.path, 'names.csv');
    await exportTo(path, store, membershipFile, csv, { by: 'name' });
    expect(readFileSync(path, 'utf8').split('\r\n').sort()).to.deep.equal(
      ['', 'group,user', 'Club,ada', `Club,${odd.id}`].sort(),
    );
  });

  it('are imported up to the limit of rejects, and no member after it is added', async () => {
    const store = await aStore();
    const text = 'group,user\nClub,grace\nChess,ada\nClub,ada\n';
    expect(await importText(folder.path, text, store, csv, { maxRejects: 2 })).to.deep.equal(counts(0, 0, 2));
    expect(await isIn(store)).to.equal(false);
  });

  for (const kind of ['user', 'group'] as const)
    it(`with a row whose ${kind} is deleted during the import are imported without this row`, async () => {
      const store = await aStore();
      const deleting = overridden(store, {
        async commit(writes, by) {
          const before = kind === 'user' ? ada : club;
          await store.commit([{ kind, id: before.id, op: 'remove', before }], by);
          return await store.commit(writes, by);
        },
      });
      const ended = await importText(folder.path, 'group,user\nClub,ada\n', deleting, csv);
      expect(ended).to.deep.equal(counts(0, 0, 1));
    });

  it('have their durable rows counted when the store fails, and give the same directory when imported again', async () => {
    const [from, to] = [memoryStore(), memoryStore()];
    await fillDirectory(from, 700, 2);
    const path = (name: string) => join(folder.path, `${name}.jsonl`);
    for (const kind of fileKinds) await exportTo(path(kind.plural), from, kind, jsonl);
    for (const kind of kinds.all) await importFrom(path(kind.plural), to, kind, jsonl);
    const full = new DomainError('unavailable', 'the disk is full');
    let commits = 0;
    const failing = overridden(to, {
      commit: async (writes, by) => {
        commits += 1;
        return commits > 1 ? writes.map(() => full) : to.commit(writes, by);
      },
    });
    const ended = await importFrom(path('memberships'), failing, membershipFile, jsonl);
    expect(ended).to.deep.equal({ ...counts(512, 0, 0), failure: 'the disk is full' });
    expect(await importFrom(path('memberships'), to, membershipFile, jsonl)).to.deep.equal(
      counts(538, 512, 0),
    );
    expect(await contentsOf(to)).to.deep.equal(await contentsOf(from));
  });
});
