import { once } from 'node:events';
import { Agent, get } from 'node:http';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { expect } from 'chai';
import { until } from '../support/deadlines.ts';
import { missing } from '../support/left-out.ts';
import { discardProcesses, type Process, startProcess } from '../support/process.ts';
import { canCrowdOut, crowdOut, freeze, without } from '../support/processes.ts';
import { open, openMany, statuses } from '../support/sockets.ts';
import { allUsers, expectUndamaged } from './contents.ts';
import { sendHalf, sendRest } from './half-sent.ts';
import { type Ledger, sender, settle, write } from './writers.ts';

const env = { USERS_WORKERS: '2' };
const writers = 16;

/** In ms: longer than a busy machine stands still. */
const unresponsive = 4000;
const watched = { USERS_TIMEOUTS_UNRESPONSIVE: String(unresponsive) };

const longTurns = { NODE_OPTIONS: `--import=${new URL('./long-turns.js', import.meta.url)}` };
const head = (path: string): string => `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`;

interface Line {
  readonly pid: number;
  readonly msg: string;
  readonly status?: number;
  readonly code?: number | null;
  readonly worker?: number;
}

const linesOf = (log: readonly string[]): Line[] => log.map((line) => JSON.parse(line));

const pidsOf = (service: Process, message: string): number[] =>
  linesOf(service.log)
    .filter(({ msg }) => msg === message)
    .map(({ pid }) => pid);

/** The process ids of the two that there are at first. */
async function workersOf(service: Process): Promise<[number, number]> {
  await service.logged(/"all workers are listening"/);
  const [first, second, ...more] = pidsOf(service, 'listening');
  if (first === undefined || second === undefined || more.length > 0) throw new Error('there are not two');
  return [first, second];
}

/** The process id of a worker that began to listen after these. */
async function listeningAfter(service: Process, known: readonly number[]): Promise<number> {
  const line = await service.logged(new RegExp(`"pid":(?!(?:${known.join('|')}),)\\d+,.*"msg":"listening"`));
  return JSON.parse(line).pid;
}

