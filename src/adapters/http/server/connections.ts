/** The open connections: their limit, the responses in progress, and how a response is aborted. */
import type { Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { Logger } from 'pino';
import { eventLoop } from '../../scheduler/event-loop.ts';
import { isStopped } from './parser.ts';
import { hasBody } from './pipelining.ts';

/**
 * Each with the response to its latest request; undefined before the first request, and between two. A response keeps its request in memory, whose
 * head may take some ten KiB.
 */
export type Connections = Map<Duplex, ServerResponse | undefined>;

/** In ms: one log line covers all connections refused in this time, since a line for each would help an attacker. */
const logInterval = 1000;

interface TrackedConnections {
  readonly connections: Connections;
  /** To be called for each request. */
  begin(response: ServerResponse): void;
}

/**
 * Limits the connections to `max` (0: no limit): a new one replaces the one that has been idle longest. A connection on which bytes of its next
 * request have arrived is not idle. If at least as many connections have an incomplete head as are idle, the one with the oldest incomplete head is
 * closed instead, so that clients that send nothing, or never complete a head, can't keep others out; without either, that with the oldest incomplete
 * body, so that a client can't keep others out by withholding bodies. If none exists, the new connection is closed.
 * @param onDrop called for each connection that is closed although it is not idle
 */
export function trackConnections(
  server: Server,
  max: number,
  log: Logger,
  onDrop: () => void,
): TrackedConnections {
  const connections: Connections = new Map();
  // Idle connections, each with the number of bytes read when its last request ended; no request has begun since. Searching all connections for each
  // new one would help an attacker.
  const idle = new Map<Socket, number>();
  // Connections that are new, or on which the beginning of a request has arrived.
  const headless = new Set<Socket>();
  // Connections whose latest request has a body.
  const uploading = new Set<Socket>();
  const takeLongestIdle = (): Socket | undefined => {
    for (const [socket, bytesRead] of idle) {
      if (headless.size >= idle.size) return undefined;
      idle.delete(socket);
      if (socket.bytesRead === bytesRead) return socket;
      headless.add(socket);
    }
    return undefined;
  };
  const takeOldestUpload = (): Socket | undefined => {
    for (const socket of uploading) {
      uploading.delete(socket);
      if (connections.get(socket)?.req.complete === false) return socket;
    }
    return undefined;
  };
  let dropped = 0;
  const drop = (socket: Socket) => {
    remove(socket);
    onDrop();
    dropped += 1;
    if (dropped > 1) return;
    setTimeout(() => {
      log.warn({ dropped }, 'more connections than connections.max');
      dropped = 0;
    }, logInterval).unref();
  };
  const forget = (socket: Socket) => {
    connections.delete(socket);
    headless.delete(socket);
    idle.delete(socket);
    uploading.delete(socket);
  };
  const remove = (socket: Socket) => {
    forget(socket);
    socket.destroy();
  };
  const makeRoom = (socket: Socket) => {
    const longestIdle = takeLongestIdle();
    if (longestIdle !== undefined) return remove(longestIdle);
    const [longestHeadless = takeOldestUpload() ?? socket] = headless;
    drop(longestHeadless);
  };
  server.prependListener('connection', (socket: Socket) => {
    eventLoop.countConnection();
    connections.set(socket, undefined);
    socket.once('close', () => forget(socket));
    if (max > 0 && connections.size > max) makeRoom(socket);
    if (!socket.destroyed) headless.add(socket);
  });
  const begin = (response: ServerResponse) => {
    const { req } = response;
    const { socket } = req;
    idle.delete(socket);
    headless.delete(socket);
    uploading.delete(socket);
    if (hasBody(req)) uploading.add(socket);
    connections.set(socket, response);
    response.once('close', () => {
      const isWhole = req.complete || isStopped(socket);
      if (!isWhole || connections.get(socket) !== response) return;
      connections.set(socket, undefined);
      idle.set(socket, socket.bytesRead);
    });
  };
  return { connections, begin };
}

/** Responses in progress, at most one on each connection. */
export const answersInFlight = (connections: Connections): ServerResponse[] =>
  [...connections.values()].filter(
    (response): response is ServerResponse => response !== undefined && !response.closed,
  );

/**
 * Resets the connection of a response that has begun: after an orderly close, the client could mistake it for complete.
 * @returns false without a response in progress; then it does nothing
 */
export function resetUnfinished(response: ServerResponse | undefined): boolean {
  if (!response?.headersSent || response.writableFinished) return false;
  response.socket?.resetAndDestroy();
  return true;
}
