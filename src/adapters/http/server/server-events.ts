/** Node's events beside `request`: bytes that aren't a request, connections that stall, CONNECT and `Expect`. */
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Logger } from 'pino';
import { type Connections, resetUnfinished } from './connections.ts';
import { type ParserError, type ProtocolErrorSettings, protocolErrors } from './protocol-errors.ts';

/** The answer that a connection is taking, or has taken; others may wait behind it. */
export type FindCurrentAnswer = (socket: Duplex) => ServerResponse | undefined;

/**
 * A client that waits for `100 (Continue)` gets it when its body is about to be read, and not when it is refused unread. It may
 * then send the body or not (RFC 9110 §10.1.1), so the connection doesn't go on.
 */
function deferContinue(request: IncomingMessage, response: ServerResponse): void {
  const keepAlive = response.shouldKeepAlive;
  response.shouldKeepAlive = false;
  request.once('resume', () => {
    if (response.headersSent) return;
    response.shouldKeepAlive = keepAlive;
    response.writeContinue();
  });
}

export interface ServerEventParts {
  readonly connections: Connections;
  readonly findCurrentAnswer: FindCurrentAnswer;
  readonly settings: ProtocolErrorSettings;
  readonly log: Logger;
  /** Called with the code of the problem that bytes were refused with. */
  readonly onRefusal: (code: string) => void;
}

export function handleServerEvents(server: Server, parts: ServerEventParts): void {
  const { connections, findCurrentAnswer, settings, log, onRefusal } = parts;
  const { refuseBroken, refuseTunnel } = protocolErrors(settings, log, onRefusal);
  // The parser repeats its error for all bytes that come after, and each time holds on to them.
  const failed = new WeakSet<Duplex>();
  server.on('clientError', (error: ParserError, socket) => {
    if (failed.has(socket)) return;
    failed.add(socket);
    const latest = connections.get(socket);
    if (latest?.req.complete === false) refuseBroken(error, socket, latest);
    else if (latest?.closed === false) {
      // The answers to the requests before come first; until then nothing more is taken in.
      socket.pause();
      latest.once('close', () => refuseBroken(error, socket.resume()));
    } else refuseBroken(error, socket);
  });
  server.on('timeout', (socket) => {
    if (!resetUnfinished(findCurrentAnswer(socket))) socket.destroy();
  });
  server.on('connect', (_request, socket) => {
    // Node takes its own listeners off. A reset without one would end the process; answers before this one are still on their way.
    socket.on('error', () => socket.destroy());
    socket.on('timeout', () => socket.destroy());
    socket.on('drain', () => findCurrentAnswer(socket)?.emit('drain'));
    const latest = connections.get(socket);
    if (latest?.closed === false) latest.once('close', () => refuseTunnel(socket));
    else refuseTunnel(socket);
  });
  // Checked in request-head.ts, and answered with a problem.
  server.on('checkExpectation', (request, response) => server.emit('request', request, response));
  server.on('checkContinue', (request, response) => {
    deferContinue(request, response);
    server.emit('request', request, response);
  });
}
