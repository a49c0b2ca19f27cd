/** Lists: a page of 100, and the whole list as fast as the client reads it. */
import { once } from 'node:events';
import { connect } from 'node:net';
import type { Outcome } from '../result.ts';
import { divideEach } from '../result.ts';
import { type Contestant, figuresOf, ratiosOf, takeTurns } from '../rounds.ts';
import { readMemory, type Server } from '../server.ts';
import type { Stage } from '../stage.ts';

export async function measurePage(stage: Stage): Promise<Outcome> {
  const { headers } = stage.credentials.apiKey;
  const contestant = (
    name: string,
    { url }: Server,
    server: Server,
    accept = 'application/json',
  ): Contestant => ({
    name,
    server,
    load: { url: `${url}/users?limit=100`, headers: { ...headers, accept } },
    status: 200,
    warmUp: 500,
  });
  const [bare, fastify, ours] = [
    await stage.bareKoa(),
    await stage.fastify('secret'),
    await stage.service('secret'),
  ];
  const rounds = await takeTurns(
    [
      contestant('bare Koa', bare, bare),
      contestant('Fastify', fastify, fastify),
      contestant('JSON', ours, ours),
      contestant('XML', ours, ours, 'application/xml'),
    ],
    stage,
  );
  const what = 'list of 100, JSON';
  return {
    figures: figuresOf(rounds),
    ratios: [
      ...ratiosOf(rounds, { key: 'list/bare', what, against: 'bare Koa', ours: 'JSON', floor: 'bare Koa' }),
      ...ratiosOf(rounds, { key: 'list/fastify', what, against: 'Fastify', ours: 'JSON', floor: 'Fastify' }),
      ...ratiosOf(rounds, {
        key: 'list-xml/json',
        what: 'list of 100, XML, as served',
        against: 'JSON',
        ours: 'XML',
        floor: 'JSON',
        atLeast: 0.5,
      }),
    ],
  };
}

const users = 100_000;

/** Reads a response to its end with as little work as possible, so that the client isn't measured. @returns ms */
export async function drain(url: string, headers: Readonly<Record<string, string>>): Promise<number> {
  const { hostname, port, pathname, search } = new URL(url);
  const start = performance.now();
  const socket = connect(Number(port), hostname);
  const fields = Object.entries({ host: hostname, connection: 'close', ...headers });
  socket.write(
    `GET ${pathname}${search} HTTP/1.1\r\n${fields.map((pair) => pair.join(': ')).join('\r\n')}\r\n\r\n`,
  );
  let bytes = 0;
  let begin = '';
  let end = '';
  socket.on('data', (chunk) => {
    if (bytes === 0) begin = chunk.toString('latin1', 0, 12);
    bytes += chunk.length;
    end = chunk.toString('latin1', Math.max(0, chunk.length - 5));
  });
  await once(socket, 'close');
  if (begin !== 'HTTP/1.1 200' || end !== '0\r\n\r\n')
    throw new Error(`${url}: cut off after ${bytes} bytes`);
  return performance.now() - start;
}

interface Passage {
  readonly name: string;
  readonly server: Server;
  readonly accept: string;
  readonly perSecond: number[];
  readonly cpu: number[];
}

/** Users a second, and the CPU time of each. */
export async function measureWholeList(stage: Stage): Promise<Outcome> {
  const { headers } = stage.credentials.apiKey;
  const ours = await stage.service('secret', 'read', {}, users);
  const chunks = await stage.preparedChunks(users);
  const passage = (name: string, server: Server, accept = 'application/json'): Passage => ({
    name,
    server,
    accept,
    perSecond: [],
    cpu: [],
  });
  const [floor, json, xml] = [
    passage('prepared chunks', chunks),
    passage('JSON', ours),
    passage('XML', ours, 'application/xml'),
  ];
  const idle = readMemory(ours.pid, 'VmRSS');
  let afterFirst = idle;
  const count = stage.slowRounds;
  for (let round = 0; round <= count; round += 1) {
    for (const { server, accept, perSecond, cpu } of [floor, json, xml]) {
      const before = await server.cpu();
      const ms = await drain(`${server.url}/users`, { ...headers, accept });
      if (round === 0) continue;
      perSecond.push((users * 1000) / ms);
      cpu.push(((await server.cpu()) - before) / users);
    }
    if (round === 0) afterFirst = readMemory(ours.pid, 'VmHWM');
  }
  const most = readMemory(ours.pid, 'VmHWM');
  return {
    figures: [floor, json, xml],
    ratios: [
      {
        key: 'whole-list/chunks',
        what: 'whole list of 100,000, JSON',
        against: 'prepared chunks',
        by: 'throughput',
        rounds: divideEach(json.perSecond, floor.perSecond),
        atLeast: 0.25,
      },
      {
        key: 'whole-list-xml/json',
        what: 'whole list of 100,000, XML',
        against: 'JSON',
        by: 'CPU',
        rounds: divideEach(json.cpu, xml.cpu),
        atLeast: 0.5,
      },
    ],
    findings: [
      {
        what: `memory over ${2 * (count + 1)} whole lists of 100,000`,
        found: `${idle} MiB before, ${afterFirst} MiB after the first of each format, at most ${most} MiB`,
        target: `at most ${flat} MiB more than after the first`,
        met: most - afterFirst <= flat,
      },
    ],
  };
}

/** In MiB. Less than one of the lists; V8's young generation grows that much by itself. */
const flat = 50;
