import { expect } from 'chai';
import { Services } from '../../../process/feed/services.ts';
import { exchange } from '../../../support/exchanges.ts';
import { describeOwnMongo, loggedIn, root, startSet, withDatabase } from '../../../support/mongodb.ts';
import { FaultySet } from '../../../support/mongodb-faults.ts';
import { discardProcesses } from '../../../support/process.ts';
import { freeze } from '../../../support/processes.ts';

/** Attempts to stop a process in the midst of a transaction: about one of three does. */
const attempts = 200;
const writers = 16;

describeOwnMongo('A process that is killed while it holds the counter of the change log', () => {
  let set: FaultySet | undefined;
  afterEach(async () => {
    await discardProcesses();
    await set?.stop();
  });

  async function write(services: Services, at: number, authorization: string): Promise<number> {
    const { url } = services.process(at);
    const headers = { authorization, 'content-type': 'application/json' };
    const body = JSON.stringify({ userName: `user-${Math.random()}` });
    const { status } = await exchange(`${url}/users`, { method: 'POST', headers, body });
    return status;
  }

  /** Writes until it is killed, which happens between the first command of a transaction and its commit. */
  async function killHolder(services: Services, authorization: string): Promise<void> {
    const { pid } = services.process(0);
    let isKilled = false;
    let onAnswer = () => {};
    const writing = Array.from({ length: writers }, async () => {
      while (!isKilled) {
        await write(services, 0, authorization).catch(() => {});
        onAnswer();
      }
    });
    const someAnswers = (count: number): Promise<void> =>
      new Promise((resolve) => {
        onAnswer = () => {
          count -= 1;
          if (count <= 0) resolve();
        };
      });
    for (let attempt = 0; attempt < attempts && !isKilled; attempt += 1) {
      // It must have run since it was stopped last, which a busy machine may put off; and be stopped anywhere between two answers.
      await someAnswers(1 + Math.floor(Math.random() * writers));
      await freeze(pid);
      isKilled = (await openTransactions()) > 0;
      if (!isKilled) process.kill(pid, 'SIGCONT');
    }
    expect(isKilled, 'it was stopped in a transaction').to.equal(true);
    await services.kill(0);
    await Promise.all(writing);
    expect(await openTransactions(), 'transactions that it has left').to.equal(1);
  }

  async function openTransactions(): Promise<number> {
    const stages = [
      { $currentOp: { idleSessions: true, allUsers: true } },
      { $match: { transaction: { $exists: true }, appName: /^users / } },
    ];
    const found = await set?.admin((client) => client.db('admin').aggregate(stages).toArray());
    return found?.length ?? 0;
  }

  async function expectFreed(isAuthenticated: boolean): Promise<void> {
    const members = await startSet(1, isAuthenticated);
    const uri = withDatabase(members.getUri(), 'users');
    set = new FaultySet(members, isAuthenticated ? loggedIn(uri, root) : uri);
    const account = isAuthenticated ? await set.createAccount('users') : undefined;
    const services = await Services.start(2, {
      USERS_STORE: 'mongodb',
      USERS_MONGODB_URI: account ? loggedIn(uri, account) : uri,
    });
    const authorization = await services.authorization();
    await killHolder(services, authorization);
    const begin = performance.now();
    // MongoDB itself would keep the counter locked for a minute, which is longer than a write waits.
    expect(await write(services, 1, authorization)).to.equal(201);
    if (process.env.FEED_REPORT) console.log(`freed after ${Math.round(performance.now() - begin)} ms`);
    await services.stop();
  }

  it('delays other writers no longer than a write may take', () => expectFreed(false));
  it('does so even with an account that may only read and write', () => expectFreed(true));
});
