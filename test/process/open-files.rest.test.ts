import { once } from 'node:events';
import { get } from 'node:http';
import { connect, type Socket } from 'node:net';
import { expect } from 'chai';
import { until } from '../support/deadlines.ts';
import { missing } from '../support/left-out.ts';
import { discardProcesses, type Process, startProcess } from '../support/process.ts';
import { descriptors } from '../support/processes.ts';

const limit = 256;
const surroundings = { limit: `-n ${limit}` };

/** Resolves with the sockets when each is open, or was refused or closed. */
async function openIdle({ url }: Process, count: number): Promise<Socket[]> {
  const { hostname, port } = new URL(url);
  const sockets = Array.from({ length: count }, () => connect(Number(port), hostname).on('error', () => {}));
  await Promise.all(
    sockets.map((socket) => Promise.race([once(socket, 'connect'), once(socket, 'close')]).catch(() => {})),
  );
  return sockets;
}

const probe = ({ url }: Process): Promise<number | undefined> =>
  new Promise((resolve, reject) => {
    get(`${url}/health/live`, { agent: false }, (answer) => resolve(answer.resume().statusCode)).once(
      'error',
      reject,
    );
  });

const pidsOf = (service: Process): number[] => [
  ...new Set([service.pid, ...service.log.map((line): number => JSON.parse(line).pid)]),
];

describe('Connections beyond the limit for open files', () => {
  before(function () {
    if (process.platform !== 'linux') missing(this, 'Linux');
  });
  afterEach(discardProcesses);

  for (const workers of [1, 2])
    it(`leave each process serving, with as many descriptors as before, when they are closed (workers: ${workers})`, async () => {
      const service = await startProcess({ env: { USERS_WORKERS: String(workers) }, surroundings });
      if (workers > 1) await service.logged(/"all workers are listening"/);
      const pids = pidsOf(service);
      const serving = pids.filter((pid) => workers === 1 || pid !== service.pid);
      const everyOne = (answering: () => ReadonlySet<number>) =>
        until('each process has answered', async () => {
          expect(await probe(service)).to.equal(204);
          return answering().size >= serving.length;
        });
      const answered = () =>
        new Set(service.log.filter((line) => line.includes('"request"')).map((line) => JSON.parse(line).pid));
      await everyOne(answered);
      const before = pids.map(descriptors);

      for (let round = 0; round < 3; round += 1) {
        const sockets = await openIdle(service, 2 * limit * workers);
        for (const socket of sockets) socket.destroy();
      }
      await until('there are as many descriptors as before', () =>
        pids.every((pid, at) => descriptors(pid) <= Number(before[at])),
      );
      const known = service.log.length;
      const later = () =>
        new Set(
          service.log
            .slice(known)
            .filter((line) => line.includes('"request"'))
            .map((line) => JSON.parse(line).pid),
        );
      await everyOne(later);
      expect([...later()]).to.have.members(serving);
      expect((await service.stop()).code).to.equal(0);
    });

  it('are prevented by a lower connections.max, which the log reports at the start', async () => {
    const service = await startProcess({ surroundings });
    const line = await service.logged(/"connections.max is lowered/);
    expect(JSON.parse(line)).to.include({ level: 40, openFiles: limit, max: limit - 64 });
    const sockets = await openIdle(service, limit);
    const dropped = JSON.parse(await service.logged(/more connections than connections.max/)).dropped;
    expect(dropped).to.be.within(1, 64);
    for (const socket of sockets) socket.destroy();
    expect((await service.stop()).code).to.equal(0);
  });
});
