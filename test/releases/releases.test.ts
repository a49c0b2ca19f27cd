import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { openMongoStore } from '../../src/adapters/stores/mongodb/open-store.ts';
import { openSqliteStore } from '../../src/adapters/stores/sqlite/open-store.ts';
import type { Store } from '../../src/domain/store.ts';
import { findDifferences } from '../adapters/contracts/fixtures/compare.ts';
import { frozenVersions, printSums, readSums } from '../adapters/contracts/frozen.ts';
import { untilReady } from '../adapters/stores/mongodb/behind-a-proxy.ts';
import { aFolder, neverFatal } from '../adapters/stores/sqlite/a-file.ts';
import { deadline } from '../support/deadlines.ts';
import { aDatabase, describeMongo } from '../support/mongodb.ts';
import { startService, type TestService } from '../support/service.ts';
import {
  idOf,
  type RecordedRead,
  readFixture,
  readsFile,
  releasesFolder,
  type StoreKind,
  storeFiles,
} from './fixture.ts';
import { parseDump, restoreDump } from './mongodb-dump.ts';
import { answerTo } from './read-all.ts';
import { reads } from './reads.ts';

interface Opened {
  readonly store: Store;
  readonly discard: () => void | Promise<void>;
}

/** A later release may find by more, and then makes keys anew before it is ready. */
const onProblem = (problem: string): void => {
  if (!problem.includes('keys are made anew')) throw new Error(problem);
};

/** A copy of the release's store, as this build opens it. */
const stores: Readonly<Record<StoreKind, (release: string) => Promise<Opened>>> = {
  async sqlite(release) {
    const folder = aFolder();
    const file = join(folder.path, 'users.db');
    writeFileSync(file, readFixture(release, storeFiles.sqlite));
    const store = await openSqliteStore({
      file,
      onFatal: neverFatal,
      busyTimeout: deadline,
      mayMigrate: true,
    });
    return { store, discard: folder.remove };
  },
  async mongodb(release) {
    const database = await aDatabase();
    await restoreDump(database.client.db(), parseDump(readFixture(release, storeFiles.mongodb).toString()));
    const store = await openMongoStore({ uri: database.uri, onProblem, operationTimeout: deadline });
    await untilReady(store);
    return { store, discard: database.drop };
  },
};

/** A later release may add entries to a history, which then has other pages. */
const passing = [/^(?:changes\/@_)?next$/];

const recordedBy = (release: string, kind: StoreKind): readonly RecordedRead[] =>
  JSON.parse(readFixture(release, readsFile(kind)).toString());

const releases = frozenVersions(releasesFolder);

for (const release of releases)
  for (const [kind, open] of Object.entries(stores) as [StoreKind, (typeof stores)[StoreKind]][])
    (kind === 'mongodb' ? describeMongo : describe)(`A ${kind} store that release ${release} wrote`, () => {
      let opened: Opened;
      let service: TestService;

      before(async () => {
        opened = await open(release);
        service = await startService({}, opened.store);
      });
      after(async () => {
        await service?.close();
        await opened?.discard();
      });

      it('is read as that release read it: users, groups, memberships, histories, changes and SCIM', async () => {
        const recorded = recordedBy(release, kind);
        expect(recorded.length).to.be.at.least(reads.length);
        const found: string[] = [];
        for (const { response, ...read } of recorded) {
          const now = await answerTo(service.url, read);
          const differences = findDifferences(response, now, 'same items', passing);
          found.push(...differences.map((difference) => `${read.target} (${read.accept}): ${difference}`));
        }
        expect(found, found.join('\n')).to.deep.equal([]);
      });

      it('accepts writes to what the release stored, and logs them after its changes', async () => {
        const { end } = (await opened.store.changes?.read('now', 1)) ?? expect.fail('no log');
        const json = { 'Content-Type': 'application/json' };
        const send = async (request: string, body?: unknown): Promise<number> => {
          const [method = '', path = ''] = request.split(' ');
          const sent = body === undefined ? {} : { headers: json, body: JSON.stringify(body) };
          return (await service.send(path, { method, ...sent })).status;
        };
        expect(await send('POST /users', { userName: 'ＱＵＩＬＬ' })).to.equal(409);
        expect(await send('POST /users', { id: idOf(51), userName: 'newcomer' })).to.equal(201);
        expect(await send(`PUT /users/${idOf(1)}`, { userName: 'quill', displayName: 'Q' })).to.equal(200);
        expect(await send(`PUT /groups/${idOf(101)}/members/${idOf(51)}`)).to.equal(204);
        expect(await send(`DELETE /users/${idOf(7)}`)).to.equal(204);
        expect(await send(`DELETE /groups/${idOf(102)}`)).to.equal(204);
        const { entries } = (await opened.store.changes?.read(end, 100)) ?? expect.fail('no log');
        expect(entries.map(({ type }) => type)).to.deep.equal([
          ...['user.created', 'user.updated', 'group.members-changed', 'user.deleted', 'group.deleted'],
        ]);
        const members = (await service.send(`/users?group=${idOf(101)}`)).json().users.map(({ id }) => id);
        expect(members).to.deep.equal([1, 2, 4, 5, 51].map(idOf));
      });

      // Later releases log them.
      if (release === '1.0')
        it('has deletions that can be restored, without the memberships that release 1.0 did not log', async () => {
          const page = (await service.send('/history?type=user.deleted')).json();
          const deletions = page.changes as readonly Readonly<Record<string, object>>[];
          const { id, before } = deletions.find(({ label, memberships }) => label && !memberships) ?? {};
          const restore = (query = '') => service.send(`/users/${id}/restore${query}`, { method: 'POST' });
          expect((await restore()).json().type).to.match(/not-restorable$/);
          expect((await restore('?memberships=none')).json()).to.deep.include(before);
        });
    });

describe('The stores of earlier releases', () => {
  it('begin with release 1.0, and have not changed since they were made', () => {
    expect(releases[0]).to.equal('1.0');
    expect(printSums(releasesFolder)).to.equal(readSums(releasesFolder));
  });
});
