import { expect } from 'chai';
import { keepPruned } from '../../../src/adapters/stores/base/pruning.ts';
import { memoryStore } from '../../../src/adapters/stores/memory/store.ts';
import type { ChangeLog, Retention } from '../../../src/domain/changes/log.ts';
import { createUser } from '../../contract/change-log.ts';
import { aUser } from '../../support/a-user.ts';
import { until } from '../../support/deadlines.ts';
import { tester } from '../../support/store-verbs.ts';

const day = 24 * 60 * 60 * 1000;
const months = { retention: 30, historyRetention: 0, maxBytes: 1 << 30 };

/** Answers in turn as told, then that nothing more is to be removed. */
function fakeLog(...answers: readonly (boolean | Error)[]) {
  const asked: Retention[] = [];
  const prune = async (retention: Retention): Promise<boolean> => {
    asked.push(retention);
    const answer = answers[asked.length - 1] ?? false;
    if (answer instanceof Error) throw answer;
    return answer;
  };
  return { asked, log: { prune } as unknown as ChangeLog };
}

describe('The change log, while a service runs,', () => {
  it('keeps no more bytes than it may', async () => {
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

  it('keeps histories for longer where that is set', async () => {
    const { asked, log } = fakeLog();
    const stop = keepPruned(log, { ...months, historyRetention: 90 }, () => {}, 1);
    await until('there was a step', () => asked.length > 0);
    await stop();
    const [{ feedFrom, historyFrom } = expect.fail('nothing was asked')] = asked;
    expect(feedFrom - historyFrom).to.equal(60 * day);
  });

  it('is pruned later when the store fails, and the failure is told', async () => {
    const problems: string[] = [];
    const { asked, log } = fakeLog(new Error('no disk'));
    const stop = keepPruned(log, months, (problem) => problems.push(problem), 1);
    await until('there was another step', () => asked.length > 1);
    await stop();
    expect(problems).to.deep.equal(['the change log was not pruned: no disk']);
  });
});
