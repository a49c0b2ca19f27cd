/** Floods without credentials: what they take in memory, and how long others wait meanwhile; beside Node's own server. */
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { Agent } from 'node:http';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isMainThread, Worker, workerData } from 'node:worker_threads';
import { exchange } from '../test/support/exchanges.ts';
import { readMemory, startServer } from './server.ts';
import { serviceScript } from './stage.ts';

/** MiB of the largest process at its largest; and ms, where the slowest user that is allowed takes `usual` ms: on a slower machine more. */
const bounds = { memory: 400, wait: 2000, usual: 15 };
/** In ms: a flood ends when all of its connections are closed, or then. */
const longest = 20_000;
/** A flood beyond its bounds is measured again: other work on the machine only adds to what a flood takes. */
const tries = 3;

interface Flood {
  readonly name: string;
  readonly connections: number;
  /** Sent on each connection, in Latin-1. */
  readonly text: string;
}

const ping = 'GET /health/live HTTP/1.1\r\nHost: x\r\n\r\n';
const floods: readonly Flood[] = [
  { name: 'pipelined requests, 64,000 bytes', connections: 1200, text: ping.repeat(64_000 / ping.length) },
  {
    name: '9,000 chunks of one byte',
    connections: 2500,
    text: `POST /users HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n${'1\r\nx\r\n'.repeat(9000)}`,
  },
];

interface Target {
  readonly name: string;
  readonly script: string;
  readonly env: Readonly<Record<string, string>>;
  /** Node's own server is only reported. */
  readonly isBound: boolean;
}

const env = { USERS_PORT: '0', USERS_LOG_LEVEL: 'silent' };
const targets: readonly Target[] = [
  { name: 'the service', script: serviceScript, env: { ...env, USERS_STORE: 'memory' }, isBound: true },
  { name: 'two workers', script: serviceScript, env: { ...env, USERS_WORKERS: '2' }, isBound: true },
  { name: "Node's server", script: 'bench/contestants/bare-http.ts', env: {}, isBound: false },
];

/** In a thread of its own: the flood's work is not the waiting of others. Resolves when the connections are closed. */
async function send({ url, connections, text }: Flood & { readonly url: string }): Promise<void> {
  const { hostname, port } = new URL(url);
  await Promise.all(
    Array.from({ length: connections }, () => {
      const socket = connect(Number(port), hostname).on('error', () => undefined);
      socket.resume().write(text, 'latin1');
      setTimeout(() => socket.destroy(), longest).unref();
      return new Promise((resolve) => socket.once('close', resolve));
    }),
  );
}

const childrenOf = (pid: number): number[] =>
  readdirSync(`/proc/${pid}/task`).flatMap((task) =>
    readFileSync(`/proc/${pid}/task/${task}/children`, 'latin1').split(' ').filter(Boolean).map(Number),
  );

/** The longest wait for an answer until `isOver`, in ms; endless where there is none. */
async function probe(url: string, agent: Agent | undefined, isOver: () => boolean): Promise<number> {
  let wait = 0;
  while (!isOver()) {
    const start = performance.now();
    const { status } = await exchange(url, agent === undefined ? {} : { agent }).catch(() => ({ status: 0 }));
    wait = Math.max(wait, status === 204 ? performance.now() - start : Number.POSITIVE_INFINITY);
    if (status !== 204) break;
  }
  return wait;
}

interface Result {
  readonly memory: number;
  readonly wait: number;
  readonly earlier: number;
  readonly killed: boolean;
}

async function measure(flood: Flood, { script, env: more }: Target): Promise<Result> {
  const folder = mkdtempSync(join(tmpdir(), 'users-floods-'));
  const server = await startServer(script, folder, more);
  const live = `${server.url}/health/live`;
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  await exchange(live, { agent });
  const pids = childrenOf(server.pid);
  let isOver = false;
  const earlier = probe(live, agent, () => isOver);
  const later = probe(live, undefined, () => isOver);
  await once(new Worker(new URL(import.meta.url), { workerData: { ...flood, url: server.url } }), 'exit');
  isOver = true;
  const [wait, kept] = await Promise.all([later, earlier]);
  agent.destroy();
  const killed = String(childrenOf(server.pid)) !== String(pids);
  const memory = [server.pid, ...pids].map((pid) => readMemory(pid, 'VmHWM'));
  await server.stop();
  rmSync(folder, { recursive: true });
  return {
    memory: Math.max(...memory),
    wait,
    earlier: kept,
    killed,
  };
}

function isWithinBounds({ memory, wait, earlier, killed }: Result, longestWait: number): boolean {
  return memory <= bounds.memory && wait <= longestWait && Number.isFinite(earlier) && !killed;
}

/** Measures and prints, until the bounds are kept or the tries are over. @returns false where they never were */
async function checkFlood(flood: Flood, target: Target, longestWait: number): Promise<boolean> {
  for (let count = 0; count < tries; count += 1) {
    const result = await measure(flood, target);
    const { memory, wait, earlier, killed } = result;
    const numbers = `${String(memory).padStart(6)} ${wait.toFixed(0).padStart(8)} ${earlier.toFixed(0).padStart(8)}`;
    const end = killed ? ', a worker was killed' : '';
    console.log(`${numbers}  ${target.name}: ${flood.name} on ${flood.connections} connections${end}`);
    if (isWithinBounds(result, longestWait) || !target.isBound) return true;
  }
  return false;
}

/**
 * Prints what each flood does to each server. @param others to be measured too, without a bound @param usual how long the slowest user
 * takes here, in ms @returns false where it does more than it may
 */
export async function checkFloods(others: boolean, usual: number): Promise<boolean> {
  let isKept = true;
  const longestWait = bounds.wait * Math.max(1, usual / bounds.usual);
  console.log(
    `${'MiB'.padStart(6)} ${'new ms'.padStart(8)} ${'old ms'.padStart(8)}  floods without credentials`,
  );
  for (const flood of floods)
    for (const target of targets.filter(({ isBound }) => isBound || others))
      isKept = (await checkFlood(flood, target, longestWait)) && isKept;
  return isKept;
}

if (!isMainThread && workerData !== null) await send(workerData);
