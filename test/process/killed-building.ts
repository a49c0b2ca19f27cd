import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { expect } from 'chai';
import {
  type ResourceDocument,
  rulesOf,
  toKeys,
} from '../../src/adapters/stores/mongodb/documents/document.ts';
import type { User } from '../../src/domain/kinds/user/user.ts';
import { kindsOf } from '../../src/domain/kinds.ts';
import { aUser } from '../support/a-user.ts';
import { until } from '../support/deadlines.ts';
import type { TestDatabase } from '../support/mongodb.ts';
import {
  aDataFolder,
  discardProcesses,
  type Environment,
  launch,
  type Process,
  startProcess,
} from '../support/process.ts';
import { allUsers, expectUndamaged } from './contents.ts';
import { fileIn, fill, insertAll } from './directories.ts';

const attributes = { hired: { type: 'date', filter: true, sort: true } } as const;
const kind = kindsOf({ attributes }).of('user');
const declared = { USERS_ATTRIBUTES_FILE: 'attributes.json5' };

const dayOf = (at: number): string => `2024-01-${String(10 + (at % 20))}`;

/** @returns for how many users the keys are made; Infinity once they are made for all */
function readProgress(db: Database.Database): number {
  const rules = String(db.prepare("SELECT rules FROM key_rules WHERE kind = 'user'").pluck().get());
  const [, indexes, , , done] = rules.split(' ');
  if (!indexes?.includes('attributes.hired')) return 0;
  return done === undefined ? Number.POSITIVE_INFINITY : Number(done);
}

async function get(service: Process, path: string) {
  const headers = { authorization: `Bearer ${await service.token()}` };
  const answer = await fetch(service.url + path, { headers });
  return { answer, json: (await answer.json()) as { detail?: string; total?: number; users?: User[] } };
}

/** Asks until the index is whole; until then, the list is refused and others are answered. */
async function askFor(service: Process, path: string): Promise<readonly User[]> {
  let users: readonly User[] = [];
  await until(`${path} is answered`, async () => {
    const { answer, json } = await get(service, path);
    if (answer.status === 200) {
      users = json.users ?? [];
      return true;
    }
    expect(answer.status).to.equal(503);
    expect(answer.headers.get('Retry-After')).to.match(/^[1-9]/);
    expect((await get(service, '/users?userName=user1')).json.users).to.have.length(1);
    return false;
  });
  return users;
}

interface Place {
  /** Chooses the store. */
  readonly env: Environment;
  /** For how many users the keys are made; at least `count` once they are made for all. */
  progress(): number | Promise<number>;
  expectKeys(users: ReadonlyMap<string, User>): unknown;
}

/** Stores the users as a service without the declaration. @param folder that of the service */
type MakePlace = (folder: string, users: readonly User[]) => Promise<Place>;

const inSqlite: MakePlace = async (folder, users) => {
  await fill(folder, users);
  const db = new Database(fileIn(folder), { readonly: true });
  return {
    env: {},
    progress: () => readProgress(db),
    expectKeys: (found) => expectUndamaged(fileIn(folder), found, (user) => kind.makeKeys(user)),
  };
};

/** @param database of each case */
export const inMongoDB =
  (database: () => TestDatabase): MakePlace =>
  async (_, users) => {
    const { open, client, uri } = database();
    await insertAll(await open(), users);
    const documents = client.db().collection<ResourceDocument>('users');
    return {
      env: { USERS_STORE: 'mongodb', USERS_MONGODB_URI: uri },
      progress: () => documents.countDocuments({ keyedBy: rulesOf(kind) }),
      async expectKeys(found) {
        for await (const { _id: id, ...stored } of documents.find()) {
          const keys = toKeys(kind, id, kind.makeKeys(found.get(id) ?? expect.fail(id)));
          expect(stored).to.deep.include(keys);
        }
      },
    };
  };

/** @param count of the users @param kills how often the process is killed meanwhile */
export const describeKilledBuilding = (count: number, kills: number, makePlace = inSqlite) =>
  describe(`The index of an attribute that is declared beside ${count} users`, () => {
    afterEach(discardProcesses);

    async function setUp(): Promise<Place & { folder: string }> {
      const folder = aDataFolder();
      const users = Array.from({ length: count }, (_, at) =>
        aUser({ userName: `user${at}`, attributes: { hired: dayOf(at) } } as Partial<User>),
      );
      const place = await makePlace(folder, users);
      writeFileSync(join(folder, declared.USERS_ATTRIBUTES_FILE), JSON.stringify({ attributes }));
      return { ...place, env: { ...place.env, ...declared }, folder };
    }

    async function expectWhole(service: Process, { expectKeys }: Place): Promise<void> {
      const found = await askFor(service, `/users?attributes.hired=${dayOf(3)}&limit=1000`);
      expect(found).to.have.length(count / 20);
      const sorted = await askFor(service, '/users?sort=attributes.hired&limit=1000');
      const days = sorted.map(({ attributes: its }) => its?.hired);
      expect(days).to.deep.equal(
        Array.from({ length: count }, (_, at) => dayOf(at))
          .sort()
          .slice(0, days.length),
      );
      const users = await allUsers(service);
      await service.stop();
      expect(users.size).to.equal(count);
      await expectKeys(users);
    }

    async function killAt(
      { folder, env, progress }: Place & { folder: string },
      goal: number,
    ): Promise<void> {
      const { child, ended } = launch([], folder, env);
      await until(`${goal} are done`, async () => (await progress()) >= goal || child.exitCode !== null);
      child.kill('SIGKILL');
      await ended;
    }

    it(`is continued where it stopped after each of ${kills} kills, and only lists that need it wait`, async () => {
      const place = await setUp();
      for (let kill = 1; kill <= kills; kill += 1) {
        const goal = (count / (kills + 2)) * kill;
        await killAt(place, goal);
        expect(await place.progress()).to.be.at.least(goal);
      }
      const before = await place.progress();
      const service = await startProcess(place);
      expect(await place.progress()).to.be.at.least(before);
      if (before < count) {
        await service.logged(/users: The index of attributes\.hired is being built: \d+ of \d+ done/);
        await service.logged(/users: All indexes are built/);
      }
      await expectWhole(service, place);
    });

    it('is built by two processes together, one of which is killed', async () => {
      const place = await setUp();
      const [, service] = await Promise.all([killAt(place, count / 2), startProcess(place)]);
      await expectWhole(service, place);
    });
  });
