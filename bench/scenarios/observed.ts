/** What it costs to be watched: GET one with metrics on, and with traces of which one in a hundred is sent, against neither. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { idOf } from '../directory.ts';
import type { Outcome } from '../result.ts';
import { type Contestant, figuresOf, ratiosOf, takeTurns } from '../rounds.ts';
import type { Server } from '../server.ts';
import type { Stage } from '../stage.ts';

const path = `/users/${idOf(500)}`;

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
  const rounds = await takeTurns(
    [
      contestant('unwatched', await stage.service('secret')),
      contestant('metrics', await stage.service('secret', 'read', metrics)),
      contestant('traces at 1 %', await stage.service('secret', 'read', traces)),
    ],
    stage,
  );
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
        atLeast: 0.95,
      }),
      ...ratiosOf(rounds, {
        ...pair,
        key: 'get-traces/unwatched',
        what: 'GET one, 1 % of the traces sent',
        ours: 'traces at 1 %',
        atLeast: 0.9,
      }),
    ],
  };
}
