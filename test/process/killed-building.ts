import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { expect } from 'chai';
import type { Kind } from '../../src/domain/kinds/kind.ts';
import type { User } from '../../src/domain/kinds/user/user.ts';
import { kindsOf } from '../../src/domain/kinds.ts';
import { aUser } from '../support/a-user.ts';
import { until } from '../support/deadlines.ts';
import { aDataFolder, discardProcesses, launch, type Process, startProcess } from '../support/process.ts';
import { allUsers, expectUndamaged } from './contents.ts';
import { fileIn, fill } from './directories.ts';

const attributes = { hired: { type: 'date', filter: true, sort: true } } as const;
const kind = kindsOf({ attributes }).of('user') as unknown as Kind<User>;
const env = { USERS_ATTRIBUTES_FILE: 'attributes.json5' };

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

/** @param count of the users @param kills how often the process is killed meanwhile */
export const describeKilledBuilding = (count: number, kills: number) =>
  describe(`The index of an attribute that is declared beside ${count} users`, () => {
    afterEach(discardProcesses);

    async function setUp(): Promise<{ folder: string; progress: () => number }> {
      const folder = aDataFolder();
      const users = Array.from({ length: count }, (_, at) =>
        aUser({ userName: `user${at}`, attributes: { hired: dayOf(at) } } as Partial<User>),
      );
      await fill(folder, users);
      writeFileSync(join(folder, env.USERS_ATTRIBUTES_FILE), JSON.stringify({ attributes }));
      const db = new Database(fileIn(folder), { readonly: true });
      return { folder, progress: () => readProgress(db) };
    }

    async function expectWhole(service: Process, folder: string): Promise<void> {
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
      expectUndamaged(fileIn(folder), users, (user) => kind.makeKeys(user));
    }

    async function killAt(folder: string, place: number, progress: () => number): Promise<void> {
      const { child, ended } = launch([], folder, env);
      await until(`${place} are done`, () => progress() >= place || child.exitCode !== null);
      child.kill('SIGKILL');
      await ended;
    }

    it(`is built on where it stopped after each of ${kills} kills, and only lists that need it wait`, async () => {
      const { folder, progress } = await setUp();
      for (let kill = 1; kill <= kills; kill += 1) {
        const place = (count / (kills + 2)) * kill;
        await killAt(folder, place, progress);
        expect(progress()).to.be.at.least(place);
      }
      const before = progress();
      const service = await startProcess({ folder, env });
      expect(progress()).to.be.at.least(before);
      if (before < count) {
        await service.logged(/users: The index of attributes\.hired is being built: \d+ of \d+ done/);
        await service.logged(/users: All indexes are built/);
      }
      await expectWhole(service, folder);
    });

    it('is built by two processes together, one of which is killed', async () => {
      const { folder, progress } = await setUp();
      const [, service] = await Promise.all([
        killAt(folder, count / 2, progress),
        startProcess({ folder, env }),
      ]);
      await expectWhole(service, folder);
    });
  });
