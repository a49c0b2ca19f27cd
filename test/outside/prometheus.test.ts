import { expect } from 'chai';
import { until } from '../support/deadlines.ts';
import { aFreePort } from '../support/free-port.ts';
import { aDataFolder, discardProcesses, type Process, startProcess } from '../support/process.ts';
import { type Prometheus, startPrometheus } from '../support/prometheus.ts';
import { receiversFile } from '../support/receivers-file.ts';
import { needed, outputOf } from './tools.ts';

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
  'users_changes_entries_total',
  'users_changes_bytes',
  'users_changes_max_bytes',
  'users_changes_oldest_age_seconds',
  'users_validity_due',
  'users_validity_late_seconds',
  'users_webhook_attempts_total',
  'users_webhook_lag_entries',
  'users_webhook_lag_seconds',
  'users_webhook_set_aside',
  'users_webhook_disabled',
  'users_changes_retention_seconds',
  'users_changes_follower_lag_seconds_count',
  'users_worker_restarts_total',
  'users_workers',
  'nodejs_eventloop_lag_p99_seconds',
  'nodejs_gc_duration_seconds_count',
  'process_resident_memory_bytes',
];

describe('Prometheus', () => {
  let service: Process;
  let target: string;
  let prometheus: Prometheus | undefined;
  before(async function () {
    const program = needed(this, 'prometheus');
    target = `127.0.0.1:${await aFreePort()}`;
    const env = {
      ...{ USERS_WORKERS: '2', USERS_METRICS_PORT: target.split(':')[1] ?? '' },
      USERS_WEBHOOKS_FILE: receiversFile(aDataFolder()),
    };
    service = await startProcess({ env });
    await service.logged(/"all workers are listening"/);
    prometheus = await startPrometheus(program, { targets: [target] });
  });
  after(async () => {
    await prometheus?.stop();
    await discardProcesses();
  });

  it('scrapes both workers together: all metrics are there, with the number of requests that were sent', async () => {
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
    await until('Prometheus has scraped 200 creations', async () => (await of(created))[0] === 200);
    expect(await of('sum(users_refusals_total{reason="credentials-missing"})')).to.deep.equal([200]);
    expect(await of('sum(users_store_operation_duration_seconds_count{operation="create"})')).to.deep.equal([
      200,
    ]);
    for (const name of metrics) expect(await of(name), name).not.to.deep.equal([]);
    // The workers have one log.
    expect(await of('users_changes_entries_total')).to.deep.equal([200]);
    expect(await of('up')).to.deep.equal([1]);
  });

  it('accepts them without a warning', async function () {
    const text = await (await fetch(`http://${target}/metrics`)).text();
    const { out, err } = await outputOf(needed(this, 'promtool'), ['check', 'metrics'], text);
    expect(out + err).to.equal('');
  });
});
