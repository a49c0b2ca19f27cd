import { expect } from 'chai';
import { memoryStore } from '../../../src/adapters/stores/memory/store.ts';
import { timeFollower } from '../../../src/adapters/stores/time-follower.ts';
import { randomIds } from '../../../src/adapters/system/clock-and-ids.ts';
import type { User } from '../../../src/domain/kinds/user/user.ts';
import { Stored } from '../../../src/domain/resource/stored.ts';
import type { Store } from '../../../src/domain/store.ts';
import { aUser } from '../../support/a-user.ts';
import { until } from '../../support/deadlines.ts';
import { kinds } from '../../support/kinds.ts';
import { overridden } from '../../support/stores.ts';

const hour = 60 * 60 * 1000;
const day = 24 * hour;

describe('A running service', () => {
  /** In ms: the time since the start, and how far the clock has been set. */
  let [elapsed, ahead] = [0, 0];
  let store: Store;
  let looks: number;
  let problems: string[];
  let stop: () => Promise<void>;
  const start = Date.now();
  const wall = (): number => start + elapsed + ahead;

  beforeEach(() => {
    [elapsed, ahead, looks, problems] = [0, 0, 0, []];
    store = memoryStore();
  });
  afterEach(() => stop());

  const follow = (of: Store = store): void => {
    const counting = overridden(of, {
      ...(of.changes && { changes: of.changes }),
      page: (...asked) => {
        looks += 1;
        return of.page(...asked);
      },
    });
    const follower = timeFollower(
      { store: counting, kinds, ids: randomIds },
      { onProblem: (line) => problems.push(line), interval: 1, clocks: { wall, elapsed: () => elapsed } },
    );
    follower.start();
    stop = () => follower.stop();
  };
  async function userUntil(validUntil: number): Promise<string> {
    const user = aUser({ validUntil: new Date(validUntil).toISOString() });
    const write = { kind: 'user', id: user.id, op: 'create', next: Stored.of(user) } as const;
    await store.commit([write], { client: 'tester', via: 'test' });
    return user.id;
  }
  const isActive = async (id: string): Promise<boolean | undefined> =>
    ((await store.find('user', id))?.value as User | undefined)?.active;
  const seen = async (): Promise<void> => {
    const { length } = problems;
    const before = looks;
    await until('it looked again', () => looks > before + 1 || problems.length > length);
  };

  it('ends a user when the time has come', async () => {
    const id = await userUntil(start + hour);
    follow();
    await seen();
    expect(await isActive(id)).to.equal(true);
    elapsed = hour;
    await until('the user has ended', async () => (await isActive(id)) === false);
    expect(problems).to.deep.equal([]);
  });
  it('ends no user while its clock is more than a day ahead, and says so, until the clock has been steady for an hour', async () => {
    const id = await userUntil(start + 10 * day);
    follow();
    await seen();
    ahead = 11 * day;
    await until('it says so', () => problems.length > 0);
    expect(problems[0]).to.match(
      /^the clock is 11 days ahead of .* no user begins or ends by validity until/,
    );
    expect(await isActive(id)).to.equal(true);
    elapsed = hour;
    await until('the user has ended', async () => (await isActive(id)) === false);
    expect(problems).to.have.length(1);
  });
  it('tries again when the store fails, and logs the failure', async () => {
    const id = await userUntil(start - 1);
    let failures = 0;
    const failing = overridden(store, {
      commit: (...asked) => {
        failures += 1;
        return failures === 1 ? Promise.reject(new Error('no disk')) : store.commit(...asked);
      },
    });
    follow(failing);
    await until('the user has ended', async () => (await isActive(id)) === false);
    expect(problems).to.deep.equal(['no user began or ended by validity: no disk']);
  });

  it('knows the time for the writes of its clients before it looks for the first time', async () => {
    const follower = timeFollower(
      { store, kinds, ids: randomIds },
      { onProblem: expect.fail, interval: hour, clocks: { wall, elapsed: () => elapsed } },
    );
    stop = () => follower.stop();
    expect(follower.now()).to.equal(undefined);
    follower.start();
    await until('it knows the time', () => follower.now() !== undefined);
  });
});
