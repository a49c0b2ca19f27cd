import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { expect } from 'chai';
import { until } from '../support/deadlines.ts';
import { readHeaps, tellHeap } from '../support/heaps.ts';
import { aDatabase, describeMongo } from '../support/mongodb.ts';
import { aDataFolder, discardProcesses, type Process, run } from '../support/process.ts';
import { sumOf } from '../support/prometheus-text.ts';
import { duration, post, send, startWatched, statusOf, type Watched } from './watched-metrics.ts';

const pidsOf = (service: Process): number[] =>
  service.log
    .map((line): { msg: string; pid: number } => JSON.parse(line))
    .filter(({ msg }) => msg === 'listening')
    .map(({ pid }) => pid);

describe('Metrics', () => {
  afterEach(discardProcesses);

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

describe('Metrics of two workers', () => {
  let watched: Watched;
  before(async () => {
    // A change log is pruned at random times, which are writes, too.
    watched = await startWatched({ USERS_WORKERS: '2', USERS_CHANGES_RETENTION: '0' });
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

describe('Metrics, read three hundred times,', () => {
  afterEach(discardProcesses);

  it('cause no growth of memory in any process', async () => {
    const { service, samples } = await startWatched({
      USERS_WORKERS: '2',
      NODE_OPTIONS: `--import ${tellHeap}`,
    });
    await service.logged(/"all workers are listening"/);
    const ask = async (times: number) => {
      for (let time = 0; time < times; time += 1) await samples();
      return readHeaps(service.folder);
    };
    // What is compiled and kept for the next time is there after the first.
    const before = await ask(100);
    const after = await ask(200);
    expect(after.map(({ pid, thread }) => [pid, thread])).to.deep.equal(
      before.map(({ pid, thread }) => [pid, thread]),
    );
    expect(before.filter(({ thread }) => thread === 0)).to.have.lengthOf(3);
    const mostKept = 4096;
    for (const [at, { pid, thread, bytes }] of after.entries())
      expect(bytes - (before[at]?.bytes ?? 0), `${pid}, thread ${thread}`).to.be.below(200 * mostKept);
  });
});
