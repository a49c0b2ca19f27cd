import type { MongoMemoryReplSet } from 'mongodb-memory-server-core';
import { beside, expectNothingMissed, type Scene } from '../../../process/feed/attack.ts';
import { Services } from '../../../process/feed/services.ts';
import { describeOwnMongo, loggedIn, root, startSet, withDatabase } from '../../../support/mongodb.ts';
import { FaultySet } from '../../../support/mongodb-faults.ts';
import { discardProcesses } from '../../../support/process.ts';
import { freeze } from '../../../support/processes.ts';
import { runs } from '../../../support/runs.ts';

/** RUNS=6 is two minutes for each case. */
const seconds = runs(20);

/** Writes that are answered while something is out of order. Some clients wait for what is frozen. */
const [meanwhile, besideFrozen] = [100, 40];
const writesBetween = 150;

type Fault = (progress: Scene['progress']) => Promise<void>;

/** Each in turn. */
const faultsOf = (set: FaultySet, services: Services): readonly Fault[] => [
  async (progress) => set.restartAfter(await set.primary(), () => progress(meanwhile)),
  async () => {
    await services.kill(1);
    await services.restart(1);
  },
  async (progress) => {
    await set.freeze(await set.primary());
    await progress(meanwhile);
    set.thaw();
  },
  async (progress) => {
    const { pid } = services.process(2);
    await freeze(pid);
    await progress(besideFrozen);
    process.kill(pid, 'SIGCONT');
  },
  async (progress) => {
    const before = await set.primary();
    await set.stepDown();
    await progress(meanwhile);
    await set.letRun(before);
  },
];

describeOwnMongo(
  'The change log on three members of MongoDB, under 64 writers and three followers,',
  function () {
    this.timeout(seconds * 1000 + beside);
    let members: MongoMemoryReplSet | undefined;
    let set: FaultySet | undefined;
    afterEach(async () => {
      await discardProcesses();
      await set?.stop();
    });

    async function attack(isAuthenticated: boolean): Promise<void> {
      members = await startSet(3, isAuthenticated);
      const uri = withDatabase(members.getUri(), 'users');
      set = new FaultySet(members, isAuthenticated ? loggedIn(uri, root) : uri);
      const account = isAuthenticated ? await set.createAccount('users') : undefined;
      const services = await Services.start(3, {
        USERS_STORE: 'mongodb',
        USERS_MONGODB_URI: account ? loggedIn(uri, account) : uri,
      });
      const faults = faultsOf(set, services);
      await expectNothingMissed({
        ...{ services, rounds: faults.length, seconds, writesBetween, hasMemberships: true },
        disturb: async (round, { progress }) => faults[round % faults.length]?.(progress),
      });
      await services.stop();
    }

    const does =
      'has an entry for each answered write, in order, which each follower meets, through three processes,';
    it(`${does} while they and the primary are killed and frozen, and the primary steps down`, () =>
      attack(false));
    it(`${does} while that happens, with authentication`, () => attack(true));
  },
);
