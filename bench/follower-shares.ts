/**
 * What a client that asks fifty times at once leaves to others on SQLite, for the whole change log, or with large heads that are answered
 * quickly: how long their reads and writes take, in times of what they take alone. The client has a thread of its own, since its work is not the waiting of others.
 */
import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { isMainThread, Worker, workerData } from 'node:worker_threads';
import { addKey } from '../src/adapters/credentials/api-keys/change-keys.ts';
import { scopes } from '../src/domain/scopes.ts';
import { exchange } from '../test/support/exchanges.ts';
import { fill, idOf } from './directory.ts';
import { median } from './result.ts';
import { type Server, startServer } from './server.ts';
import { serviceScript } from './stage.ts';

/** The most that a read or a write of others may take, in times of what it takes alone. */
const slowest = 3;
/**
 * Not the aim, which is the same 3, but a guard of the turns: without them it was 11 to 51. Quiet, large heads and SCIM filters are
 * at 2.3 to 4.4, refused searches at 4.6 to 6.8: such a request alone takes about as long as a turn may.
 */
const slowestBesideHeads = 8;
const entries = 100_000;
const [readers, writers, atOnce] = [4, 2, 50];
/** In ms: of each measurement; and after so long a stream is opened again. */
const [duration, reopened] = [4000, 4000];
/** The best counts, since other work of the machine only takes from it: the first that keeps its bound is the last. */
const mostRounds = 3;

interface Greed {
  readonly name: string;
  readonly method?: string;
  readonly path: string;
  readonly accept?: string;
  /** On connections that are kept. */
  readonly more?: Readonly<Record<string, string>>;
}

const stream = 'text/event-stream';
const kinds: readonly Greed[] = [
  { name: 'streams', path: '/changes?since=start', accept: stream },
  { name: 'HEAD of streams', method: 'HEAD', path: '/changes?since=start', accept: stream },
  { name: 'pages', path: '/changes?since=start' },
  { name: 'pages that a filter leaves empty', path: '/changes?since=start&by=nobody' },
  { name: 'streams that a filter leaves empty', path: '/changes?since=start&by=nobody', accept: stream },
  { name: 'pages of the history', path: '/history' },
  { name: 'pages of the history that a filter leaves empty', path: '/history?by=nobody' },
  {
    name: 'If-None-Match of 15 KB',
    path: `/users/${idOf(5)}`,
    more: { 'if-none-match': '"a",'.repeat(3700) },
  },
  { name: 'searches that are refused, of 14 KB', path: `/users?search=${'+'.repeat(14_000)}`, more: {} },
  {
    name: 'SCIM filters that are refused',
    path: '/scim/v2/Users?filter=title%20co%20%22nobody%22',
    more: {},
  },
];

const encode = (id: string, key: string): string => `Basic ${Buffer.from(`${id}:${key}`).toString('base64')}`;

const kept = new Agent({ keepAlive: true });

/** Reads the answer for as long as a stream is open. @returns its status */
function readOnce(url: string, authorization: string, greed: Greed) {
  const { method = 'GET', path, accept = '*/*', more } = greed;
  return new Promise<number>((resolve) => {
    const agent = more !== undefined && kept;
    const sent = request(url + path, { method, headers: { authorization, accept, ...more }, agent });
    const timer = setTimeout(() => sent.destroy(), reopened);
    let status = 0;
    sent.on('response', (response) => {
      status = response.statusCode ?? 0;
      response.on('error', () => {}).resume();
    });
    sent
      .on('error', () => {})
      .on('close', () => {
        clearTimeout(timer);
        resolve(status);
      });
    sent.end();
  });
}

async function beGreedy({
  url,
  authorization,
  greed,
}: Record<'url' | 'authorization', string> & { greed: Greed }) {
  const ask = async (): Promise<void> => {
    // The client may be refused.
    while ((await readOnce(url, authorization, greed)) === 503) await pause(100);
    void ask();
  };
  for (let count = 0; count < atOnce; count += 1) void ask();
}

interface Times {
  readonly read: number;
  readonly write: number;
  /** Requests that got 503. A round with one does not count, as one that took too long: a machine that stands still for a moment causes both. */
  readonly refused: number;
}

/** The median of each, in ms. */
async function measure(url: string, authorization: string): Promise<Times> {
  const agent = new Agent({ keepAlive: true });
  const end = performance.now() + duration;
  let refused = 0;
  const repeat = async (
    count: number,
    expected: number,
    send: () => Parameters<typeof exchange>,
  ): Promise<number> => {
    const times: number[] = [];
    const one = async () => {
      while (performance.now() < end) {
        const [address, sent] = send();
        const start = performance.now();
        const { status } = await exchange(address, { ...sent, agent });
        if (status === 503) refused += 1;
        else if (status !== expected) throw new Error(`another client was answered with ${status}`);
        times.push(performance.now() - start);
      }
    };
    await Promise.all(Array.from({ length: count }, one));
    return median(times);
  };
  const headers = { authorization, 'content-type': 'application/json' };
  const [read, write] = await Promise.all([
    repeat(readers, 200, () => [`${url}/users/${idOf(500)}`, { headers }]),
    repeat(writers, 201, () => [
      `${url}/users`,
      { headers, method: 'POST', body: JSON.stringify({ userName: randomUUID() }) },
    ]),
  ]);
  agent.destroy();
  return { read, write, refused };
}

const format = ({ read, write, refused }: Times): string =>
  `${read.toFixed(1)} ms a read, ${write.toFixed(1)} ms a write${refused > 0 ? `, ${refused} refused` : ''}`;

/** @param before what others took alone, before another greed @returns whether others keep their share */
async function check(
  { url }: Server,
  { greedy, other }: Record<'greedy' | 'other', string>,
  greed: Greed,
  before: Times,
): Promise<boolean> {
  for (let round = 0; round < mostRounds; round += 1) {
    const alone = round === 0 ? before : await measure(url, other);
    const worker = new Worker(new URL(import.meta.url), {
      workerData: { url, authorization: greedy, greed },
    });
    await pause(500);
    const beside = await measure(url, other);
    await worker.terminate();
    const most = greed.more === undefined ? slowest : slowestBesideHeads;
    const slower = Math.max(beside.read / alone.read, beside.write / alone.write);
    console.log(
      `Others: ${format(alone)}; beside ${atOnce} ${greed.name}: ${format(beside)}, ${slower.toFixed(1)} times as long (at most ${most})`,
    );
    if (slower <= most && beside.refused === 0) return true;
    await pause(500);
  }
  return false;
}

/** Prints what it measures. @returns whether a client that catches up leaves to others what it must */
export async function checkFollowerShares(): Promise<boolean> {
  const folder = mkdtempSync(join(tmpdir(), 'users-follower-shares-'));
  const keys = join(folder, 'api-keys.json');
  const [greedy = '', other = ''] = ['greedy', 'other'].map((id) => encode(id, addKey(keys, { id, scopes })));
  const file = join(folder, 'users.db');
  fill(file, 0, entries, true);
  const env = { USERS_PORT: '0', USERS_API_KEYS_FILE: keys, USERS_STORE: 'sqlite', USERS_SQLITE_FILE: file };
  const server = await startServer(serviceScript, folder, env);
  try {
    await measure(server.url, other);
    const alone = await measure(server.url, other);
    let isKept = true;
    for (const greed of kinds) isKept = (await check(server, { greedy, other }, greed, alone)) && isKept;
    return isKept;
  } finally {
    await server.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

if (!isMainThread && workerData !== null) await beGreedy(workerData);
