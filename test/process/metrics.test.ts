import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect } from 'chai';
import { until } from '../support/deadlines.ts';
import { aDatabase, describeMongo } from '../support/mongodb.ts';
import { aDataFolder, discardProcesses, type Process, run, startProcess } from '../support/process.ts';
import { sumOf } from '../support/prometheus-text.ts';
import { converse, statuses } from '../support/sockets.ts';
import { duration, startWatched, type Watched } from './watched-metrics.ts';

const json = { 'content-type': 'application/json' };

const pidsOf = (service: Process): number[] =>
  service.log
    .map((line): { msg: string; pid: number } => JSON.parse(line))
    .filter(({ msg }) => msg === 'listening')
    .map(({ pid }) => pid);

/** Each over a new connection, so that every worker gets some. */
async function send(service: Process, count: number, path = '/health/ready'): Promise<void> {
  const headers = { authorization: `Bearer ${await service.token()}`, connection: 'close' };
  for (let left = count; left > 0; left -= 16)
    await Promise.all(
      Array.from({ length: Math.min(16, left) }, async () =>
        (await fetch(`${service.url}${path}`, { headers })).arrayBuffer(),
      ),
    );
}

const post = async (service: Process, userName: string): Promise<number> => {
  const headers = { ...json, authorization: `Bearer ${await service.token()}` };
  const body = JSON.stringify({ userName });
  return (await fetch(`${service.url}/users`, { method: 'POST', headers, body })).status;
};

/** Asked with `Host` as it stands, which `fetch` chooses itself. */
const statusOf = async (url: string, host: string): Promise<number | undefined> => {
  const { hostname, port } = new URL(url);
  const head = `GET /metrics HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`;
  return statuses(await converse(`http://${hostname}:${port}`, head))[0];
};

describe('Metrics', () => {
  afterEach(discardProcesses);

  it('are off unless their port is set', async () => {
    const service = await startProcess();
    expect((await fetch(`${service.url}/metrics`)).status).to.equal(401);
    expect(service.log.join()).not.to.contain('metrics');
  });

  it('report the age of keys, and failed loads', async () => {
    const folder = aDataFolder();
    const env = { USERS_API_KEYS_FILE: join(folder, 'keys.json') };
    await run(['api-key', '--id', 'erp', '--scope', 'users:read'], folder, env);
    const { samples } = await startWatched(env);
    const ofKeys = { keys: 'api-keys' };
    const all = await samples();
    expect(sumOf(all, 'users_key_set_fetches_total', ofKeys)).to.equal(1);
    expect(sumOf(all, 'users_key_set_failures_total', ofKeys)).to.equal(0);
    let age = sumOf(all, 'users_key_set_age_seconds', ofKeys);
    // They are new again each time that their file is read.
    await until('the keys grow older', async () => {
      const before = age;
      age = sumOf(await samples(), 'users_key_set_age_seconds', ofKeys);
      return age > before;
    });
    writeFileSync(env.USERS_API_KEYS_FILE, 'not keys');
    await until(
      'the failure is counted',
      async () => sumOf(await samples(), 'users_key_set_failures_total', ofKeys) > 0,
    );
  });

  it('are served on loopback to allowed hosts, and elsewhere to any host', async () => {
    const allowed = await startWatched({ USERS_METRICS_ALLOWED_HOSTS: 'metrics.example tunnel' });
    expect(await statusOf(allowed.url, 'Metrics.example:9464')).to.equal(200);
    expect(await statusOf(allowed.url, 'tunnel')).to.equal(200);
    expect(await statusOf(allowed.url, 'other.example')).to.equal(421);
    const everywhere = await startWatched({ USERS_METRICS_HOST: '0.0.0.0' });
    expect(await statusOf(everywhere.url, 'users.internal:9464')).to.equal(200);
  });

  describeMongo('on MongoDB', () => {
    it('count connections and elections', async () => {
      const database = await aDatabase();
      const { service, samples } = await startWatched({
        USERS_STORE: 'mongodb',
        USERS_MONGODB_URI: database.uri,
      });
      expect(await post(service, 'ada')).to.equal(201);
      const all = await samples();
      expect(sumOf(all, 'users_mongodb_connections')).to.be.above(0);
      expect(sumOf(all, 'users_mongodb_connection_waiters')).to.equal(0);
      expect(sumOf(all, 'users_mongodb_elections_seen')).to.equal(0);
      expect(
        sumOf(all, 'users_store_operation_duration_seconds_count', { store: 'mongodb', operation: 'create' }),
      ).to.equal(1);
      await until(
        'each connection that was used is free again',
        async () => sumOf(await samples(), 'users_mongodb_connections_in_use') === 0,
      );
      await service.stop();
      await database.drop();
    });
  });

  it('prevent the start when their port is in use, with a message that names it', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    const address = other.address();
    const port = String(typeof address === 'object' ? address?.port : '');
    for (const workers of ['1', '2']) {
      const env = { USERS_METRICS_PORT: port, USERS_WORKERS: workers };
      const { code, told } = await run([], aDataFolder(), env);
      expect(code).to.equal(1);
      expect(told.join())
        .to.contain(`metrics: 127.0.0.1:${port} is in use`)
        .and.contain('USERS_METRICS_PORT');
    }
    other.close();
  });
});

