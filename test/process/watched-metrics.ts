/** A service whose metrics are read. */
import { until } from '../support/deadlines.ts';
import { aFreePort } from '../support/free-port.ts';
import { type Environment, type Process, startProcess } from '../support/process.ts';
import { readSamples, type Sample, sumOf } from '../support/prometheus-text.ts';
import { converse, statuses } from '../support/sockets.ts';

/** Counts requests. */
export const duration = 'http_server_request_duration_seconds_count';
export interface Watched {
  readonly service: Process;
  readonly url: string;
  samples(): Promise<Sample[]>;
  /** Those of a moment at which so many requests had ended: the service knows it a little later than who asked. */
  samplesAfter(requests: number): Promise<Sample[]>;
}

export async function startWatched(env: Environment = {}): Promise<Watched> {
  const port = String(await aFreePort());
  const service = await startProcess({ env: { USERS_METRICS_PORT: port, ...env } });
  const url = `http://127.0.0.1:${port}/metrics`;
  const samples = async () => readSamples(await (await fetch(url)).text());
  const samplesAfter = async (requests: number) => {
    let all: Sample[] = [];
    await until(`${requests} requests are counted`, async () => {
      all = await samples();
      return sumOf(all, duration) >= requests;
    });
    return all;
  };
  return { service, url, samples, samplesAfter };
}

/** Each over a new connection, so that every worker gets some. */
export async function send(service: Process, count: number, path = '/health/ready'): Promise<void> {
  const headers = { authorization: `Bearer ${await service.token()}`, connection: 'close' };
  for (let left = count; left > 0; left -= 16)
    await Promise.all(
      Array.from({ length: Math.min(16, left) }, async () =>
        (await fetch(`${service.url}${path}`, { headers })).arrayBuffer(),
      ),
    );
}

export const post = async (service: Process, userName: string): Promise<number> => {
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${await service.token()}` };
  const body = JSON.stringify({ userName });
  return (await fetch(`${service.url}/users`, { method: 'POST', headers, body })).status;
};

/** Asked with `Host` as it stands, which `fetch` chooses itself. */
export const statusOf = async (url: string, host: string): Promise<number | undefined> => {
  const { hostname, port } = new URL(url);
  const head = `GET /metrics HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`;
  return statuses(await converse(`http://${hostname}:${port}`, head))[0];
};
