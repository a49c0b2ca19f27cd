/** The open connections: their limit, the responses in progress, and how a response is aborted. */
import type { Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { Logger } from 'pino';
import { isStopped } from './parser.ts';

/** Each with the response to its latest request, in progress or done; undefined before the first one. */
export type Connections = Map<Duplex, ServerResponse | undefined>;

/** In ms: one line in the log for all connections that are refused meanwhile, since a line for each would help an attacker. */
const logInterval = 1000;

export interface TrackedConnections {
  readonly connections: Connections;
  /** To be called for each request. */
  begin(response: ServerResponse): void;
}

/**
 * Keeps to `max` connections (0: no limit): a new one replaces the one that has been idle longest, or is closed where none is idle. One
 * on which bytes of its next request have arrived is not idle.
 * @param onDrop called for each new one that is closed
 */
export function trackConnections(
  server: Server,
  max: number,
  log: Logger,
  onDrop: () => void,
): TrackedConnections {
  const connections: Connections = new Map();
  // Idle connections, each with the number of bytes that had been read then; no request has begun since. A search of all connections for
  // each new one would help an attacker.
  const idle = new Map<Socket, number>();
  const takeLongestIdle = (): Socket | undefined => {
    for (const [socket, bytesRead] of idle) {
      idle.delete(socket);
      if (socket.bytesRead === bytesRead) return socket;
    }
    return undefined;
  };
  let dropped = 0;
  const drop = (socket: Duplex) => {
    socket.destroy();
    onDrop();
    dropped += 1;
    if (dropped > 1) return;
    setTimeout(() => {
      log.warn({ dropped }, 'more connections than connections.max');
      dropped = 0;
    }, logInterval).unref();
  };
  server.prependListener('connection', (socket: Socket) => {
    connections.set(socket, undefined);
    socket.once('close', () => {
      connections.delete(socket);
      idle.delete(socket);
    });
    if (max === 0 || connections.size <= max) return;
    const longestIdle = takeLongestIdle();
    if (longestIdle === undefined) return drop(socket);
    connections.delete(longestIdle);
    longestIdle.destroy();
  });
  const begin = (response: ServerResponse) => {
    const { req } = response;
    const { socket } = req;
    idle.delete(socket);
    connections.set(socket, response);
    response.once('close', () => {
      if (connections.get(socket) === response && (req.complete || isStopped(socket)))
        idle.set(socket, socket.bytesRead);
    });
  };
  return { connections, begin };
}

/** How many new connections are read in one turn of the event loop: each may have 64 KiB ready. */
const firstReads = 16;

/** Begins new connections in their order, a few in each turn of the event loop, so that a flood of them leaves time to others. */
export function spreadFirstReads(server: Server): void {
  const waiting: Socket[] = [];
  let begun = 0;
  const [begin] = server.listeners('connection');
  server.removeAllListeners('connection');
  // An option of createServer in node:net, which createServer in node:http doesn't pass on. Without it, Node buffers what it reads.
  Object.assign(server, { pauseOnConnect: true });
  const beginSome = () => {
    begun = 0;
    for (const socket of waiting.splice(0, firstReads)) start(socket);
  };
  const start = (socket: Socket) => {
    if (begun === 0) setImmediate(beginSome);
    begun += 1;
    if (socket.destroyed) return;
    begin?.call(server, socket);
    socket.resume();
  };
  server.on('connection', (socket) => {
    if (begun < firstReads && waiting.length === 0) start(socket);
    else waiting.push(socket);
  });
}

/** Responses in progress, at most one for each connection. */
export const answersInFlight = (connections: Connections): ServerResponse[] =>
  [...connections.values()].filter(
    (response): response is ServerResponse => response !== undefined && !response.closed,
  );

/**
 * Resets the connection of a response that has begun: after an orderly close, the client could take it for complete.
 * @returns false, and does nothing, without a response in progress
 */
export function resetUnfinished(response: ServerResponse | undefined): boolean {
  if (!response?.headersSent || response.writableFinished) return false;
  response.socket?.resetAndDestroy();
  return true;
}
