import { openSync, readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { Agent, get } from 'node:http';
import { join } from 'node:path';
import { expect } from 'chai';
import { until } from '../support/deadlines.ts';
import { aDataFolder, discardProcesses, type Process, startProcess } from '../support/process.ts';
import { fillPipe, type Sink, sinks } from './sinks.ts';

interface Line {
  readonly msg: string;
  readonly dropped?: number;
}

const agent = new Agent({ keepAlive: true, maxSockets: 16 });

const probe = ({ url }: Process): Promise<number | undefined> =>
  new Promise((resolve, reject) => {
    get(`${url}/health/live`, { agent }, (answer) =>
      answer.resume().once('end', () => resolve(answer.statusCode)),
    ).once('error', reject);
  });

/** Each is a line of the log. */
async function ask(service: Process, count: number): Promise<void> {
  const answers = await Promise.all(Array.from({ length: count }, () => probe(service)));
  expect([...new Set(answers)]).to.deep.equal([204]);
}

/** Of lines that are all whole: how many are about requests, and how many were dropped. */
function counted(text: string): { requests: number; dropped: number } {
  const lines: Line[] = text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
  return {
    requests: lines.filter(({ msg }) => msg === 'request').length,
    dropped: lines.reduce((sum, { dropped = 0 }) => sum + dropped, 0),
  };
}

describe('An output that is not read', () => {
  const opened: Sink[] = [];
  afterEach(async () => {
    await discardProcesses();
    for (const sink of opened.splice(0)) sink.close();
  });
  after(() => agent.destroy());

  async function open(kind: keyof typeof sinks, folder: string): Promise<Sink> {
    const sink = await sinks[kind](folder);
    opened.push(sink);
    return sink;
  }

  for (const [kind, workers] of [
    ['pipe', '1'],
    ['socket', '2'],
  ] as const)
    it(`delays no request and no shutdown when it is a ${kind} (workers: ${workers})`, async () => {
      const folder = aDataFolder();
      const { end } = await open(kind, folder);
      const env = { USERS_WORKERS: workers };
      const service = await startProcess({ folder, env, surroundings: { stdout: end } });
      await ask(service, 1500);
      expect(await service.stop()).to.include({ code: 0, signal: null });
    });

  it('has complete lines in order when it is read again, and the number of dropped lines', async () => {
    const folder = aDataFolder();
    const sink = await open('pipe', folder);
    const service = await startProcess({ folder, surroundings: { stdout: sink.end } });
    const asked = 10_000;
    await ask(service, asked);
    await service.told(/^The log cannot be written \(EAGAIN\)/);
    const { requests, dropped } = counted(await sink.readUntil(/"dropped":\d+.*\n/));
    expect(requests).to.be.above(0);
    expect(dropped).to.be.above(0);
    expect(requests + dropped).to.equal(asked);
    expect((await service.stop()).code).to.equal(0);
  });

  it('delays no request when it is standard error', async () => {
    const folder = aDataFolder();
    const { end } = await open('pipe', folder);
    fillPipe(folder);
    const service = await startProcess({ folder, surroundings: { stderr: end } });
    await ask(service, 10);
    expect((await service.stop()).code).to.equal(0);
  });

  it('delays no request when Node prints a warning, which goes to the log', async () => {
    const folder = aDataFolder();
    const { end } = await open('pipe', folder);
    fillPipe(folder);
    const warn = 'process.on("SIGUSR2",()=>process.emitWarning("odd"))';
    const env = { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(warn)}` };
    const service = await startProcess({ folder, env, surroundings: { stderr: end } });
    process.kill(service.pid, 'SIGUSR2');
    expect(JSON.parse(await service.logged(/"Node warns"/)).err.message).to.equal('odd');
    await ask(service, 10);
    expect((await service.stop()).code).to.equal(0);
  });

  it('may be closed by its reader, as standard error may: the service continues', async () => {
    const service = await startProcess({ env: { USERS_WORKERS: '2' } });
    await service.logged(/"all workers are listening"/);
    service.hangUp();
    await ask(service, 1000);
    expect(await service.stop()).to.include({ code: 0, signal: null });
  });
});

describe('A full disk under the log', () => {
  afterEach(discardProcesses);

  it('does not keep the service from starting and responding', async () => {
    const full = openSync('/dev/full', 'w');
    const service = await startProcess({ env: { USERS_WORKERS: '2' }, surroundings: { stdout: full } });
    await ask(service, 500);
    expect(await service.stop()).to.include({ code: 0, signal: null });
  });

  it('gets complete lines and the number of dropped lines when the disk has space again', async () => {
    const folder = aDataFolder();
    const file = join(folder, 'log');
    const most = 2 * 1024 * 1024;
    writeFileSync(file, `${'{}'.padEnd(most - 10_001)}\n`);
    // A file that may not grow, instead of a disk: in blocks of 512 bytes.
    const surroundings = { stdout: openSync(file, 'a'), limit: `-f ${most / 512}` };
    const service = await startProcess({ folder, surroundings });
    const asked = 10_000;
    await ask(service, asked);
    await service.told(/^The log cannot be written \(EFBIG\)/);
    const before = readFileSync(file, 'utf8');
    expect(before).to.have.length(most);
    truncateSync(file);
    await until('the log says how many lines were dropped', async () => {
      await probe(service);
      return /"dropped":\d+.*\n/.test(readFileSync(file, 'utf8'));
    });
    const { requests, dropped } = counted(before + readFileSync(file, 'utf8'));
    expect(dropped).to.be.above(0);
    expect(requests + dropped).to.be.at.least(asked);
    expect((await service.stop()).code).to.equal(0);
  });
});
