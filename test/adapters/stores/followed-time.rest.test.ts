import { join } from 'node:path';
import { expect } from 'chai';
import fc from 'fast-check';
import { openMongoStore } from '../../../src/adapters/stores/mongodb/open-store.ts';
import { openSqliteStore } from '../../../src/adapters/stores/sqlite/open-store.ts';
import { randomIds } from '../../../src/adapters/system/clock-and-ids.ts';
import { followTime } from '../../../src/domain/follow-time.ts';
import type { Store } from '../../../src/domain/store.ts';
import { createUser } from '../../contract/change-log.ts';
import { aUser } from '../../support/a-user.ts';
import { deadline } from '../../support/deadlines.ts';
import { kinds } from '../../support/kinds.ts';
import { aDatabase, describeMongo } from '../../support/mongodb.ts';
import { runs } from '../../support/runs.ts';
import { tester } from '../../support/store-verbs.ts';
import { aFolder, neverFatal } from './sqlite/a-file.ts';

const start = Date.parse('2031-01-01T00:00:00.000Z');
const hour = 3_600_000;
const at = (hours: number): string => new Date(start + hours * hour).toISOString();

interface Shared {
  readonly open: () => Promise<Store>;
  readonly discard: () => void | Promise<void>;
}

async function onSqlite(): Promise<Shared> {
  const folder = aFolder();
  const options = { file: join(folder.path, 'users.db'), onFatal: neverFatal, busyTimeout: deadline };
  return { open: () => openSqliteStore(options), discard: folder.remove };
}

async function onMongo(): Promise<Shared> {
  const { uri, drop } = await aDatabase();
  const onProblem = (problem: string) => expect.fail(problem);
  return { open: () => openMongoStore({ uri, onProblem, operationTimeout: deadline }), discard: drop };
}

/** A process, with a clock of its own, that looks, or that is started again. */
const step = fc.record({
  process: fc.nat(1),
  hours: fc.integer({ min: -30, max: 30 }),
  isStopped: fc.boolean(),
});

const describeFollowing = (name: string, describeStore: typeof describeMongo, share: () => Promise<Shared>) =>
  describeStore(`Two processes that follow time on ${name}`, () => {
    let shared: Shared;
    let stores: Store[];
    before(async () => {
      shared = await share();
      stores = [await shared.open(), await shared.open()];
    });
    after(async () => {
      for (const store of stores) await store.close();
      await shared.discard();
    });

    /** The values of `active` that time has written, by user. */
    async function followed(ids: readonly string[]): Promise<unknown[]> {
      const written = ids.map(async (id) => {
        const { entries = [] } =
          (await stores[0]?.changes?.history(9, undefined, { kind: 'user', id })) ?? {};
        return entries.filter(({ by }) => by.via === 'validity').map(({ values }) => values?.after);
      });
      return await Promise.all(written);
    }

    it('end and begin each user once, even if their clocks leap or one of them is stopped', async () => {
      await fc.assert(
        fc.asyncProperty(fc.array(step, { maxLength: 6 }), async (steps) => {
          const users = Array.from({ length: 150 }, (_, number) =>
            number % 3 === 0
              ? aUser({ active: false, validFrom: at(number % 7) })
              : aUser({ active: true, validUntil: at(number % 11) }),
          );
          await stores[0]?.commit(
            users.map((user) => createUser(user)),
            tester,
          );
          const clocks = [0, 0];
          const look = (process: number) =>
            followTime({
              store: stores[process] ?? expect.fail('no store'),
              ...{
                kinds,
                ids: randomIds,
                clock: { now: () => new Date(start + (clocks[process] ?? 0) * hour) },
              },
            });
          for (const { process, hours, isStopped } of steps) {
            clocks[process] = hours;
            if (isStopped) {
              await stores[process]?.close();
              stores[process] = await shared.open();
            }
            await Promise.all([look(0), look(1)]);
          }
          clocks.fill(40);
          while ((await Promise.all([look(0), look(1)])).includes(true));
          while (await look(0));
          expect(await followed(users.map(({ id }) => id))).to.deep.equal(
            users.map(({ validFrom }) => [{ active: validFrom !== undefined }]),
          );
        }),
        { numRuns: runs(20), endOnFailure: true },
      );
    });
  });

describeFollowing('SQLite', describe as typeof describeMongo, onSqlite);
describeFollowing('MongoDB', describeMongo, onMongo);
