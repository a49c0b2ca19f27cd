/**
 * `npm run bench -- changes`: what the change log costs on SQLite, beside the two scenarios of `npm run bench` (scenarios/changes.ts): 5,000
 * followers that are told of a change, others meanwhile, a follower of another process, the size of the file and the load path.
 * `--followers 500` for fewer, `--markdown` prints for docs/performance.md, and `--check` fails when a bound is missed by more than
 * half. Times include the client's, which has a process of its own.
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { type Headers, makeCredentials } from './credentials.ts';
import { fill, idOf } from './directory.ts';
import { load } from './load.ts';
import { formatTable } from './report.ts';
import { median } from './result.ts';
import { tolerance } from './scaled-queries.ts';
import { type Server, startServer } from './server.ts';
import { serviceScript } from './stage.ts';

const { values } = parseArgs({
  options: {
    followers: { type: 'string', default: '5000' },
    markdown: { type: 'boolean', default: false },
    check: { type: 'boolean', default: false },
  },
});
const count = Number(values.followers);
const [users, rounds] = [2_000, 5];
/** In seconds, of reads. */
const duration = 5;

interface Row {
  readonly what: string;
  readonly found: number;
  readonly unit: string;
  readonly most?: number;
}

const folder = mkdtempSync(join(tmpdir(), 'users-changes-'));
const { settings, apiKey } = await makeCredentials(folder);
const headers: Headers = apiKey.headers;
const file = join(folder, 'users.db');

/** Until the service has nothing to do: what follows doesn't wait for it. */
async function settle(server: Server): Promise<void> {
  for (let last = Number.NEGATIVE_INFINITY; ; ) {
    const now = await server.cpu();
    if (now - last < 30_000) return;
    last = now;
    await pause(200);
  }
}

interface Followers {
  /** Creates a user. @returns how long after the answer the last follower was told, in ms */
  tell(writer: Server): Promise<number>;
  stop(): Promise<void>;
}

async function startFollowers(server: Server, mode: 'wait' | 'stream', size: number): Promise<Followers> {
  const { authorization = '' } = Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]),
  );
  const script = new URL('./followers.ts', import.meta.url);
  const child = fork(script, [server.url, authorization, mode, String(size)]);
  await once(child, 'message');
  await settle(server);
  return {
    async tell(writer) {
      const told = once(child, 'message');
      const { status } = await fetch(`${writer.url}/users`, {
        ...{ method: 'POST', headers: { ...headers, 'content-type': 'application/json' } },
        body: JSON.stringify({ userName: crypto.randomUUID() }),
      });
      if (status !== 201) throw new Error(`POST /users was answered with ${status}`);
      const answered = Date.now();
      return Number((await told)[0]) - answered;
    },
    async stop() {
      child.kill('SIGKILL');
      await once(child, 'exit');
      await settle(server);
    },
  };
}

/** In ms of CPU time: how long turns of the event loop hold up others, at the 99th percentile. */
async function turnsWhile(server: Server, work: () => Promise<unknown>): Promise<number> {
  await server.ask('turns');
  await work();
  const { p99 } = (await server.ask('turns')) as { p99: number };
  return p99 / 1000;
}

async function measureFollowers(server: Server, mode: 'wait' | 'stream'): Promise<Row[]> {
  const reads = () => load({ url: `${server.url}/users/${idOf(500)}`, headers, connections: 16 }, duration);
  await reads();
  const idle = await turnsWhile(server, reads);
  const followers = await startFollowers(server, mode, count);
  const times: number[] = [];
  const before = await server.cpu();
  for (let round = 0; round < rounds; round += 1) {
    times.push(await followers.tell(server));
    await settle(server);
  }
  const cpu = ((await server.cpu()) - before) / rounds / count;
  let isOver = false;
  const telling = async () => {
    while (!isOver) await followers.tell(server);
  };
  const beside = await turnsWhile(server, async () => {
    const told = telling();
    await reads();
    isOver = true;
    await told;
  });
  await followers.stop();
  const name = mode === 'wait' ? 'requests with wait' : 'streams';
  return [
    {
      what: `${count} ${name}, from the write's answer to the last`,
      ...{ found: median(times) / 1000, unit: 's', most: 3 },
    },
    { what: `${count} ${name}, CPU for each and change`, found: cpu, unit: 'µs' },
    {
      what: `point reads while ${count} ${name} are told all the time, p99 of a turn, CPU`,
      found: beside,
      unit: 'ms',
    },
    { what: 'the same, idle', found: idle, unit: 'ms' },
  ];
}

/** One follower of a process, and a writer of another. */
async function measureOther(server: Server, writer: Server): Promise<Row[]> {
  const follower = await startFollowers(server, 'wait', 1);
  const times: number[] = [];
  for (let round = 0; round < 21; round += 1) times.push(await follower.tell(writer));
  await follower.stop();
  return [{ what: 'one follower, a writer of another process', found: median(times), unit: 'ms', most: 100 }];
}

/** By the writer's code, without requests. */
function measureLoad(): Row[] {
  const time = (name: string, isLogged: boolean): number => {
    const { user, system } = process.cpuUsage();
    fill(join(folder, name), 0, users, isLogged);
    const used = process.cpuUsage();
    return used.user + used.system - user - system;
  };
  const ratios: number[] = [];
  // The first round compiles what runs often.
  for (let round = -1; round < 3; round += 1) {
    const [without, logged] = [time(`without-${round}.db`, false), time(`logged-${round}.db`, true)];
    if (round >= 0) ratios.push(logged / without);
  }
  const [size, more] = ['without-0.db', 'logged-0.db'].map((name) => statSync(join(folder, name)).size);
  const bytes = (Number(more) - Number(size)) / users;
  return [
    { what: 'load path, CPU with the log ÷ without', found: median(ratios), unit: '', most: 1 / 0.7 },
    { what: 'bytes of the file for a creation, of 700 bytes', found: bytes, unit: 'B', most: 1024 },
  ];
}

const isMissed = ({ found, most = Number.POSITIVE_INFINITY }: Row, factor = 1): boolean =>
  found > most * factor;

const rows: Row[] = measureLoad();
fill(file, 0, 1000, true);
const env = { ...settings.secret, USERS_SQLITE_FILE: file };
const servers = [
  await startServer(serviceScript, folder, env),
  await startServer(serviceScript, folder, env),
];
const [server, other] = servers as [Server, Server];
try {
  rows.push(...(await measureOther(server, other)));
  for (const mode of ['wait', 'stream'] as const) rows.push(...(await measureFollowers(server, mode)));
} finally {
  for (const one of servers) await one.stop();
  rmSync(folder, { recursive: true, force: true });
}
const printed = rows.map((row) => [
  row.what,
  `${row.found.toPrecision(3)} ${row.unit}`.trim(),
  row.most === undefined ? '' : `${row.most.toPrecision(3)} ${row.unit}`.trim(),
  row.most === undefined ? '' : isMissed(row) ? 'MISSED' : 'met',
]);
console.log(formatTable([['what', 'found', 'at most', ''], ...printed], values.markdown));
const failed = rows.filter((row) => isMissed(row, tolerance));
if (values.check && failed.length > 0) {
  console.error(`Too costly: ${failed.map(({ what }) => what).join('; ')}`);
  process.exitCode = 1;
}
