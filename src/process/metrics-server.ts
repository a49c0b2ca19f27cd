/** Serves `/metrics` for Prometheus, if the settings ask for it, on a separate listener that the service doesn't know. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo, isIP } from 'node:net';
import type { Logger } from 'pino';
import { logThrottle } from '../adapters/http/log/log-throttle.ts';
import type { Metrics } from '../adapters/observe/metrics.ts';
import { shareRuns } from '../adapters/scheduler/slots.ts';
import { codeOf, messageOf } from '../adapters/system/errors.ts';
import { isLoopback } from '../config/addresses.ts';
import type { Settings } from '../config/settings.ts';
import { SettingsError } from '../config/sources.ts';

type MetricsSettings = Settings['metrics'];

export const areMetricsWanted = ({ metrics }: Settings): boolean => metrics.port !== 0;

/** The metrics of a serving process; undefined when they are off. */
export async function openWantedMetrics(settings: Settings): Promise<Metrics | undefined> {
  if (!areMetricsWanted(settings)) return undefined;
  const metrics = await import('../adapters/observe/metrics.ts');
  return metrics.openMetrics(settings.store);
}

/** Prometheus' text format, as prom-client prints it. */
const contentType = 'text/plain; version=0.0.4; charset=utf-8';

const misdirected =
  'Ask for the metrics by an IP address or localhost, or name this host in USERS_METRICS_ALLOWED_HOSTS.\n';

/** In ms: limits for slow requests and slow readers. */
const patience = 5000;
const mostConnections = 32;

function answer(response: ServerResponse, status: number, text: string, fields: Record<string, string> = {}) {
  const body = Buffer.from(text);
  response.writeHead(status, {
    'Cache-Control': 'no-store',
    'Content-Length': body.length,
    'Content-Type': 'text/plain; charset=utf-8',
    'X-Content-Type-Options': 'nosniff',
    ...fields,
  });
  // Node sends no content to a HEAD.
  response.end(body);
}

/** `Host` without its port, and an IPv6 address without its brackets. */
const hostOf = ({ headers: { host = '' } }: IncomingMessage): string =>
  host
    .toLowerCase()
    .replace(/:\d*$/, '')
    .replace(/^\[(.*)\]$/, '$1');

const isLocal = (server: Server): boolean => isLoopback((server.address() as AddressInfo).address);

/**
 * Prevents DNS rebinding: a web page whose host name resolves to 127.0.0.1 could read the metrics. Its requests have that name in `Host`,
 * so a listener on loopback accepts IP addresses, `localhost` and the allowed names. HTTP/1.0 may omit `Host`, but browsers never do.
 */
function hostCheck({ allowedHosts }: MetricsSettings): (request: IncomingMessage) => boolean {
  const allowed = new Set(['', 'localhost', ...allowedHosts.toLowerCase().split(' ')]);
  return (request) => {
    const host = hostOf(request);
    return allowed.has(host) || isIP(host) !== 0;
  };
}

function createMetricsServer(
  settings: MetricsSettings,
  collect: () => Promise<string>,
  onFault: (error: unknown) => void,
): Server {
  const isAllowedHost = hostCheck(settings);
  const handle = async (request: IncomingMessage, response: ServerResponse) => {
    const { method = '', url = '' } = request;
    if (isLocal(server) && !isAllowedHost(request)) return answer(response, 421, misdirected);
    if (url.split('?')[0] !== '/metrics') return answer(response, 404, 'The metrics are at /metrics.\n');
    if (method !== 'GET' && method !== 'HEAD')
      return answer(response, 405, 'GET and HEAD.\n', { Allow: 'GET, HEAD', Connection: 'close' });
    return answer(response, 200, await collect(), { 'Content-Type': contentType });
  };
  const server = createServer(
    {
      headersTimeout: patience,
      requestTimeout: patience,
      keepAliveTimeout: patience,
      connectionsCheckingInterval: 1000,
      maxHeaderSize: 8192,
    },
    (request, response) => {
      handle(request, response).catch((error: unknown) => {
        onFault(error);
        if (response.headersSent) response.destroy();
        else answer(response, 500, 'The metrics could not be collected: the log has more.\n');
      });
    },
  );
  server.timeout = patience;
  server.maxConnections = mostConnections;
  // Each pipelined request would hold a response in memory. Connections are closed between two scrapes anyway.
  server.maxRequestsPerSocket = 1;
  return server;
}

/** Why it can't listen there, with the setting that an operator can correct. */
export function describeListenFault(error: unknown, { host, port }: MetricsSettings): string {
  const place = `${host}:${port}`;
  if (codeOf(error) === 'EADDRINUSE')
    return `${place} is in use: stop the program that listens there, or set USERS_METRICS_PORT`;
  return `${place} can't be listened on (USERS_METRICS_HOST): ${messageOf(error)}`;
}

/** Listens until the process ends, but does not keep it alive. @throws SettingsError when it can't listen there */
export async function serveMetrics(
  settings: MetricsSettings,
  collect: () => Promise<string>,
  log: Logger,
): Promise<void> {
  const throttle = logThrottle();
  const server = createMetricsServer(settings, shareRuns(collect), (err) =>
    throttle('metrics', (count) => log.error({ err, count }, 'the metrics could not be collected')),
  );
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error) =>
      reject(new SettingsError(`metrics: ${describeListenFault(error, settings)}`)),
    );
    server.listen({ host: settings.host, port: settings.port, exclusive: true }, resolve);
  });
  server.unref();
  const { address, family, port } = server.address() as AddressInfo;
  const host = family === 'IPv6' ? `[${address}]` : address;
  log.info({ url: `http://${host}:${port}/metrics` }, 'metrics are served');
}
