import { expect } from 'chai';
import { memoryStore } from '../../../src/adapters/stores/memory/store.ts';
import { keepPruned } from '../../../src/adapters/stores/pruning.ts';
import type { ChangeLog, Retention } from '../../../src/domain/changes/log.ts';
import type { Store } from '../../../src/domain/store.ts';
import { createUser } from '../../contract/change-log.ts';
import { aUser } from '../../support/a-user.ts';
import { until } from '../../support/deadlines.ts';
import { tester } from '../../support/store-verbs.ts';

const hour = 60 * 60 * 1000;
const day = 24 * hour;
const months = { retention: 30, historyRetention: 0, maxBytes: 1 << 30 };

const changesOf = ({ changes }: Store): ChangeLog => changes ?? expect.fail('no log');

/** Gives the answers in turn, and then that there is nothing more to remove. */
function fakeLog(...answers: readonly (boolean | Error)[]) {
  const asked: Retention[] = [];
  const prune = async (retention: Retention): Promise<boolean> => {
    asked.push(retention);
    const answer = answers[asked.length - 1] ?? false;
    if (answer instanceof Error) throw answer;
    return answer;
  };
  const history = async () => ({ entries: [], end: { line: '', number: 0, mark: '' } });
  return { asked, log: { prune, history } as unknown as ChangeLog };
}

describe('The change log of a running service', () => {
  it('keeps at most the maximum number of bytes', async () => {
    const store = memoryStore();
    const log = store.changes as ChangeLog;
    for (let count = 0; count < 20; count += 1) await store.commit([createUser(aUser())], tester);
    const stop = keepPruned(log, { ...months, maxBytes: 2_000 }, () => {}, 1);
    await until('it is pruned', async () => (await log.read('start', 100)).entries.length < 20);
    await stop();
  });

  it('is pruned by age, in steps, again and again, until that is stopped', async () => {
    const { asked, log } = fakeLog(true, true);
    const began = Date.now();
    const stop = keepPruned(log, months, () => {}, 1);
    await until('there were steps', () => asked.length > 4);
    await stop();
    const { length } = asked;
    expect(asked[0]?.feedFrom).to.be.within(began - 30 * day, Date.now() - 30 * day);
    expect(asked[0]?.historyFrom).to.equal(asked[0]?.feedFrom);
    await new Promise((resolve) => setImmediate(resolve));
    expect(asked).to.have.length(length);
  });

  it('keeps histories for longer if that is configured', async () => {
    const { asked, log } = fakeLog();
    const stop = keepPruned(log, { ...months, historyRetention: 90 }, () => {}, 1);
    await until('there was a step', () => asked.length > 0);
    await stop();
    const [{ feedFrom, historyFrom } = expect.fail('nothing was asked')] = asked;
    expect(feedFrom - historyFrom).to.equal(60 * day);
  });

  it('is pruned later when the store fails, and the failure is logged', async () => {
    const problems: string[] = [];
    const { asked, log } = fakeLog(new Error('no disk'));
    const stop = keepPruned(log, months, (problem) => problems.push(problem), 1);
    await until('there was another step', () => asked.length > 1);
    await stop();
    expect(problems).to.deep.equal(['the change log was not pruned: no disk']);
  });
});

describe('The change log of a running service whose clock is set', () => {
  /** In ms: the time since the start, and how far the clock has been set. */
  let [elapsed, ahead] = [0, 0];
  let store: Store;
  let problems: string[];
  let stop: () => Promise<void>;
  const wall = (): number => Date.now() + elapsed + ahead;
  const write = async (age = 0): Promise<void> => {
    const { now } = Date;
    Date.now = () => now() - age;
    await store.commit([createUser(aUser())], tester);
    Date.now = now;
  };
  const count = async (): Promise<number> => (await changesOf(store).history(1_000)).entries.length;
  let steps: number;
  const nextStep = async (): Promise<void> => {
    const from = steps;
    // A step may have begun before the clock was set.
    await until('it is pruned', () => steps > from + 1);
  };
  const keep = (limits = months): void => {
    const log = changesOf(store);
    const prune = async (retention: Retention) => {
      steps += 1;
      return await log.prune(retention);
    };
    const counted = { prune, history: log.history.bind(log), measure: log.measure.bind(log) };
    const clocks = { wall, elapsed: () => elapsed };
    const tell = (problem: string) => problems.push(problem);
    stop = keepPruned(counted as unknown as ChangeLog, limits, tell, 1, clocks);
  };
  beforeEach(() => {
    [elapsed, ahead, steps] = [0, 0, 0];
    store = memoryStore();
    problems = [];
  });
  afterEach(() => stop());

  it('loses no entry when the clock leaps a year ahead and back, and says so once', async () => {
    await write();
    keep();
    await nextStep();
    for (let turn = 0; turn < 2; turn += 1) {
      ahead = 365 * day;
      for (let minutes = 0; minutes < 55; minutes += 5) {
        elapsed += 5 * 60_000;
        await nextStep();
      }
      expect(problems).to.have.length(turn + 1);
      ahead = 0;
      await nextStep();
    }
    expect(await count()).to.equal(1);
    expect(problems[0]).to.match(
      /^the clock is 365 days ahead .* until the clock has been steady for an hour$/,
    );
  });

  it('is pruned by age once the clock has been steady for an hour', async () => {
    await write();
    keep();
    await nextStep();
    ahead = 31 * day;
    await nextStep();
    expect(await count()).to.equal(1);
    elapsed += hour;
    await nextStep();
    expect(await count()).to.equal(0);
  });

  it('is pruned by age an hour after a start when nothing was written for a day before it', async () => {
    await write(40 * day);
    await write(2 * day);
    keep();
    await nextStep();
    expect(await count()).to.equal(2);
    await write();
    elapsed += hour;
    await nextStep();
    expect(await count()).to.equal(2);
    expect(problems).to.have.length(1);
  });

  it('is pruned by age at once when something was written in the day before a start', async () => {
    await write(40 * day);
    await write(2 * hour);
    await write();
    keep();
    await nextStep();
    expect(await count()).to.equal(2);
    expect(problems).to.deep.equal([]);
  });

  it('is not pruned by a clock that was already ahead at the start and at the first write', async () => {
    await write(200 * day);
    ahead = 365 * day;
    for (let made = 0; made < 600; made += 1) await write(-ahead);
    keep();
    await nextStep();
    expect(await count()).to.equal(601);
  });

  it('is not pruned by a clock that a start and an import of many users found ahead', async () => {
    for (let made = 0; made < 5; made += 1) await write(200 * day);
    ahead = 365 * day;
    const imported = Array.from({ length: 10_500 }, () => createUser(aUser()));
    const { now } = Date;
    Date.now = () => now() + ahead;
    for (const one of imported) await store.commit([one], tester);
    Date.now = now;
    keep();
    await nextStep();
    expect((await changesOf(store).measure()).oldest).to.be.below(Date.now() - 199 * day);
  });

  it('keeps at most the maximum number of bytes, whatever time the clock shows', async () => {
    for (let made = 0; made < 20; made += 1) await write(2 * day);
    keep({ ...months, maxBytes: 2_000 });
    await nextStep();
    expect(await count()).to.be.within(1, 19);
    expect(problems).to.deep.equal([]);
  });
});
