import { setImmediate as turn } from 'node:timers/promises';
import { expect } from 'chai';
import { memoryStore } from '../../../../src/adapters/stores/memory/store.ts';
import { createUser } from '../../../contract/change-log.ts';
import { aUser } from '../../../support/a-user.ts';
import { until } from '../../../support/deadlines.ts';
import { type CountingClock, countWork } from '../../../support/scheduler-clock.ts';
import { aToken } from '../../../support/service.ts';
import { countLooks, type Directory, openDirectory } from './directory.ts';
import { openStream } from './stream.ts';

const stream = 'text/event-stream';

describe('A client that reads the whole change log, fifty times at once', () => {
  let directory: Directory;
  let clock: CountingClock;
  let counts: ReturnType<typeof countLooks>['counts'];
  let ends: (() => void)[];
  let isOver: boolean;
  beforeEach(async () => {
    const { store, ...looks } = countLooks(memoryStore());
    counts = looks.counts;
    await store.commit(
      Array.from({ length: 6_000 }, () => createUser(aUser())),
      { client: 'hr-sync', via: 'import' },
    );
    // A slice is two steps of work.
    clock = countWork(0.25);
    directory = await openDirectory(store);
    [ends, isOver] = [[], false];
  });
  afterEach(async () => {
    isOver = true;
    for (const end of ends) end();
    await directory.close();
    clock.restore();
  });

  async function openAll(path: string): Promise<void> {
    const authorization = `Bearer ${await aToken(undefined, undefined, 'greedy')}`;
    for (let count = 0; count < 50; count += 1)
      void openStream(directory.url + path, { authorization }).then(
        ({ close }) => (isOver ? close() : ends.push(close)),
        () => {},
      );
  }

  /** Each is asked for time and again. */
  async function askAll(path: string, method: string, accept: string): Promise<void> {
    const authorization = `Bearer ${await aToken(undefined, undefined, 'greedy')}`;
    const ask = async (): Promise<void> => {
      while (!isOver) await directory.send(path, { method, headers: { authorization, accept } });
    };
    const all = Array.from({ length: 50 }, ask);
    ends.push(() => void Promise.allSettled(all));
  }

  /** The most entries of the log that are read in a turn of the event loop meanwhile. */
  async function countInTurns(work: () => Promise<void>): Promise<number> {
    let [most, before, isDone] = [0, counts.entries, false];
    const turns = (async () => {
      while (!isDone) {
        await turn();
        most = Math.max(most, counts.entries - before);
        before = counts.entries;
      }
    })();
    await work().finally(() => {
      isDone = true;
    });
    await turns;
    return most;
  }

  const kinds: readonly (readonly [name: string, ask: () => Promise<void>])[] = [
    ['streams', () => openAll('/changes?since=start')],
    ['streams that a filter leaves empty', () => openAll('/changes?since=start&by=nobody')],
    ['heads of streams', () => askAll('/changes?since=start', 'HEAD', stream)],
    ['pages', () => askAll('/changes?since=start', 'GET', 'application/json')],
    ['pages that a filter leaves empty', () => askAll('/changes?since=start&by=nobody', 'GET', '*/*')],
    ['pages of the history', () => askAll('/history', 'GET', '*/*')],
  ];
  for (const [name, ask] of kinds)
    it(`lets the reads and writes of another client go first: ${name}`, async () => {
      const mostInTurn = await countInTurns(async () => {
        await ask();
        await until('the log is read', () => counts.entries > 2_000);
        for (let count = 0; count < 5; count += 1) {
          await directory.addUsers(1);
          const { status } = await directory.send('/users/00000000-0000-7000-8000-000000000000');
          expect(status).to.equal(404);
        }
      });
      // A step of one of the fifty, so that the others have theirs.
      expect(mostInTurn).to.be.at.most(100);
    });
});
