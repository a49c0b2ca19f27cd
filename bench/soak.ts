/**
 * `npm run bench -- soak`: the heaps of the service after 0, 10,000 and 20,000 requests of every kind, with a scrape of its metrics for every
 * ten, for two workers below a primary and for one process alone. A heap that grew beyond the bound gets up to two further stages: a leak
 * grows in each, code that V8 compiles late doesn't. With `--check` it fails when one grew beyond the bound in its last stage. At last the
 * memory after many creations, with a bound of its own (`soak-writes.ts`).
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { Agent } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { exchange } from '../test/support/exchanges.ts';
import { aFreePort } from '../test/support/free-port.ts';
import { type Heap, readHeaps, tellHeap } from '../test/support/heaps.ts';
import { type Credentials, makeCredentials } from './credentials.ts';
import { fill } from './directory.ts';
import { formatTable } from './report.ts';
import { type Server, startServer } from './server.ts';
import { runRound } from './soak-round.ts';
import { soakWrites } from './soak-writes.ts';
import { serviceScript } from './stage.ts';

const users = 200;
const clientsAtOnce = 8;
const requestsInStage = 10_000;
const [leastStages, mostStages] = [2, 4];
/** Requests before the first reading: until then V8 compiles and caches fill. */
const warmUp = 2_000;
const requestsPerScrape = 10;
/** In MiB, over the last stage: before it, caches that have a bound of their own still fill. 100 bytes kept of each request are as much. */
const mostGrowth = 1;
const isChecked = process.argv.includes('--check');

interface Soaked extends Server {
  readonly metrics: string;
}

/** Over connections of its own, all closed at the end. @param name of the stage */
async function sendRequests(service: Soaked, credentials: Credentials, name: string, count: number) {
  const agent = new Agent({ keepAlive: true });
  let sent = 0;
  let rounds = 0;
  const run = async (_: unknown, at: number): Promise<void> => {
    const { headers } = at % 2 === 0 ? credentials.apiKey : credentials.es256;
    while (sent < count) {
      rounds += 1;
      const requests = await runRound({ url: service.url, agent, headers }, `${name}-${rounds}`);
      sent += requests;
      for (let scrape = 0; scrape < requests / requestsPerScrape; scrape += 1)
        await exchange(service.metrics);
    }
  };
  await Promise.all(Array.from({ length: clientsAtOnce }, run));
  agent.destroy();
}

async function startSoaked(folder: string, credentials: Credentials, workers: number): Promise<Soaked> {
  const file = join(folder, 'users.db');
  fill(file, 0, users);
  const port = String(await aFreePort());
  const env = {
    ...credentials.settings.keySet,
    USERS_SQLITE_FILE: file,
    USERS_WORKERS: String(workers),
    USERS_METRICS_PORT: port,
    // On a busy machine too nothing is refused, and no connection closes while a request is on its way.
    USERS_OVERLOAD_EVENT_LOOP_DELAY: '0',
    USERS_TIMEOUTS_KEEP_ALIVE: '60000',
  };
  const server = await startServer(serviceScript, folder, env, ['--import', tellHeap]);
  return { ...server, metrics: `http://127.0.0.1:${port}/metrics` };
}

/** @returns the heaps before the first stage and after each */
async function measureHeaps(folder: string, service: Soaked, credentials: Credentials): Promise<Heap[][]> {
  await sendRequests(service, credentials, 'warm-up', warmUp);
  const readings = [await readHeaps(folder)];
  for (let stage = 1; stage <= mostStages; stage += 1) {
    await sendRequests(service, credentials, String(stage), requestsInStage);
    readings.push(await readHeaps(folder));
    if (stage >= leastStages && growthsOf(readings).every((growth) => growth <= mostGrowth)) break;
  }
  return readings;
}

/** In MiB; threads that start later are missing in earlier readings. */
function sizeIn(reading: readonly Heap[] | undefined, { pid, thread }: Heap): number {
  const found = reading?.find((heap) => heap.pid === pid && heap.thread === thread);
  return (found?.bytes ?? Number.NaN) / 1024 ** 2;
}

/** In MiB, of each heap that was there before the last stage. */
function growthsOf(readings: readonly (readonly Heap[])[]): number[] {
  const [before = [], after] = readings.slice(-2);
  return before.map((heap) => sizeIn(after, heap) - sizeIn(before, heap));
}

/** A head, and a row for each heap, in MiB. */
function tableOf(nameOf: (heap: Heap) => string, readings: readonly (readonly Heap[])[]): string[][] {
  const growths = growthsOf(readings);
  const rows = (readings.at(-2) ?? []).map((heap, at) => {
    const sizes = readings.map((reading) => sizeIn(reading, heap));
    const growth = growths[at] ?? Number.NaN;
    const isWithin = growth <= mostGrowth;
    if (isChecked && !isWithin) process.exitCode = 1;
    return [nameOf(heap), ...[...sizes, growth].map((size) => size.toFixed(2)), isWithin ? '' : 'GROWS'];
  });
  const stages = readings.map((_, stage) => String(stage * requestsInStage));
  return [['heap, MiB, after', ...stages, 'last growth', `at most ${mostGrowth}`], ...rows];
}

async function soak(workers: number): Promise<void> {
  process.stderr.write(`${workers} workers …\n`);
  const folder = mkdtempSync(join(tmpdir(), 'users-soak-'));
  try {
    const credentials = await makeCredentials(folder);
    const service = await startSoaked(folder, credentials, workers);
    const main = workers > 1 ? 'primary' : 'the only process';
    const nameOf = ({ pid, thread }: Heap): string =>
      `${pid === service.pid ? main : `worker ${pid}`}${thread === 0 ? '' : ', its writer'}`;
    try {
      console.log(formatTable(tableOf(nameOf, await measureHeaps(folder, service, credentials)), false));
    } finally {
      await service.stop();
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

await soak(2);
await soak(1);
const memories: (readonly string[])[] = [
  ['workers', 'MiB at the start', 'MiB after 150,000 creations', 'bound'],
];
for (const workers of [1, 2]) {
  const { row, isWithin } = await soakWrites(workers);
  memories.push(row);
  if (isChecked && !isWithin) process.exitCode = 1;
}
console.log(formatTable(memories, false));
