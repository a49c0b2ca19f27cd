/**
 * The HTTP server: Node's limits, the way of requests to the application, and the graceful shutdown. A proxy ends TLS (docs/operate/proxy.md).
 *
 * In: connections. Out: requests for the application (`../app.ts`), one at a time on each connection. In their order:
 * 1. `connections.ts` limits the connections;
 * 2. `protocol-errors.ts` answers input that is not a request;
 * 3. `large-bodies.ts` limits the chunks of a body, and how much of a refused one is drained;
 * 4. `pipelining.ts` gives a request its turn;
 * 5. in the application, `request-log.ts` gives it an id and a line in the log.
 *
 * At the end, `last-connections.ts` empties the queue of the listening socket. On a first reading skip it, and `parser.ts`.
 */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type Koa from 'koa';
import type { Logger } from 'pino';
import { logThrottle } from '../log/log-throttle.ts';
import { closing } from '../pipeline/api.ts';
import type { State } from '../pipeline/context.ts';
import type { RequestObserver } from '../pipeline/request-observer.ts';
import { answersInFlight, resetUnfinished, trackConnections } from './connections.ts';
import { limitBody, tooManyChunks } from './large-bodies.ts';
import { backlog, lastConnections } from './last-connections.ts';
import { isStopped, stopParser } from './parser.ts';
import { pipelining } from './pipelining.ts';
import {
  type FindCurrentAnswer,
  handleServerEvents,
  type ProtocolErrorSettings,
  protocolErrors,
} from './protocol-errors.ts';

export interface ServerSettings extends ProtocolErrorSettings {
  readonly host: string;
  readonly port: number;
  /** `max`: 0 is no limit; `maxHeaderSize` in bytes; `maxStall` in ms. */
  readonly connections: {
    readonly max: number;
    readonly maxHeaderSize: number;
    readonly maxHeaderFields: number;
    readonly maxStall: number;
  };
  /** In ms. */
  readonly timeouts: { readonly headers: number; readonly request: number; readonly keepAlive: number };
}

export interface RunningServer {
  /** Without a path. */
  readonly url: string;
  /**
   * Stops accepting connections, lets requests in progress finish and resolves when all connections are closed. After `deadline` ms, the remaining
   * ones are cut off.
   */
  close(deadline: number): Promise<void>;
}

/** In ms: how often Node looks for requests that take too long. Its default of 30 s makes shorter limits meaningless. */
const checkingInterval = 1000;

function createHttpServer({ timeouts, connections }: ServerSettings): Server {
  const server = createServer({
    connectionsCheckingInterval: checkingInterval,
    headersTimeout: Math.min(timeouts.headers, timeouts.request),
    requestTimeout: timeouts.request,
    keepAliveTimeout: timeouts.keepAlive,
    maxHeaderSize: connections.maxHeaderSize,
    // Node's own refusal is not a problem document; request-head.ts has one.
    requireHostHeader: false,
  });
  // Node silently drops excess fields: with one more than the limit, request-head.ts notices. Without a limit, heads that never end would hold all of
  // theirs, a quarter of a MiB if the names are short.
  server.maxHeadersCount = connections.maxHeaderFields + 1;
  server.timeout = connections.maxStall;
  return server;
}

/**
 * A server may ignore `Upgrade` (RFC 9110 §7.8). But Node's parser then drops the bytes that arrive with the request and after it, so
 * the client could mistake a later answer for its own.
 */
const losesNextRequests = ({ headers: { upgrade, connection = '' } }: IncomingMessage): boolean =>
  upgrade !== undefined && /(?:^|,)[ \t]*upgrade[ \t]*(?:,|$)/i.test(connection);

const closeAfter = (response: ServerResponse) => response.setHeader('Connection', 'close');

/** Calls in one turn of the event loop run it once, at the end of the turn. */
function oncePerTurn(run: () => void): () => void {
  let isPlanned = false;
  return () => {
    if (isPlanned) return;
    isPlanned = true;
    setImmediate(() => {
      isPlanned = false;
      run();
    });
  };
}

/**
 * Rejects with the system's error if it can't listen there. @param observers notified of refusals before there is a request; the application notifies
 * them of requests
 */
export function serve(
  app: Koa<State>,
  settings: ServerSettings,
  log: Logger,
  observers: readonly RequestObserver[] = [],
): Promise<RunningServer> {
  const server = createHttpServer(settings);
  const refuse = (reason: string): void => {
    for (const observer of observers) observer.refuse?.(reason);
  };
  const { connections, begin } = trackConnections(server, settings.connections.max, log, () =>
    refuse('too-many-connections'),
  );
  const throttle = logThrottle();
  const { handle, stopListening } = lastConnections(server, app.callback());
  const { submit, currentOf } = pipelining(handle, () => {
    refuse('too-many-pipelined');
    throttle('cut', (count) =>
      log.warn({ connections: count }, 'cut: too many requests waited for their turn'),
    );
  });
  const findCurrentAnswer: FindCurrentAnswer = (socket) => currentOf(socket) ?? connections.get(socket);
  const errors = protocolErrors(settings, log, refuse);
  handleServerEvents(server, { connections, findCurrentAnswer, errors });
  let isClosing = false;
  const take = (request: IncomingMessage, response: ServerResponse, isAwaited: boolean) => {
    const { socket } = request;
    if (isStopped(socket)) return;
    // RFC 9112 §9.6: nothing behind a response with `Connection: close` is handled.
    if (socket.writableEnded) return stopParser(socket);
    const previous = connections.get(socket);
    begin(response);
    if (isClosing || losesNextRequests(request)) closeAfter(response);
    limitBody(request, response, isAwaited, () => errors.refuseBroken(tooManyChunks, socket, response));
    submit(request, response, previous);
  };
  server.on('request', (request, response) => take(request, response, false));
  server.on('checkContinue', (request, response) => take(request, response, true));
  // Checked in request-head.ts, and answered with a problem.
  server.on('checkExpectation', (request, response) => take(request, response, false));

  const close = (deadline: number) =>
    new Promise<void>((resolve) => {
      isClosing = true;
      // Node looks at all connections each time: thousands of streams may end in one turn.
      const closeIdle = oncePerTurn(() => server.closeIdleConnections());
      // Otherwise connections that are kept alive would delay the end of the process until they time out.
      for (const response of answersInFlight(connections))
        if (response.headersSent) response.once('close', closeIdle);
        else closeAfter(response);
      const cutting = setTimeout(() => {
        for (const socket of connections.keys()) resetUnfinished(findCurrentAnswer(socket));
        server.closeAllConnections();
      }, deadline);
      void stopListening(deadline, () => {
        server.close(() => {
          clearTimeout(cutting);
          resolve();
        });
        app.emit(closing);
        server.closeIdleConnections();
      });
    });

  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(settings.port, settings.host, backlog, () => {
      server.off('error', reject);
      const { address, family, port } = server.address() as AddressInfo;
      resolve({ url: `http://${family === 'IPv6' ? `[${address}]` : address}:${port}`, close });
    });
  });
}
