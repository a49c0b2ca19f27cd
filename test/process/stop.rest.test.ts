import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { Agent } from 'node:http';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { expect } from 'chai';
import { aUser } from '../support/a-user.ts';
import { caseDeadline, until } from '../support/deadlines.ts';
import { aDataFolder, discardProcesses, startProcess } from '../support/process.ts';
import { freeze } from '../support/processes.ts';
import { open, statuses } from '../support/sockets.ts';
import { stretched } from '../support/stretched-timers.ts';
import { fill } from './directories.ts';
import { sendHalf, sendRest } from './half-sent.ts';
import { large, poster } from './posts.ts';
import { workersOf } from './several-workers.ts';

const isRefused = (url: URL): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(Number(url.port), url.hostname);
    socket.once('error', () => resolve(true));
    socket.once('connect', () => {
      socket.destroy();
      resolve(false);
    });
  });

describe('Stopping the service', () => {
  const agent = new Agent({ keepAlive: true });
  afterEach(discardProcesses);
  after(() => agent.destroy());

  it('answers the request in flight, accepts no new connection and exits with 0', async () => {
    // It must not wait for the idle connection, which is kept for longer than this test may take.
    const service = await startProcess({ env: { USERS_TIMEOUTS_KEEP_ALIVE: String(2 * caseDeadline) } });
    const post = await sendHalf(service, agent);
    const ended = service.stop('SIGTERM');
    await service.logged(/"stopping"/);
    await until('new connections are refused', () => isRefused(new URL(service.url)));

    const answer = await sendRest(post);
    expect(answer.statusCode).to.equal(201);
    const created = JSON.parse(await text(answer));
    expect(await ended).to.include({ code: 0, signal: null });

    const again = await startProcess({ folder: service.folder });
    const headers = { authorization: `Bearer ${await again.token()}` };
    const found = await fetch(`${again.url}/users/${created.id}`, { headers });
    expect(await found.json()).to.deep.equal(created);
  });

  for (const workers of ['1', '2'])
    it(`under load loses no answered write, and does no write without an answer (workers: ${workers})`, async () => {
      const service = await startProcess({ env: { USERS_WORKERS: workers } });
      const clients = await poster(service);
      const writers = Array.from({ length: 16 }, async () => {
        const statuses = new Set<number | undefined>();
        while (!statuses.has(undefined)) statuses.add(await clients.post());
        return [...statuses];
      });
      await until('100 users are created', () => clients.created.length >= 100);
      expect(await service.stop('SIGTERM')).to.include({ code: 0, signal: null });
      for (const statuses of await Promise.all(writers))
        expect([201, undefined]).to.include.members(statuses);
      const again = await startProcess({ folder: service.folder });
      expect(await (await poster(again)).all()).to.have.members(clients.created);
    });

  for (const workers of ['1', '2'])
    it(`answers requests whose connections wait to be accepted (workers: ${workers})`, async () => {
      const service = await startProcess({ env: { USERS_WORKERS: workers } });
      const head = `POST /users HTTP/1.1\r\nHost: here\r\nAuthorization: Bearer ${await service.token()}\r\n`;
      const serving = workers === '1' ? [service.pid] : await workersOf(service);
      for (const pid of serving) await freeze(pid);
      const clients = await Promise.all(
        Array.from({ length: 30 }, (_, at) => {
          const body = `{"userName":"user-${at}"}`;
          const fields = `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n`;
          return open(service.url, head + fields + body);
        }),
      );
      const ended = service.stop('SIGTERM');
      if (workers !== '1') await service.logged(/"stopping"/);
      for (const pid of serving) process.kill(pid, 'SIGCONT');
      const answers = await Promise.all(clients.map((client) => client.ended));
      expect(answers.flatMap(statuses)).to.deep.equal(clients.map(() => 201));
      expect(await ended).to.include({ code: 0, signal: null });
    });

  it('ends as soon as a response that had begun is sent, although its connection could be kept', async () => {
    const folder = aDataFolder();
    // More than the system buffers without a reader.
    await fill(
      folder,
      Array.from({ length: 1000 }, () => aUser({ attributes: large })),
    );
    const service = await startProcess({ folder });
    const head = `GET /users HTTP/1.1\r\nHost: here\r\nAuthorization: Bearer ${await service.token()}\r\n\r\n`;
    const reader = await open(service.url, head);
    expect(await reader.got(/\r\n\r\n/)).to.match(/^HTTP\/1\.1 200 (?![^{]*connection: close)/i);
    reader.socket.pause();
    const ended = service.stop('SIGTERM');
    await service.logged(/"stopping"/);
    reader.socket.resume();
    expect(await ended).to.include({ code: 0, signal: null });
    expect(await reader.ended).to.match(/\]\}\s*0\s*$/);
  });

  it('cuts off a request that does not end in time', async () => {
    // The second that it has for all else is stretched: a busy machine may stand still for that long.
    const service = await startProcess({
      env: { USERS_TIMEOUTS_SHUTDOWN: '200', NODE_OPTIONS: stretched },
    });
    const post = await sendHalf(service, agent);
    const broken = once(post, 'error');
    expect(await service.stop('SIGTERM')).to.include({ code: 0, signal: null });
    const [error] = await broken;
    expect(error).to.have.property('code', 'ECONNRESET');
  });

  for (const [signal, cause] of Object.entries({
    SIGINT: 'the keyboard',
    SIGHUP: 'a terminal that is closed',
  }))
    it(`answers the request in flight and exits with 0, also by ${cause}`, async () => {
      const service = await startProcess();
      const post = await sendHalf(service, agent);
      const ended = service.stop(signal as NodeJS.Signals);
      await service.logged(/"stopping"/);
      expect((await sendRest(post)).resume().statusCode).to.equal(201);
      const { code, log } = await ended;
      expect(code).to.equal(0);
      expect(log.at(-1)).to.contain('"stopped"');
    });

  it('is not caused by SIGUSR1 or SIGUSR2, and no debugger opens', async () => {
    const service = await startProcess();
    for (const signal of ['SIGUSR1', 'SIGUSR2']) process.kill(service.pid, signal);
    expect((await fetch(`${service.url}/health/ready`)).status).to.equal(204);
    const { code, told } = await service.stop();
    expect(code).to.equal(0);
    expect(told.join()).not.to.contain('Debugger');
  });

  it('leaves one file with all data', async () => {
    const service = await startProcess();
    const post = await sendHalf(service, agent);
    (await sendRest(post)).resume();
    await service.stop();
    expect(readdirSync(`${service.folder}/data`)).to.have.members(['development.key', 'users.db']);
  });
});