describe('Metrics of one process', () => {
  let watched: Watched;
  before(async () => {
    watched = await startWatched();
  });
  after(discardProcesses);

  it('include the SQLite file, memory and the event loop', async () => {
    const { service, samples } = watched;
    expect(await post(service, 'ada')).to.equal(201);
    const all = await samples();
    expect(sumOf(all, 'users_sqlite_file_bytes')).to.be.above(4095);
    expect(sumOf(all, 'users_sqlite_log_bytes')).to.be.above(4095);
    for (const name of [
      'nodejs_eventloop_lag_p99_seconds',
      'process_resident_memory_bytes',
      'nodejs_heap_size_used_bytes',
    ])
      expect(
        all.map((sample) => sample.name),
        name,
      ).to.include(name);
  });

  it('cannot be read on loopback by a web page under another host name', async () => {
    const { url } = watched;
    for (const host of [
      '127.0.0.1:9464',
      '127.0.0.1',
      '[::1]:9464',
      '192.0.2.1',
      'localhost',
      'LOCALHOST:9464',
    ])
      expect(await statusOf(url, host), host).to.equal(200);
    for (const host of [
      'rebound.example',
      'rebound.example:9464',
      'localhost.example',
      '127.0.0.1.example',
      '[::1',
    ])
      expect(await statusOf(url, host), host).to.equal(421);
  });

  it('are served for GET and HEAD of /metrics only', async () => {
    const { url } = watched;
    const got = await fetch(url);
    expect(got.headers.get('content-type')).to.equal('text/plain; version=0.0.4; charset=utf-8');
    const head = await fetch(url, { method: 'HEAD' });
    expect([head.status, await head.text()]).to.deep.equal([200, '']);
    const posted = await fetch(url, { method: 'POST', body: 'x' });
    expect([posted.status, posted.headers.get('allow')]).to.deep.equal([405, 'GET, HEAD']);
    for (const path of ['/', '/metric', '/users', '/metrics/']) {
      const other = await fetch(new URL(path, url));
      expect(other.status, path).to.equal(404);
    }
    expect((await fetch(`${url}?x=1`)).status).to.equal(200);
  });

  it('are not delayed by clients that send slowly or do not read', async () => {
    const { service, url, samples, samplesAfter } = watched;
    const before = sumOf(await samples(), duration);
    const { port } = new URL(url);
    const sockets = Array.from({ length: 20 }, (_, at) => {
      const socket = connect(Number(port), '127.0.0.1').pause();
      socket.on('error', () => {});
      socket.write(at % 2 === 0 ? 'GET /metr' : 'GET /metrics HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(50));
      return socket;
    });
    await send(service, 20);
    expect(sumOf(await samplesAfter(before + 20), duration)).to.equal(before + 20);
    for (const socket of sockets) socket.destroy();
  });

  it('are served once per connection, so that pipelined requests do not each hold a response', async () => {
    const { url } = watched;
    const socket = connect(Number(new URL(url).port), '127.0.0.1').setEncoding('latin1');
    socket.write('GET /metrics HTTP/1.1\r\nHost: localhost\r\n\r\n'.repeat(50));
    expect((await text(socket)).match(/HTTP\/1\.1 200 OK/g)).to.have.lengthOf(1);
  });
});

describe('Metrics of two workers', () => {
  let watched: Watched;
  before(async () => {
    watched = await startWatched({ USERS_WORKERS: '2' });
    await watched.service.logged(/"all workers are listening"/);
  });
  after(discardProcesses);

  it('are the sums of both workers: as many requests as were sent', async () => {
    const { service, samplesAfter } = watched;
    await Promise.all([
      send(service, 300),
      send(service, 200, '/users'),
      ...Array.from({ length: 20 }, (_, at) => post(service, `p${at}`)),
    ]);
    const all = await samplesAfter(520);
    const ok = { http_request_method: 'GET', http_response_status_code: '200' };
    expect(sumOf(all, duration, { http_route: '/health/ready', http_response_status_code: '204' })).to.equal(
      300,
    );
    expect(sumOf(all, duration, { ...ok, http_route: '/users' })).to.equal(200);
    expect(sumOf(all, duration, { http_route: '/users', http_response_status_code: '201' })).to.equal(20);
    expect(
      sumOf(all, 'users_store_operation_duration_seconds_count', { operation: 'create', store: 'sqlite' }),
    ).to.equal(20);
    expect(sumOf(all, 'users_sqlite_commit_writes_sum')).to.equal(20);
    expect(sumOf(all, 'users_workers')).to.equal(2);
    expect(
      new Set(service.log.filter((line) => line.includes('"request"')).map((line) => JSON.parse(line).pid))
        .size,
    ).to.equal(2);
  });

  it("are served with a worker's last values when it does not answer", async () => {
    const { service, samples, samplesAfter } = watched;
    const before = sumOf(await samples(), duration);
    await send(service, 50);
    expect(sumOf(await samplesAfter(before + 50), duration)).to.equal(before + 50);
    const [first = 0] = pidsOf(service);
    process.kill(first, 'SIGSTOP');
    expect(sumOf(await samples(), duration)).to.equal(before + 50);
    process.kill(first, 'SIGCONT');
    expect(sumOf(await samples(), duration)).to.equal(before + 50);
  });

  it('do not decrease when a worker dies, and count its replacement', async () => {
    const { service, samples, samplesAfter } = watched;
    const before = sumOf(await samples(), duration);
    await send(service, 100);
    expect(sumOf(await samplesAfter(before + 100), duration)).to.equal(before + 100);
    const [first = 0] = pidsOf(service);
    process.kill(first, 'SIGKILL');
    await service.logged(/"a worker has ended"/);
    await send(service, 10);
    expect(sumOf(await samplesAfter(before + 110), duration)).to.equal(before + 110);
    await until('the worker is replaced', async () => {
      const all = await samples();
      return sumOf(all, 'users_worker_restarts_total') >= 1 && sumOf(all, 'users_workers') >= 2;
    });
    expect(sumOf(await samples(), duration)).to.equal(before + 110);
  });
});
