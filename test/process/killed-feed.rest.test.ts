import { discardProcesses } from '../support/process.ts';
import { runs } from '../support/runs.ts';
import { beside, expectNothingMissed } from './feed/attack.ts';
import { Services } from './feed/services.ts';

/** RUNS=6 is two minutes for each case. */
const seconds = runs(20);

describe('The change log on SQLite, under 64 writers and three followers, while processes are killed,', function () {
  this.timeout(seconds * 1000 + beside);
  afterEach(discardProcesses);

  async function attack(
    count: number,
    env: Record<string, string>,
    disturb: (services: Services, round: number) => Promise<void>,
  ): Promise<void> {
    const services = await Services.start(count, env);
    await expectNothingMissed({
      ...{ services, rounds: 3, seconds, writesBetween: 150, hasMemberships: true },
      disturb: (round) => disturb(services, round),
    });
    await services.stop();
  }

  async function killAndRestart(services: Services, round: number): Promise<void> {
    const at = round % services.count;
    await services.kill(at);
    await services.restart(at);
  }

  it('has an entry for each answered write, in order, and each follower gets it, with one process', () =>
    attack(1, {}, killAndRestart));

  it('has these entries with two workers', () =>
    attack(1, { USERS_WORKERS: '2' }, async (services, round) => {
      if (round % 3 === 2) await killAndRestart(services, 0);
      else await services.killWorker(0, round);
    }));

  it('has the same entries with two processes on one file', () => attack(2, {}, killAndRestart));
});
