/**
 * `npm run bench:soak`: what the heaps of the service hold after 0, 10,000 and 20,000 requests of every kind, with a scrape of its
 * metrics for every ten, for two workers below a primary and for one process alone. With `--check` it fails when one grows beyond the
 * bound.
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
import { serviceScript } from './stage.ts';

const users = 200;
const clientsAtOnce = 8;
const stages = [10_000, 20_000];
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
  let sent = 0;
  for (const requests of stages) {
    await sendRequests(service, credentials, String(requests), requests - sent);
    sent = requests;
    readings.push(await readHeaps(folder));
  }
  return readings;
}

/** A row for each heap, in MiB. */
function rowsOf(nameOf: (heap: Heap) => string, readings: readonly (readonly Heap[])[]): string[][] {
  const [first = []] = readings;
  return first.map((heap, at) => {
    const sizes = readings.map((heaps) => (heaps[at]?.bytes ?? Number.NaN) / 1024 ** 2);
    const growth = (sizes.at(-1) ?? Number.NaN) - (sizes.at(-2) ?? Number.NaN);
    const isWithin = growth <= mostGrowth;
    if (isChecked && !isWithin) process.exitCode = 1;
    return [nameOf(heap), ...[...sizes, growth].map((size) => size.toFixed(2)), isWithin ? '' : 'GROWS'];
  });
}

async function soak(workers: number): Promise<string[][]> {
  process.stderr.write(`${workers} workers …\n`);
  const folder = mkdtempSync(join(tmpdir(), 'users-soak-'));
  try {
    const credentials = await makeCredentials(folder);
    const service = await startSoaked(folder, credentials, workers);
    const main = workers > 1 ? 'primary' : 'the only process';
    const nameOf = ({ pid, thread }: Heap): string =>
      `${pid === service.pid ? main : `worker ${pid}`}${thread === 0 ? '' : ', its writer'}`;
    try {
      return rowsOf(nameOf, await measureHeaps(folder, service, credentials));
    } finally {
      await service.stop();
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const head = ['heap, MiB, after', '0', ...stages.map(String), 'last growth', `at most ${mostGrowth}`];
console.log(formatTable([head, ...(await soak(2)), ...(await soak(1))], false));
