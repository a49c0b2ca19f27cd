/** Webhooks of processes on one store that are killed, to a receiver that answers anything: what arrives is compared with the change log. */
import { randomInt, randomUUID } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createSecureContext, type SecureContext } from 'node:tls';
import { expect } from 'chai';
import { type Receiving, type Reply, startReceiving } from '../adapters/webhooks/receiving.ts';
import { secretOf } from '../adapters/webhooks/some.ts';
import { makeCertificate } from '../support/certificate.ts';
import { until } from '../support/deadlines.ts';
import { aDataFolder, type Environment, type Process, run, startProcess } from '../support/process.ts';
import { type Ledger, type Send, sender, write } from './writers.ts';

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
  410,
];

/** A receiver that answers one message in fifty wrongly, more often in the beginning, and shows every fourth client a wrong certificate. */
class Unreliable {
  /** Of all `faults` in turn. */
  faults = 0;
  clients = 0;
  /** It has answered 410. */
  isDisabled = false;
  readonly good: ReturnType<typeof makeCertificate>;
  readonly #wrong: SecureContext;
  #messages = 0;

  constructor(folder: string) {
    this.good = makeCertificate(folder, 'localhost');
    this.#wrong = createSecureContext(makeCertificate(folder, 'elsewhere'));
  }

  start(): Promise<Receiving> {
    const good = createSecureContext(this.good);
    return startReceiving(() => this.#answer(), {
      ...this.good,
      SNICallback: (_name, done) => {
        this.clients += 1;
        done(null, this.clients % 4 === 3 ? this.#wrong : good);
      },
    });
  }

  #answer(): Reply {
    this.#messages += 1;
    const isFaulty = this.faults <= faults.length ? this.#messages % 10 === 9 : randomInt(50) === 0;
    if (!isFaulty) return 204;
    const reply = faults[this.faults % faults.length] ?? 204;
    this.faults += 1;
    this.isDisabled ||= reply === 410;
    return reply;
  }
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

/** Every entry arrived, and nothing else; for each resource the first arrivals are in commit order, and repeats are the same. */
function expectArrived({ arrived }: Receiving, listed: readonly Listed[]): void {
  const firsts = new Map<number, Receiving['arrived'][number]>();
  for (const one of arrived) {
    const first = firsts.get(numberOf(one));
    if (first === undefined) firsts.set(numberOf(one), one);
    else expect({ ...one }).to.deep.equal({ ...first });
  }
  const numbers = new Set(listed.map(({ number }) => number));
  expect(
    [...firsts.keys()].filter((number) => !numbers.has(number)),
    'no entries',
  ).to.deep.equal([]);
  const missing = listed.filter(({ number }) => !firsts.has(number));
  expect(missing, 'entries that never arrived').to.deep.equal([]);
  const last = new Map<string, number>();
  for (const [number, { data }] of firsts) {
    expect(number, `first arrivals for ${data.id}`).to.be.above(last.get(data.id) ?? 0);
    last.set(data.id, number);
  }
}

/** Answers that say nothing of the write are as those that don't come. */
const patient =
  (send: Send): Send =>
  async (...asked) => {
    const answer = await send(...asked);
    if (answer.status >= 500) throw new TypeError(`answered ${answer.status}`);
    return answer;
  };

/** In ms: between two requests of all writers. A quick machine would make more changes than such a receiver takes within the limit of waiting. */
const pause = 4;

/** @returns makes senders whose requests follow each other at this pace */
function pacer(): (send: Send) => Send {
  let next = 0;
  return (send) =>
    async (...asked) => {
      next = Math.max(next + pause, performance.now());
      await sleep(Math.max(0, next - performance.now()));
      return send(...asked);
    };
}

/**
 * @param seconds how long writers write, and processes are killed
 * @param disturb what else happens each time that a process is killed
 */
export async function killSenders(
  seconds: number,
  processes: number,
  env: Environment,
  disturb: () => Promise<void> = async () => undefined,
): Promise<void> {
  const folder = aDataFolder();
  const unreliable = new Unreliable(folder);
  const receiving = await unreliable.start();
  const receiver = { id: 'all', url: receiving.url, secrets: [secretOf(1)], timeout: 5, concurrency: 16 };
  writeFileSync(join(folder, 'webhooks.json5'), JSON.stringify({ receivers: [receiver] }), { mode: 0o600 });
  const settings = {
    ...env,
    USERS_WEBHOOKS_FILE: 'webhooks.json5',
    NODE_EXTRA_CA_CERTS: unreliable.good.file,
  };
  const options = { folder, env: settings };
  /** After a 410; and what has failed twice would wait five minutes. */
  const enable = () => run(['webhook', 'enable', 'all'], folder, settings);
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
    const isOver = () => performance.now() >= end;
    const ledger: Ledger = new Map();
    const pace = pacer();
    const writing = Array.from({ length: 64 }, async (_, at) => {
      while (!isOver()) {
        const service = services[at % processes] as Process;
        const send = pace(patient(sender(service.url, await service.token())));
        await write(send, ledger, () => undefined, isOver);
        await sleep(50);
      }
    });
    const enabling = (async () => {
      for (; !isOver(); await sleep(500))
        if (unreliable.isDisabled) {
          unreliable.isDisabled = false;
          await enable();
        }
    })();
    let kills = 0;
    for (; performance.now() < end - 2000; kills += 1) {
      await sleep(1500);
      const at = kills % processes;
      await services[at]?.stop('SIGKILL');
      services[at] = await startProcess(options);
      if (kills % 2 === 1) await disturb();
    }
    await Promise.all([...writing, enabling]);
    const all = await listChanges(services[0] as Process);
    // The receiver begins after the first ones. Those of several resources arrive in any order.
    const begin = Math.min(...receiving.arrived.map(numberOf));
    const listed = all.filter(({ number }) => number >= begin);
    expect(kills).to.be.above(1);
    expect(listed.length).to.be.above(100);
    await until('the last entries have arrived', async () => {
      await enable();
      const arrived = new Set(receiving.arrived.map(numberOf));
      return listed.every(({ number }) => arrived.has(number));
    });
    expectArrived(receiving, listed);
    expect(unreliable.faults).to.be.above(faults.length);
    expect(unreliable.clients).to.be.above(3);
    await Promise.all(services.map((service) => service.stop()));
  } finally {
    await receiving.close();
  }
}
