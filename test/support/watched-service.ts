/** The service in a process of its own that tells how long its event loop was held, and clients that try to hold it. */
import { Agent } from 'node:http';
import { gzipSync } from 'node:zlib';
import { type Exchange, exchange } from './exchanges.ts';
import { startProbes } from './probe.ts';
import { type Environment, type Process, startProcess } from './process.ts';

export interface HostileRequest {
  readonly method: 'POST' | 'PUT' | 'PATCH';
  readonly path: string;
  readonly type: string;
  readonly body: string | Buffer;
  readonly gzip?: boolean;
}

export interface Watched {
  readonly process: Process;
  send(request: HostileRequest): Promise<Exchange>;
  get(path: string): Promise<Exchange>;
  remove(path: string): Promise<Exchange>;
  /** How long the event loop was held at most since this was last asked, in ms of its own work; and what the process holds, in bytes. */
  measure(): Promise<{ readonly held: number; readonly rss: number }>;
  /** Sends so many at once; `wait` is how long a probe had to wait at most meanwhile, in ms of the service's work. */
  atOnce(count: number, request: HostileRequest): Promise<{ wait: number; statuses: number[] }>;
  stop(): Promise<unknown>;
}

const watch = new URL('./watch-event-loop.ts', import.meta.url).href;

export async function startWatched(env: Environment = {}): Promise<Watched> {
  const defaults = {
    USERS_STORE: 'memory',
    USERS_LOG_LEVEL: 'silent',
    // The client lets go of connections first: it may be busy making bodies.
    USERS_TIMEOUTS_KEEP_ALIVE: '60000',
    NODE_OPTIONS: `--import ${watch}`,
  };
  const process = await startProcess({ env: { ...defaults, ...env } });
  const authorization = `Bearer ${await process.token()}`;
  const agent = new Agent({ keepAlive: true, timeout: 2000 });
  let asked = 0;
  const ask = (path: string, method: string) =>
    exchange(process.url + path, { method, headers: { authorization }, agent });

  function send({ method, path, type, body, gzip = false }: HostileRequest): Promise<Exchange> {
    const coding = gzip ? { 'content-encoding': 'gzip' } : {};
    const sent = gzip ? gzipSync(body, { level: 1 }) : body;
    const headers = { authorization, 'content-type': type, accept: type, ...coding };
    return exchange(process.url + path, { method, headers, body: sent, agent });
  }

  async function atOnce(count: number, request: HostileRequest) {
    const body = request.gzip ? gzipSync(request.body) : request.body;
    const headers = {
      authorization,
      'content-type': request.type,
      ...(request.gzip ? { 'content-encoding': 'gzip' } : {}),
    };
    const probes = await startProbes({ url: process.url, pid: process.pid });
    const answers = await Promise.all(
      Array.from({ length: count }, () =>
        exchange(process.url + request.path, { method: request.method, headers, body, agent }),
      ),
    );
    const { wait } = await probes.end();
    return { wait, statuses: answers.map(({ status }) => status) };
  }

  return {
    process,
    send,
    atOnce,
    get: (path) => ask(path, 'GET'),
    remove: (path) => ask(path, 'DELETE'),
    async measure() {
      asked += 1;
      global.process.kill(process.pid, 'SIGUSR2');
      return JSON.parse(await process.logged(new RegExp(`^{"asked":${asked},`)));
    },
    async stop() {
      agent.destroy();
      return process.stop();
    },
  };
}
