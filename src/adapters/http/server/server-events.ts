/** Node's events beside `request`: bytes that aren't a request, connections that stall, and CONNECT. */
import type { Server, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { type Connections, resetUnfinished } from './connections.ts';
import { isStopped } from './parser.ts';
import type { ParserError, ProtocolErrors } from './protocol-errors.ts';

/** The answer that a connection is taking, or has taken; others may wait behind it. */
export type FindCurrentAnswer = (socket: Duplex) => ServerResponse | undefined;

export interface ServerEventParts {
  readonly connections: Connections;
  readonly findCurrentAnswer: FindCurrentAnswer;
  readonly errors: ProtocolErrors;
}

export function handleServerEvents(server: Server, parts: ServerEventParts): void {
  const { connections, findCurrentAnswer, errors } = parts;
  const { refuseBroken, refuseTunnel } = errors;
  // The parser repeats its error for all bytes that come after, and each time holds on to them.
  const failed = new WeakSet<Duplex>();
  server.on('clientError', (error: ParserError, socket) => {
    if (failed.has(socket) || isStopped(socket)) return;
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
}
