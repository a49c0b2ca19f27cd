import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { Agent } from 'node:http';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { expect } from 'chai';
import { until } from '../support/deadlines.ts';
import { aDataFolder, discardProcesses, type Process, startProcess } from '../support/process.ts';
import { freeze, without } from '../support/processes.ts';
import { openMany } from '../support/sockets.ts';
import { declared } from './changed-declarations.ts';
import { allUsers, expectUndamaged } from './contents.ts';
import { sendHalf, sendRest } from './half-sent.ts';
import {
  endedOnceBy,
  env,
  head,
  linesOf,
  listeningAfter,
  longTurns,
  pidsOf,
  statusOf,
  watched,
  workersOf,
} from './several-workers.ts';
import { type Ledger, sender, settle, write } from './writers.ts';

const writers = 16;

/** Makes the file one of a newer release, or takes that back. */
function raiseVersion(service: Process, by: number): void {
  const db = new Database(join(service.folder, 'data', 'users.db'));
  db.pragma(`user_version = ${Number(db.pragma('user_version', { simple: true })) + by}`);
  db.close();
}

describe('Several workers', () => {
  const agent = new Agent({ keepAlive: true });
  afterEach(discardProcesses);
  after(() => agent.destroy());

  it('answer at one address and write one log, which names the worker of each line', async () => {
    const service = await startProcess({ env });
    const workers = await workersOf(service);
    expect(workers).not.to.include(service.pid);
    expect(workers[0]).not.to.equal(workers[1]);
    let asked = 0;
    // Whose turn it is, the system decides.
    await until('both have answered', async () => {
      expect(await statusOf(`${service.url}/health/ready`)).to.equal(204);
      asked += 1;
      return asked >= 20 && new Set(pidsOf(service, 'request')).size === 2;
    });
    const { log, told } = await service.stop();
    const answered = linesOf(log).filter(({ msg }) => msg === 'request');
    expect(answered).to.have.length(asked);
    expect([...new Set(answered.map(({ pid }) => pid))]).to.have.members(workers);
    expect(told.filter((line) => line.startsWith('Listening on '))).to.have.length(1);
    expect(told.join()).not.to.contain('USERS_WORKERS');
  });

  it('lose no answered write when one of them is killed and replaced', async () => {
    const service = await startProcess({ env });
    const ledger: Ledger = new Map();
    const send = sender(service.url, await service.token());
    let answers = 0;
    let replaced = false;
    const [victim, other] = await workersOf(service);
    const answered = () => {
      answers += 1;
      if (answers !== 50) return;
      process.kill(victim, 'SIGKILL');
      void listeningAfter(service, [victim, other]).then(() => {
        replaced = true;
      });
    };
    const enough = () => replaced && ledger.size > 50;
    // A writer ends with its connection, and another begins.
    const writer = async () => {
      while (!enough()) await write(send, ledger, answered, enough);
    };
    await Promise.all(Array.from({ length: writers }, writer));
    const there = await allUsers(service);
    settle(ledger, there);
    await service.stop();
    expectUndamaged(join(service.folder, 'data', 'users.db'), there);
  });

  it('serve with the attributes that the service began with, also those that start after the file has changed', async () => {
    const folder = aDataFolder();
    const badge = { type: 'integer' } as const;
    const service = await startProcess({ folder, env: { ...env, ...declared(folder, { badge }) } });
    const send = sender(service.url, await service.token());
    for (const [at, killed] of (await workersOf(service)).entries()) {
      writeFileSync(
        join(folder, 'attributes.json5'),
        ['{attributes: {level: {type: "integer"}}}', '{'][at] ?? '',
      );
      const known = pidsOf(service, 'listening');
      process.kill(killed, 'SIGKILL');
      await listeningAfter(service, known);
      const answers = Array.from({ length: 30 }, (_, one) =>
        send('POST', '/users', { userName: `user-${at}-${one}`, attributes: { badge: one } }),
      );
      expect(new Set((await Promise.all(answers)).map(({ status }) => status))).to.deep.equal(new Set([201]));
    }
  });

  it('answer all clients while one of them is stopped', async () => {
    const service = await startProcess({ env });
    const [stopped] = await workersOf(service);
    const answers = await without(stopped, () =>
      Promise.all(Array.from({ length: 50 }, () => statusOf(`${service.url}/health/live`))),
    );
    expect([...new Set(answers)]).to.deep.equal([204]);
  });

  it('close the connections of a worker that dies, so that no client waits', async () => {
    const service = await startProcess({ env });
    const [victim, other] = await workersOf(service);
    const post = await without(other, () => sendHalf(service, agent));
    const broken = once(post, 'error');
    process.kill(victim, 'SIGKILL');
    const [error] = await broken;
    expect(error).to.have.property('code', 'ECONNRESET');
    expect(await statusOf(`${service.url}/health/live`)).to.equal(204);
  });

  it('are replaced when they stop responding, and only then', async () => {
    const service = await startProcess({ env: { ...env, ...watched } });
    const workers = await workersOf(service);
    const [stopped, other] = workers;
    await freeze(stopped);
    const line = await service.logged(/a worker does not answer/);
    expect(JSON.parse(line)).to.include({ level: 50, worker: stopped, pid: service.pid });
    await service.logged(new RegExp(`"worker":${stopped},.*"signal":"SIGKILL".*"a worker has ended"`));
    const next = await listeningAfter(service, workers);
    expect(await without(other, () => statusOf(`${service.url}/health/ready`))).to.equal(204);
    const { code } = await service.stop();
    expect(code).to.equal(0);
    expect(pidsOf(service, 'stopped')).to.have.members([service.pid, other, next]);
  });

  it('are replaced when a request blocks them for ever', async () => {
    const service = await startProcess({ env: { ...env, ...watched, ...longTurns } });
    const workers = await workersOf(service);
    const [client] = await openMany(service.url, 1, head('/endless'));
    const line = await service.logged(/a worker does not answer/);
    expect(workers).to.include(JSON.parse(line).worker);
    await client?.ended;
    await listeningAfter(service, workers);
    expect(await statusOf(`${service.url}/health/ready`)).to.equal(204);
    expect((await service.stop()).code).to.equal(0);
  });

  it('end on SIGTERM, each after its requests in flight', async () => {
    const service = await startProcess({ env });
    const [first, second] = await workersOf(service);
    const posts = [
      await without(first, () => sendHalf(service, agent)),
      await without(second, () => sendHalf(service, agent)),
    ];
    const ended = service.stop('SIGTERM');
    for (const pid of [first, second]) await service.logged(new RegExp(`"pid":${pid},.*"msg":"stopping"`));
    const statuses = [];
    for (const post of posts) statuses.push((await sendRest(post)).resume().statusCode);
    expect(statuses).to.deep.equal([201, 409]);
    const { code, log } = await ended;
    expect(code).to.equal(0);
    expect(linesOf(log).at(-1)).to.include({ msg: 'stopped', pid: service.pid });
    expect(new Set(pidsOf(service, 'request')), 'workers that had one in flight').to.have.property('size', 2);
  });

  it('end once on SIGINT, which a terminal sends to all of them', () => endedOnceBy('SIGINT'));

  it('end after their requests in flight when the primary is killed', async () => {
    const service = await startProcess({ env });
    const workers = await workersOf(service);
    const post = await sendHalf(service, agent);
    // Resolves when no process is left that could write to its output.
    const ended = service.stop('SIGKILL');
    await service.logged(/"the primary is gone"/);
    expect((await sendRest(post)).resume().statusCode).to.equal(201);
    expect(await ended).to.include({ signal: 'SIGKILL' });
    expect(pidsOf(service, 'stopped')).to.have.members(workers);
  });
});

