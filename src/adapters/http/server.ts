/** The listening socket: Node's own limits, and an end that lets requests in flight finish. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type Koa from 'koa';
import type { Logger } from 'pino';
import type { State } from './context.ts';
import { pacing } from './pacing.ts';
import { pipelining } from './pipelining.ts';
import { type RefusalSettings, refusals, type Unread } from './refusals.ts';
import { seldom } from './seldom.ts';

export interface ServerSettings extends RefusalSettings {
  readonly host: string;
  readonly port: number;
  /** Bytes; 0 of `max`: no limit; `maxStall` in ms. */
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

function configured({ timeouts, connections }: ServerSettings): Server {
  const server = createServer({
    connectionsCheckingInterval: checkingInterval,
    headersTimeout: Math.min(timeouts.headers, timeouts.request),
    requestTimeout: timeouts.request,
    keepAliveTimeout: timeouts.keepAlive,
    maxHeaderSize: connections.maxHeaderSize,
    // Node's own refusal is no problem document: request-head.ts does it.
    requireHostHeader: false,
  });
  // Node drops the fields beyond without a word: by one more than there may be, request-head.ts knows. With no limit, heads that never
  // end would hold all of theirs, a quarter of a MiB where the names are short.
  server.maxHeadersCount = connections.maxHeaderFields + 1;
  server.timeout = connections.maxStall;
  return server;
}

/** Closing its connection in order could be taken for its end; a reset can't. */
const isBegun = (response: ServerResponse): boolean => response.headersSent && !response.writableFinished;

/** The answer that a connection is taking, or has taken; others may wait behind it. */
type UnderWay = (socket: Duplex) => ServerResponse | undefined;

interface Answers {
  readonly latest: ReadonlyMap<Duplex, ServerResponse | undefined>;
  readonly underWay: UnderWay;
}

/** False, and nothing done, where no answer has begun. */
function cut(socket: Duplex, underWay: UnderWay): boolean {
  const response = underWay(socket);
  if (response === undefined || !isBegun(response)) return false;
  response.socket?.resetAndDestroy();
  return true;
}

/** The connections that are open, each with the answer, under way or done, to its latest request. */
type Latest = Map<Duplex, ServerResponse | undefined>;

/**
 * Closes connections beyond `max` (0: none), and says how many, at most once a second: a line for each would help an attacker.
 */
function limitConnections(server: Server, max: number, log: Logger): Latest {
  const open: Latest = new Map();
  let dropped = 0;
  const drop = (socket: Socket) => {
    socket.destroy();
    dropped += 1;
    if (dropped > 1) return;
    setTimeout(() => {
      log.warn({ dropped }, 'more connections than connections.max');
      dropped = 0;
    }, 1000).unref();
  };
  server.prependListener('connection', (socket: Socket) => {
    open.set(socket, undefined);
    socket.once('close', () => open.delete(socket));
    if (max > 0 && open.size > max) drop(socket);
  });
  return open;
}

/**
 * A client that waits for `100 (Continue)` gets it when its body is about to be read, and not when it is refused unread. It may
 * then send the body or not (RFC 9110 §10.1.1), so the connection doesn't go on.
 */
function invite(request: IncomingMessage, response: ServerResponse): void {
  const keepAlive = response.shouldKeepAlive;
  response.shouldKeepAlive = false;
  request.once('resume', () => {
    if (response.headersSent) return;
    response.shouldKeepAlive = keepAlive;
    response.writeContinue();
  });
}

/**
 * To ignore `Upgrade` is allowed (RFC 9110 §7.8); but Node's parser then drops what came with the request and follows it, so
 * that no further answer could be told from the one that it belongs to.
 */
const losesWhatFollows = ({ headers: { upgrade, connection = '' } }: IncomingMessage): boolean =>
  upgrade !== undefined && /(?:^|,)[ \t]*upgrade[ \t]*(?:,|$)/i.test(connection);

/** What isn't a request, or isn't one for the application. */
function refuseTheRest(
  server: Server,
  settings: ServerSettings,
  { latest, underWay }: Answers,
  log: Logger,
): void {
  const refuse = refusals(settings, log);
  // The parser says it again of all that comes after, and each time holds on to what came.
  const failed = new WeakSet<Duplex>();
  server.on('clientError', (error: Unread, socket) => {
    if (failed.has(socket)) return;
    failed.add(socket);
    const last = latest.get(socket);
    if (last?.req.complete === false) refuse.broken(error, socket, last);
    else if (last?.closed === false) {
      // First what is due to the requests before; until then nothing more is taken in.
      socket.pause();
      last.once('close', () => refuse.broken(error, socket.resume()));
    } else refuse.broken(error, socket);
  });
  server.on('timeout', (socket) => {
    if (!cut(socket, underWay)) socket.destroy();
  });
  server.on('connect', (_request, socket) => {
    // Node takes its own listeners off. A reset without one would end the process; answers before this one are still on their way.
    socket.on('error', () => socket.destroy());
    socket.on('timeout', () => socket.destroy());
    socket.on('drain', () => underWay(socket)?.emit('drain'));
    const last = latest.get(socket);
    if (last?.closed === false) last.once('close', () => refuse.tunnel(socket));
    else refuse.tunnel(socket);
  });
  server.on('checkExpectation', (request, response) => server.emit('request', request, response));
  server.on('checkContinue', (request, response) => {
    invite(request, response);
    server.emit('request', request, response);
  });
}

/** Rejects with the system's error when it can't listen there. */
export function serve(app: Koa<State>, settings: ServerSettings, log: Logger): Promise<RunningServer> {
  const server = configured(settings);
  const latest = limitConnections(server, settings.connections.max, log);
  let closing = false;
  const last = (response: ServerResponse) => response.setHeader('Connection', 'close');
  const tell = seldom();
  const { take, current } = pipelining(app.callback(), () =>
    tell('cut', (connections) => log.warn({ connections }, 'cut: too many requests waited for their turn')),
  );
  const underWay: UnderWay = (socket) => current(socket) ?? latest.get(socket);
  refuseTheRest(server, settings, { latest, underWay }, log);
  const pace = pacing();
  server.on('request', (request, response) => {
    const before = latest.get(request.socket);
    latest.set(request.socket, response);
    if (closing || losesWhatFollows(request)) last(response);
    pace(request, response);
    take(request, response, before);
  });
  const inFlight = () =>
    [...latest.values()].filter((response): response is ServerResponse => response?.closed === false);

  const close = (deadline: number) =>
    new Promise<void>((resolve) => {
      closing = true;
      // Else their connections, kept alive, would hold the process up until they time out.
      for (const response of inFlight()) if (!response.headersSent) last(response);
      const cutting = setTimeout(() => {
        for (const socket of latest.keys()) cut(socket, underWay);
        server.closeAllConnections();
      }, deadline);
      server.close(() => {
        clearTimeout(cutting);
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
