/** What it costs to be watched: GET one with metrics on, and with traces of which one in a hundred is sent, against neither. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { idOf } from '../directory.ts';
import type { Outcome } from '../result.ts';
import { type Contestant, figuresOf, ratiosOf, runWarmUp, takeTurns } from '../rounds.ts';
import type { Server } from '../server.ts';
import type { Stage } from '../stage.ts';

const path = `/users/${idOf(500)}`;

/** Of a client that records its part: so the service does. */
const traceparent = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01';

/** Takes spans and forgets them. */
async function startReceiver() {
  const server = createServer((request, response) => {
    request.resume().once('end', () => response.end());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return { port, url: `http://127.0.0.1:${port}`, close: () => server.close() };
}

/** One that nobody listens on, a moment ago. */
async function findFreePort(): Promise<number> {
  const { port, close } = await startReceiver();
  close();
  return port;
}

export async function measureObserved(stage: Stage): Promise<Outcome> {
  const receiver = await startReceiver();
  const { headers } = stage.credentials.apiKey;
  const contestant = (name: string, server: Server): Contestant => ({
    name,
    server,
    load: { url: `${server.url}${path}`, headers },
    status: 200,
  });
  const metrics = { USERS_METRICS_PORT: String(await findFreePort()) };
  const traces = {
    OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url,
    OTEL_TRACES_SAMPLER: 'parentbased_traceidratio',
    OTEL_TRACES_SAMPLER_ARG: '0.01',
  };
  // On files of this scenario: a server that other scenarios had warmed for longer would answer faster.
  const serviceWith = (more = {}) => stage.service('secret', 'observed', more);
  const contestants = [
    contestant('unwatched', await serviceWith()),
    contestant('metrics', await serviceWith(metrics)),
    contestant('traces at 1 %', await serviceWith(traces)),
  ];
  // One in a hundred takes a way through the code that V8 would else compile only while it is measured.
  for (const { load } of contestants)
    await runWarmUp({ ...load, headers: { ...headers, traceparent } }, 10_000);
  const rounds = await takeTurns(contestants, stage);
  receiver.close();
  const pair = { against: 'unwatched', floor: 'unwatched' };
  return {
    figures: figuresOf(rounds),
    ratios: [
      ...ratiosOf(rounds, {
        ...pair,
        key: 'get-metrics/unwatched',
        what: 'GET one, metrics on',
        ours: 'metrics',
        atLeast: 0.8,
      }),
      ...ratiosOf(rounds, {
        ...pair,
        key: 'get-traces/unwatched',
        what: 'GET one, 1 % of the traces sent',
        ours: 'traces at 1 %',
        atLeast: 0.8,
      }),
    ],
  };
}
