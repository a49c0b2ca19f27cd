/** What webhooks cost: writes beside a receiver, how fast one receives, and a hundred of which half hang. The receivers are in this process. */
import { randomUUID } from 'node:crypto';
import { readdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fill } from '../directory.ts';
import { load } from '../load.ts';
import { divideEach, type Finding, type Outcome, type Ratio } from '../result.ts';
import { readMemory, type Server } from '../server.ts';
import type { Stage } from '../stage.ts';
import { postLoad } from './writes.ts';

/** Each run has servers and files of its own, since receivers get everything once. */
let run = 0;

interface Receivers {
  /** Messages that have arrived, by the receiver's id. */
  readonly arrived: Map<string, number>;
  /** A file with these; one whose id begins with `hang` never answers. */
  fileFor(ids: readonly string[], members: object): string;
  close(): void;
}

async function startReceivers(folder: string): Promise<Receivers> {
  const arrived = new Map<string, number>();
  const server = createServer((request, response) => {
    const id = request.url?.slice(1) ?? '';
    arrived.set(id, (arrived.get(id) ?? 0) + 1);
    request.resume();
    if (!id.startsWith('hang')) response.writeHead(204).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  const secrets = [`whsec_${Buffer.alloc(32, 1).toString('base64')}`];
  return {
    arrived,
    fileFor(ids, members) {
      const file = join(folder, `webhooks-${ids[0]}-${run}.json5`);
      const receivers = ids.map((id) => ({ id, url: url + id, secrets, ...members }));
      writeFileSync(file, JSON.stringify({ receivers }), { mode: 0o600 });
      return file;
    },
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}

async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await delay(20);
}

/** In turns; before each, everything has arrived. */
async function measureBesideWriters(stage: Stage, receivers: Receivers): Promise<Outcome> {
  const file = receivers.fileFor(['beside'], {});
  const servers = [
    await stage.service('secret', `unhooked-${run}`),
    await stage.service('secret', `hooked-${run}`, { USERS_WEBHOOKS_FILE: file }),
  ];
  const figures = ['without', 'with'].map((word) => ({
    ...{ name: `POST ${word} webhooks`, perSecond: [] as number[], cpu: [] as number[], p99: [] as number[] },
  }));
  let written = 0;
  const write = async (at: number, seconds: number) => {
    const measured = await load(postLoad(servers[at] as Server, stage.credentials.apiKey), seconds);
    if (at === 1) written += measured.requests;
    return measured;
  };
  // wrk gives up the last requests, which may be written.
  const arrive = () => until(() => (receivers.arrived.get('beside') ?? 0) >= written);
  // Until V8 has compiled what runs often.
  for (const at of [0, 1]) {
    for (let warm = 0; warm < 3000; ) warm += (await write(at, 0.5)).requests;
    await arrive();
  }
  for (let round = 0; round < stage.rounds; round += 1)
    for (const at of round % 2 === 0 ? [0, 1] : [1, 0]) {
      const [server, figure] = [servers[at] as Server, figures[at]];
      const before = await server.cpu();
      const { requests, perSecond, p99 } = await write(at, Math.max(stage.seconds, 0.75));
      figure?.cpu.push(((await server.cpu()) - before) / requests);
      figure?.perSecond.push(perSecond);
      figure?.p99.push(p99);
      await arrive();
    }
  const [without, beside] = figures.map((figure) => figure.perSecond);
  const ratio: Ratio = {
    ...{ key: 'post-webhooks/without', what: 'POST with a receiver of webhooks', against: 'without' },
    ...{ by: 'throughput', rounds: divideEach(beside ?? [], without ?? []), atLeast: 0.95 },
  };
  return { figures, ratios: [ratio] };
}

const [leastRate, longestTurn] = [1_000, 10];

/** The whole log, to a receiver that begins at its start. */
async function measureRate(stage: Stage, { arrived, fileFor }: Receivers): Promise<Finding[]> {
  const entries = stage.quick ? 5_000 : 20_000;
  fill(join(stage.folder, `delivered-${run}-${entries}.db`), 0, entries, true);
  const count = () => arrived.get('rate') ?? 0;
  const more = { USERS_WEBHOOKS_FILE: fileFor(['rate'], { concurrency: 16, start: 'start' }) };
  const server = await stage.service('secret', `delivered-${run}`, more, entries);
  // The first ones compile what runs often.
  await until(() => count() >= entries / 3);
  await server.ask('turns');
  const [from, began, cpu] = [count(), performance.now(), await server.cpu()];
  await until(() => count() >= entries);
  const sent = count() - from;
  const rate = sent / ((performance.now() - began) / 1000);
  const each = ((await server.cpu()) - cpu) / sent;
  const { p99, most } = (await server.ask('turns')) as { p99: number; most: number };
  return [
    {
      what: 'webhooks to one receiver, concurrency 16',
      found: `${Math.round(rate).toLocaleString('en')} a second, ${Math.round(each)} µs of CPU each`,
      target: `at least ${leastRate.toLocaleString('en')}`,
      met: rate >= leastRate,
    },
    {
      what: 'turns of the event loop meanwhile',
      found: `p99 ${(p99 / 1000).toFixed(1)} ms, at most ${(most / 1000).toFixed(1)} ms`,
      target: `p99 at most ${longestTurn} ms`,
      met: p99 / 1000 <= longestTurn,
    },
  ];
}

const half = Array.from({ length: 50 }, (_, at) => at + 1);
const concurrency = 4;

/** In MiB; and sockets for each message at once, with some files; beside what the service has without. */
const most = { memory: 50, descriptors: 2 * half.length * concurrency + 10 };

const descriptorsOf = ({ pid }: Server): number => readdirSync(`/proc/${pid}/fd`).length;

/** After as many writes as by a service without receivers. */
async function measureHanging(stage: Stage, { arrived, fileFor }: Receivers): Promise<Finding[]> {
  const ids = half.flatMap((at) => [`good-${at}`, `hang-${at}`]);
  const { apiKey } = stage.credentials;
  const more = { USERS_WEBHOOKS_FILE: fileFor(ids, { concurrency, timeout: 30 }) };
  const servers = [
    await stage.service('secret', `unreceived-${run}`),
    await stage.service('secret', `received-${run}`, more),
  ] as const;
  // Until each has begun at the end of the log.
  await delay(2500);
  const writes = 60;
  for (const { url } of servers)
    for (let at = 0; at < writes; at += 1) {
      const { status } = await fetch(`${url}/users`, {
        ...{ method: 'POST', headers: { ...apiKey.headers, 'content-type': 'application/json' } },
        body: JSON.stringify({ userName: randomUUID() }),
      });
      if (status !== 201) throw new Error(`POST /users was answered with ${status}`);
    }
  const began = performance.now();
  await until(() => half.every((at) => (arrived.get(`good-${at}`) ?? 0) >= writes));
  const seconds = (performance.now() - began) / 1000;
  const [[before, fewer], [after, descriptors]] = servers.map((server) => [
    readMemory(server.pid, 'VmRSS'),
    descriptorsOf(server),
  ]) as [[number, number], [number, number]];
  return [
    {
      what: '100 receivers, of which 50 hang: memory',
      found: `${after - before} MiB more; ${writes} writes reached the others ${seconds.toFixed(1)} s after the last`,
      target: `at most ${most.memory} MiB more`,
      met: after - before <= most.memory,
    },
    {
      what: '100 receivers, of which 50 hang: descriptors',
      found: `${descriptors - fewer} more`,
      target: `at most ${most.descriptors} more`,
      met: descriptors - fewer <= most.descriptors,
    },
  ];
}

export async function measureWebhooks(stage: Stage): Promise<Outcome> {
  run += 1;
  const receivers = await startReceivers(stage.folder);
  try {
    // Before the others, whose servers go on sending to those that hang.
    const beside = await measureBesideWriters(stage, receivers);
    const findings = [...(await measureRate(stage, receivers)), ...(await measureHanging(stage, receivers))];
    return { ...beside, findings };
  } finally {
    receivers.close();
  }
}
