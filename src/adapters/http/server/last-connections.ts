/**
 * Stops listening without losing a connection. When a listening socket closes, the system resets the connections that wait to be accepted.
 * A proxy may have sent a request on one: it repeats a GET elsewhere, but answers a POST with 502.
 *
 * So new requests wait first: connections are accepted sooner, and a client or proxy with few of them is soon waiting itself. When none has
 * arrived for a moment, connections of our own fill the queue, and the system accepts no others; then the socket closes. The system
 * remembers the length of the queue for all workers until one of them listens again.
 *
 * Node has no public way to set the length of the queue of a server, or to see that a connection is in it: `_handle` has, from Node 22 to
 * 26. It shows connections at once on Linux only; elsewhere, or without `_handle`, the socket closes with what has arrived in this turn.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { type AddressInfo, connect, type Server, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';

/** Connections that wait to be accepted; the system may allow fewer. Beyond it, a client tries again after a second or more. */
export const backlog = 4096;

/** In ms. `time`: how long no connection must have arrived; `most`: the longest wait for that. */
const quiet = { time: 20, most: 250 };

/** Another connection may be in the queue; it is accepted in the pause, in ms, with those of the last attempt. */
const attempts = { most: 10, pause: 5 };

/** Linux accepts one more than the length. With a length of 0, it would log an attack (SYN flooding). */
const shortest = 1;

type Handle = (request: IncomingMessage, response: ServerResponse) => unknown;

interface Internals {
  readonly _handle?: { listen?(backlog: number): number; getpeername?(peer: object): number } | null;
}

const isConnected = (socket: Socket & Internals): boolean => socket._handle?.getpeername?.({}) === 0;

/** Resolves before the event loop accepts anything. @returns whether only our own connections are in the queue */
async function fillQueue({ _handle: listener }: Internals, { address, port }: AddressInfo): Promise<boolean> {
  listener?.listen?.(shortest);
  const own = Array.from({ length: shortest + 1 }, () => connect(port, address).on('error', () => {}));
  await new Promise<void>((resolve) => process.nextTick(resolve));
  const isFull = own.every(isConnected);
  if (!isFull) listener?.listen?.(backlog);
  for (const socket of own) socket.destroy();
  return isFull;
}

/** @returns `handle`, in whose place requests wait while the server stops listening; and `stopListening`, which calls `close` for that */
export function lastConnections(server: Server, handle: Handle) {
  let lastArrival = 0;
  server.on('connection', () => {
    lastArrival = performance.now();
  });
  let stopped: Promise<void> | undefined;
  const wait = async (most: number): Promise<void> => {
    if (!server.listening) return;
    const end = performance.now() + Math.min(most, quiet.most);
    while (performance.now() < Math.min(lastArrival + quiet.time, end)) await delay(quiet.time);
    const address = server.address() as AddressInfo;
    for (let left = attempts.most; left > 0 && !(await fillQueue(server as Internals, address)); left -= 1)
      await delay(attempts.pause);
  };
  return {
    handle: (request: IncomingMessage, response: ServerResponse) => {
      if (stopped === undefined) return handle(request, response);
      return stopped.then(() => {
        if (!response.headersSent && !response.closed) handle(request, response);
      });
    },
    /** @param most in ms */
    stopListening: (most: number, close: () => void) => (stopped = wait(most).then(close)),
  };
}
