import { writeFileSync } from 'node:fs';
import { Agent } from 'node:http';
import { join } from 'node:path';
import { expect } from 'chai';
import { missing } from '../support/left-out.ts';
import { discardProcesses, type Process, startProcess } from '../support/process.ts';
import { canCrowdOut, crowdOut, freeze, without } from '../support/processes.ts';
import { open, openMany, statuses } from '../support/sockets.ts';
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

/** A service with more patience than those of `watched`, and one of its workers. */
async function aPatientOne(): Promise<{ service: Process; worker: number }> {
  const service = await startProcess({ env: { ...env, USERS_TIMEOUTS_UNRESPONSIVE: '6000' } });
  const [worker] = await workersOf(service);
  return { service, worker };
}

/** Stops the worker until its service takes it for hung: others had the time to take theirs for hung. */
async function outwait({ service, worker }: Awaited<ReturnType<typeof aPatientOne>>): Promise<void> {
  await freeze(worker);
  await service.logged(/a worker does not answer/);
}

describe('Several workers', () => {
  const agent = new Agent({ keepAlive: true });
  afterEach(discardProcesses);
  after(() => agent.destroy());

  it('are not replaced while they handle one request after another, even if nothing else runs for a long time', async () => {
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

  it('are not replaced while a busy machine leaves them little CPU', async function () {
    if (!canCrowdOut) missing(this, 'taskset');
    const service = await startProcess({ env: { ...env, ...watched, ...longTurns } });
    const patient = await aPatientOne();
    const workers = await workersOf(service);
    const [crowded, other] = workers;
    const client = await without(other, async () => {
      const connected = await open(service.url, head('/health/live'));
      await connected.got(/ 204 /);
      return connected;
    });
    await crowdOut(crowded, async () => {
      client.socket.write(head('/work'));
      await outwait(patient);
    });
    writeFileSync(join(service.folder, 'go-on'), '');
    expect(statuses(await client.got(/ 401 /))).to.deep.equal([204, 401]);
    client.socket.destroy();
    await service.stop();
    expect(pidsOf(service, 'stopped')).to.have.members([service.pid, ...workers]);
  });

  it('serve while the primary is stopped, and after it continues', async () => {
    const service = await startProcess({ env: { ...env, ...watched } });
    const patient = await aPatientOne();
    const workers = await workersOf(service);
    await without(service.pid, async () => {
      await outwait(patient);
      expect(await statusOf(`${service.url}/health/ready`)).to.equal(204);
    });
    expect((await service.stop()).code).to.equal(0);
    expect(pidsOf(service, 'stopped')).to.have.members([service.pid, ...workers]);
  });

  it('end once on SIGHUP, which a terminal sends to all of them', () => endedOnceBy('SIGHUP'));

  it('ignore SIGUSR1 and SIGUSR2: no debugger opens', async () => {
    const service = await startProcess({ env });
    const pids = [service.pid, ...(await workersOf(service))];
    for (const pid of pids) for (const signal of ['SIGUSR1', 'SIGUSR2']) process.kill(pid, signal);
    expect(await statusOf(`${service.url}/health/ready`)).to.equal(204);
    const { code, told } = await service.stop();
    expect(code).to.equal(0);
    expect(told.join()).not.to.contain('Debugger');
    expect(pidsOf(service, 'stopped')).to.have.members(pids);
  });

  it('are replaced when each is asked to end, one after the other', async () => {
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
