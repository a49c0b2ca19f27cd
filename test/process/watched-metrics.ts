/** A service whose metrics are read. */
import { until } from '../support/deadlines.ts';
import { aFreePort } from '../support/free-port.ts';
import { type Environment, type Process, startProcess } from '../support/process.ts';
import { readSamples, type Sample, sumOf } from '../support/prometheus-text.ts';

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