describe('A worker whose store fails', () => {
  afterEach(discardProcesses);

  const post = async (service: Process): Promise<number> => {
    const headers = {
      authorization: `Bearer ${await service.token()}`,
      'content-type': 'application/json',
      connection: 'close',
    };
    const body = JSON.stringify({ userName: 'ada' });
    return (await fetch(`${service.url}/users`, { method: 'POST', headers, body })).status;
  };

  it('ends while the others continue, and is replaced as soon as the store works again', async () => {
    const service = await startProcess({ env });
    const workers = await workersOf(service);
    raiseVersion(service, 1);
    expect(await post(service)).to.equal(503);
    await service.logged(/"code":1,.*a newer release wrote it.*"a worker has ended"/);
    expect(await statusOf(`${service.url}/health/ready`)).to.equal(204);
    raiseVersion(service, -1);
    await listeningAfter(service, workers);
    expect(await post(service)).to.equal(201);
    expect((await service.stop()).code).to.equal(0);
  });

  it('ends the service when no replacement can start', async () => {
    const service = await startProcess({ env });
    raiseVersion(service, 1);
    expect(await post(service)).to.equal(503);
    expect(await post(service)).to.equal(503);
    const line = await service.logged(/"no worker can start"/);
    expect(JSON.parse(line).pid).to.equal(service.pid);
    const { code, signal } = await service.stop('SIGCONT');
    expect({ code, signal }).to.deep.equal({ code: 1, signal: null });
  });
});
