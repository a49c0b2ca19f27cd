/** Webhooks of processes on one store that are killed, to a receiver that answers anything: what arrives is compared with the change log. */
import { randomInt, randomUUID } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { type Receiving, type Reply, startReceiving } from '../adapters/webhooks/receiving.ts';
import { secretOf } from '../adapters/webhooks/some.ts';
import { until } from '../support/deadlines.ts';
import { aDataFolder, type Environment, type Process, startProcess } from '../support/process.ts';
import { type Ledger, sender, write } from './writers.ts';

const faults: readonly Reply[] = [
  500,
  [429, { 'Retry-After': '1' }],
  [302, { Location: 'http://169.254.169.254/latest/meta-data' }],
  // Nothing.
  () => undefined,
  // Half an answer.
  (request, response) => {
    response.writeHead(200, { 'Content-Length': '1000' }).write('half');
    setTimeout(() => request.socket.destroy(), 5);
  },
  // An endless body.
  (_request, response) => {
    const timer = setInterval(() => response.write('x'.repeat(500)), 2);
    response.writeHead(200).once('close', () => clearInterval(timer));
  },
  (request) => request.socket.resetAndDestroy(),
];

/** Each message fails once at most, and not many of them: a second failure would hold up its partition for five minutes. */
function anything(): (message: Receiving['arrived'][number]) => Reply {
  const seen = new Set<string>();
  let left = 28;
  return ({ message }) => {
    const isFirst = !seen.has(message);
    seen.add(message);
    if (!isFirst || left === 0 || randomInt(50) > 0) return 204;
    left -= 1;
    return faults[left % faults.length] ?? 204;
  };
}

interface Listed {
  readonly number: number;
  readonly id: string;
}

async function listChanges(service: Process): Promise<readonly Listed[]> {
  const headers = { authorization: `Bearer ${await service.token()}` };
  const found: Listed[] = [];
  for (let [since, more] = ['start', true]; more; ) {
    const page = await (await fetch(`${service.url}/changes?since=${since}`, { headers })).json();
    for (const { cursor, id } of page.changes) found.push({ number: Number(cursor.split('.')[1]), id });
    [since, more] = [page.next, page.more];
  }
  return found;
}

const numberOf = (one: { message: string } | undefined): number => Number.parseInt(one?.message ?? '', 10);

/** Every entry arrived; for each resource the first arrivals are in commit order, and repeats are the same. */
function expectArrived({ arrived }: Receiving, listed: readonly Listed[]): void {
  const firsts = new Map<number, Receiving['arrived'][number]>();
  for (const one of arrived) {
    const first = firsts.get(numberOf(one));
    if (first === undefined) firsts.set(numberOf(one), one);
    else expect({ ...one }).to.deep.equal({ ...first });
  }
  const missing = listed.filter(({ number }) => !firsts.has(number));
  expect(missing, 'entries that never arrived').to.deep.equal([]);
  const last = new Map<string, number>();
  for (const [number, { data }] of firsts) {
    expect(number, `first arrivals for ${data.id}`).to.be.above(last.get(data.id) ?? 0);
    last.set(data.id, number);
  }
}

/** @param seconds how long writers write, and processes are killed */
export async function killSenders(seconds: number, processes: number, env: Environment): Promise<void> {
  const folder = aDataFolder();
  const receiving = await startReceiving(anything());
  const receiver = { id: 'all', url: receiving.url, secrets: [secretOf(1)], timeout: 10, concurrency: 16 };
  writeFileSync(join(folder, 'webhooks.json5'), JSON.stringify({ receivers: [receiver] }), { mode: 0o600 });
  const options = { folder, env: { ...env, USERS_WEBHOOKS_FILE: 'webhooks.json5' } };
  try {
    const services = [await startProcess(options)];
    // Its position is written from the first second on.
    await until('the receiver is followed', async () => {
      const [service] = services as [Process];
      await sender(service.url, await service.token())('POST', '/users', { userName: randomUUID() });
      return receiving.arrived.length > 0;
    });
    while (services.length < processes) services.push(await startProcess(options));
    const end = performance.now() + seconds * 1000;
    const ledger: Ledger = new Map();
    const writing = Array.from({ length: 64 }, async (_, at) => {
      while (performance.now() < end) {
        const service = services[at % processes] as Process;
        await write(
          sender(service.url, await service.token()),
          ledger,
          () => undefined,
          () => performance.now() >= end,
        );
        await sleep(50);
      }
    });
    let kills = 0;
    for (; performance.now() < end - 2000; kills += 1) {
      await sleep(1500);
      const at = kills % processes;
      await services[at]?.stop('SIGKILL');
      services[at] = await startProcess(options);
    }
    await Promise.all(writing);
    const all = await listChanges(services[0] as Process);
    // The receiver begins after the first ones.
    const listed = all.slice(all.findIndex(({ number }) => number === numberOf(receiving.arrived[0])));
    expect(kills).to.be.above(1);
    expect(listed.length).to.be.above(100);
    await until('the last entries have arrived', () => {
      const arrived = new Set(receiving.arrived.map(numberOf));
      return listed.every(({ number }) => arrived.has(number));
    });
    expectArrived(receiving, listed);
    await Promise.all(services.map((service) => service.stop()));
  } finally {
    await receiving.close();
  }
}