/** Over a connection of its own, so that it is any worker's turn. */
const statusOf = (url: string): Promise<number | undefined> =>
  new Promise((resolve, reject) => {
    get(url, { agent: false }, (answer) => {
      answer.resume();
      resolve(answer.statusCode);
    }).once('error', reject);
  });

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

  it('answer at one address, in one log that says who did', async () => {
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

  it('lose no answered write when one is killed, and it is replaced', async () => {
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

  it('let no client wait for a stopped worker: the other answers', async () => {
    const service = await startProcess({ env });
    const [stopped] = await workersOf(service);
    const answers = await without(stopped, () =>
      Promise.all(Array.from({ length: 50 }, () => statusOf(`${service.url}/health/live`))),
    );
    expect([...new Set(answers)]).to.deep.equal([204]);
  });

  it('let no client wait for the answer of a worker that has died', async () => {
    const service = await startProcess({ env });
    const [victim, other] = await workersOf(service);
    const post = await without(other, () => sendHalf(service, agent));
    const broken = once(post, 'error');
    process.kill(victim, 'SIGKILL');
    const [error] = await broken;
    expect(error).to.have.property('code', 'ECONNRESET');
    expect(await statusOf(`${service.url}/health/live`)).to.equal(204);
  });

  it('are replaced when they answer nothing any more, and only then', async () => {
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

  it('are not replaced while they take one request after another, however long no other code of theirs runs', async () => {
    const service = await startProcess({ env: { ...env, ...watched, ...longTurns } });
    const workers = await workersOf(service);
    const [busy, other] = workers;
    // Together they take longer than a worker may be silent, in one turn of its event loop: it reads from all of them before it goes on.
    const clients = await without(other, async () => {
      const all = await openMany(service.url, 24, head('/health/live'));
      for (const { got } of all) await got(/ 204 /);
      return all;
    });
    for (const { socket } of clients) socket.write(head('/long'));
    for (const { got, socket } of clients) {
      expect(statuses(await got(/ 401 /))).to.deep.equal([204, 401]);
      socket.destroy();
    }
    const { log } = await service.stop();
    const answered = linesOf(log).filter(({ status }) => status === 401);
    expect(new Set(answered.map(({ pid }) => pid))).to.deep.equal(new Set([busy]));
    expect(pidsOf(service, 'stopped')).to.have.members([service.pid, ...workers]);
  });

  it('are not replaced while a busy machine leaves them hardly any CPU', async function () {
    if (!canCrowdOut) missing(this, 'taskset');
    const service = await startProcess({ env: { ...env, ...watched, ...longTurns } });
    const workers = await workersOf(service);
    const [crowded, other] = workers;
    const client = await without(other, async () => {
      const connected = await open(service.url, head('/health/live'));
      await connected.got(/ 204 /);
      return connected;
    });
    await crowdOut(crowded, async () => {
      client.socket.write(head('/work'));
      const end = performance.now() + 2 * unresponsive;
      await until('it could have been taken for unresponsive', () => performance.now() > end);
      expect(statuses(client.received()), 'answers before the machine has time').to.deep.equal([204]);
    });
    expect(statuses(await client.got(/ 401 /))).to.deep.equal([204, 401]);
    client.socket.destroy();
    await service.stop();
    expect(pidsOf(service, 'stopped')).to.have.members([service.pid, ...workers]);
  });

  it('are replaced when one request holds them for ever', async () => {
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

  it('serve while the primary is stopped, and outlive that', async () => {
    const service = await startProcess({ env: { ...env, ...watched } });
    const workers = await workersOf(service);
    await without(service.pid, async () => {
      const end = performance.now() + unresponsive;
      await until('they could have been taken for unresponsive', async () => {
        expect(await statusOf(`${service.url}/health/ready`)).to.equal(204);
        return performance.now() > end;
      });
    });
    expect((await service.stop()).code).to.equal(0);
    expect(pidsOf(service, 'stopped')).to.have.members([service.pid, ...workers]);
  });

  it('are ended by SIGTERM, each after what it has in flight', async () => {
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

  for (const signal of ['SIGINT', 'SIGHUP'] as const)
    it(`are ended once by ${signal}, which the terminal sends to all of them`, async () => {
      const service = await startProcess({ env });
      const workers = await workersOf(service);
      for (const pid of workers) process.kill(pid, signal);
      expect(await service.stop(signal)).to.include({ code: 0, signal: null });
      for (const message of ['stopping', 'stopped'])
        expect(pidsOf(service, message)).to.have.members([service.pid, ...workers]);
    });

  it('are none of them disturbed by SIGUSR1 or SIGUSR2: no debugger opens', async () => {
    const service = await startProcess({ env });
    const pids = [service.pid, ...(await workersOf(service))];
    for (const pid of pids) for (const signal of ['SIGUSR1', 'SIGUSR2']) process.kill(pid, signal);
    expect(await statusOf(`${service.url}/health/ready`)).to.equal(204);
    const { code, told } = await service.stop();
    expect(code).to.equal(0);
    expect(told.join()).not.to.contain('Debugger');
    expect(pidsOf(service, 'stopped')).to.have.members(pids);
  });

  it('end by themselves, after what is in flight, when the primary was killed', async () => {
    const service = await startProcess({ env });
    const workers = await workersOf(service);
    const post = await sendHalf(service, agent);
    // Resolves when nobody is left that could write to its output.
    const ended = service.stop('SIGKILL');
    await service.logged(/"the primary is gone"/);
    expect((await sendRest(post)).resume().statusCode).to.equal(201);
    expect(await ended).to.include({ signal: 'SIGKILL' });
    expect(pidsOf(service, 'stopped')).to.have.members(workers);
  });

  it('are replaced one by one when each is asked to end', async () => {
    const service = await startProcess({ env });
    const known: number[] = await workersOf(service);
    const post = await sendHalf(service, agent);
    for (const pid of [...known]) {
      process.kill(pid, 'SIGTERM');
      await service.logged(new RegExp(`"pid":${pid},.*"msg":"stopping"`));
      if (!post.writableEnded) expect((await sendRest(post)).resume().statusCode).to.equal(201);
      known.push(await listeningAfter(service, known));
    }
    expect(await statusOf(`${service.url}/health/ready`)).to.equal(204);
    expect((await service.stop()).code).to.equal(0);
  });
});

describe('A worker that the store failed', () => {
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

  it('ends, the others go on, and one takes its place as soon as the store is well', async () => {
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

  it('takes the service with it when no other one can start', async () => {
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
