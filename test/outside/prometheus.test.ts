import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { aFreePort } from '../support/free-port.ts';
import { discardProcesses, type Process, startProcess } from '../support/process.ts';
import { needed, outputOf } from './tools.ts';

interface Prometheus {
  /** The value of each series that a query gives, now. */
  query(expression: string): Promise<number[]>;
  stop(): Promise<void>;
}

/** Scrapes one target, every half second. */
async function startPrometheus(program: string, target: string): Promise<Prometheus> {
  const folder = mkdtempSync(join(tmpdir(), 'users-prometheus-'));
  const config = join(folder, 'prometheus.yml');
  const job = { job_name: 'users', scrape_interval: '500ms', static_configs: [{ targets: [target] }] };
  writeFileSync(config, JSON.stringify({ scrape_configs: [job] }));
  const address = `127.0.0.1:${await aFreePort()}`;
  const child = spawn(
    program,
    [
      `--config.file=${config}`,
      `--storage.tsdb.path=${join(folder, 'data')}`,
      `--web.listen-address=${address}`,
    ],
    { stdio: 'ignore' },
  );
  const ended = once(child, 'exit');
  return {
    async query(expression) {
      const query = new URLSearchParams({ query: expression });
      // It listens a while after its start.
      const answer = await fetch(`http://${address}/api/v1/query?${query}`).catch(() => undefined);
      if (answer?.ok !== true) return [];
      const { data } = (await answer.json()) as { data: { result: { value: [number, string] }[] } };
      return data.result.map(({ value }) => Number(value[1]));
    },
    async stop() {
      child.kill('SIGTERM');
      await ended;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

const metrics = [
  'http_server_request_duration_seconds_bucket',
  'http_server_active_requests',
  'http_server_request_body_size_bytes_count',
  'http_server_response_body_size_bytes_count',
  'users_store_operation_duration_seconds_count',
  'users_refusals_total',
  'users_sqlite_file_bytes',
  'users_sqlite_log_bytes',
  'users_sqlite_commit_writes_count',
  'users_worker_restarts_total',
  'users_workers',
  'nodejs_eventloop_lag_p99_seconds',
  'nodejs_gc_duration_seconds_count',
  'process_resident_memory_bytes',
];

describe('Prometheus', function () {
  this.timeout(60_000);
  let service: Process;
  let target: string;
  let prometheus: Prometheus | undefined;
  before(async function () {
    const program = needed(this, 'prometheus');
    target = `127.0.0.1:${await aFreePort()}`;
    const env = { USERS_WORKERS: '2', USERS_METRICS_PORT: target.split(':')[1] ?? '' };
    service = await startProcess({ env });
    await service.logged(/"all workers are listening"/);
    prometheus = await startPrometheus(program, target);
  });
  after(async () => {
    await prometheus?.stop();
    await discardProcesses();
  });

  it('scrapes both workers as one: every metric is there, and as many requests as were sent', async () => {
    const authorization = `Bearer ${await service.token()}`;
    const sendAll = async (count: number, at: number) => {
      const headers = { authorization, connection: 'close', 'content-type': 'application/json' };
      for (let sent = 0; sent < count; sent += 1) {
        const body = JSON.stringify({ userName: `person-${at}-${sent}` });
        await (await fetch(`${service.url}/users`, { method: 'POST', headers, body })).arrayBuffer();
        await (
          await fetch(`${service.url}/users?limit=1`, { headers: { connection: 'close' } })
        ).arrayBuffer();
      }
    };
    await Promise.all(Array.from({ length: 8 }, (_, at) => sendAll(25, at)));
    const of = (expression: string) => prometheus?.query(expression) ?? Promise.resolve([]);
    const created = 'sum(http_server_request_duration_seconds_count{http_response_status_code="201"})';
    while ((await of(created))[0] !== 200);
    expect(await of('sum(users_refusals_total{reason="credentials-missing"})')).to.deep.equal([200]);
    expect(await of('sum(users_store_operation_duration_seconds_count{operation="insert"})')).to.deep.equal([
      200,
    ]);
    for (const name of metrics) expect(await of(name), name).not.to.deep.equal([]);
    expect(await of('up')).to.deep.equal([1]);
  });

  it('has nothing to say against them', async function () {
    const text = await (await fetch(`http://${target}/metrics`)).text();
    const { out, err } = await outputOf(needed(this, 'promtool'), ['check', 'metrics'], text);
    expect(out + err).to.equal('');
  });
});
