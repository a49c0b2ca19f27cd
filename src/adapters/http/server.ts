/** The listening socket: Node's own limits, and an end that lets requests in flight finish. */
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type Koa from 'koa';
import type { State } from './context.ts';

export interface ServerSettings {
  readonly host: string;
  readonly port: number;
  /** In ms. */
  readonly timeouts: { readonly headers: number; readonly request: number; readonly keepAlive: number };
}

export interface RunningServer {
  /** Where it listens, as a URL without a path. */
  readonly url: string;
  /**
   * Stops accepting, lets requests in flight finish and resolves when all connections are closed. Those left after `deadline` ms
   * are cut.
   */
  close(deadline: number): Promise<void>;
}

/** How often Node looks for requests that take too long, in ms: its own default of 30 s makes shorter limits meaningless. */
const checkingInterval = 1000;

function configured(app: Koa<State>, { timeouts }: ServerSettings): Server {
  const server = createServer(
    {
      connectionsCheckingInterval: checkingInterval,
      headersTimeout: Math.min(timeouts.headers, timeouts.request),
      requestTimeout: timeouts.request,
      keepAliveTimeout: timeouts.keepAlive,
    },
    app.callback(),
  );
  // Header fields beyond a count would vanish without a word, Authorization among them; their size is bounded (16 KiB) anyway.
  server.maxHeadersCount = 0;
  return server;
}

/** Rejects with the system's error when it can't listen there. */
export function serve(app: Koa<State>, settings: ServerSettings): Promise<RunningServer> {
  const server = configured(app, settings);
  const inFlight = new Set<ServerResponse>();
  let closing = false;
  const last = (response: ServerResponse) => response.setHeader('Connection', 'close');
  server.prependListener('request', (_request, response) => {
    if (closing) last(response);
    inFlight.add(response);
    response.once('close', () => inFlight.delete(response));
  });

  const close = (deadline: number) =>
    new Promise<void>((resolve) => {
      closing = true;
      // Else their connections, kept alive, would hold the process up until they time out.
      for (const response of inFlight) if (!response.headersSent) last(response);
      const cut = setTimeout(() => server.closeAllConnections(), deadline);
      server.close(() => {
        clearTimeout(cut);
        resolve();
      });
      server.closeIdleConnections();
    });

  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(settings.port, settings.host, () => {
      server.off('error', reject);
      const { address, family, port } = server.address() as AddressInfo;
      resolve({ url: `http://${family === 'IPv6' ? `[${address}]` : address}:${port}`, close });
    });
  });
}
