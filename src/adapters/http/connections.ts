/** The open connections: how many there may be, the answers that they are taking, and how an answer is broken off. */
import type { Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { Logger } from 'pino';

/** Each with the answer to its latest request, under way or done; undefined before the first one. */
export type Connections = Map<Duplex, ServerResponse | undefined>;

/** In ms: one line in the log for all connections that are refused meanwhile, since a line for each would help an attacker. */
const logInterval = 1000;

/** Closes connections beyond `max` (0: no limit). @param onDrop called for each of those */
export function trackConnections(server: Server, max: number, log: Logger, onDrop: () => void): Connections {
  const connections: Connections = new Map();
  let dropped = 0;
  const drop = (socket: Socket) => {
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
    socket.once('close', () => connections.delete(socket));
    if (max > 0 && connections.size > max) drop(socket);
  });
  return connections;
}

/** Answers that aren't sent to their end, one a connection at most. */
export const answersInFlight = (connections: Connections): ServerResponse[] =>
  [...connections.values()].filter(
    (response): response is ServerResponse => response !== undefined && !response.closed,
  );

/**
 * Resets the connection of an answer that has begun: closed in order, it could be taken for the answer's end.
 * @returns false, and does nothing, where no answer is under way
 */
export function resetUnfinished(response: ServerResponse | undefined): boolean {
  if (!response?.headersSent || response.writableFinished) return false;
  response.socket?.resetAndDestroy();
  return true;
}
