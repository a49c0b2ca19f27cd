/**
 * Pipelining: handles one request at a time on each connection (RFC 9112 §9.3.2 lets the others wait), each in a turn of the event loop of
 * its own. Begun together, they would hold their responses until their turn; answered at once, those of one read would keep others waiting.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { stopParser } from './parser.ts';

/** Waiting requests, at two or three KiB each: of one connection, and of all together. The connection with one more is closed. */
const mostWaiting = { ofOne: 32, ofAll: 10_000 };

/** Waiting requests, of all connections, that begin in one turn of the event loop. */
const begunInTurn = 32;

type Handle = (request: IncomingMessage, response: ServerResponse) => unknown;

interface Queue {
  /** The response in progress. */
  current: ServerResponse;
  readonly waiting: [IncomingMessage, ServerResponse][];
}

export interface Pipelining {
  /**
   * Handles the request at once, or when the responses before it have been sent.
   * @param previous the response to the previous request on its connection, if any
   */
  submit(request: IncomingMessage, response: ServerResponse, previous: ServerResponse | undefined): void;
  /** The response in progress that requests of this connection wait for. */
  currentOf(socket: Duplex): ServerResponse | undefined;
}

/** @param onCut called for each connection that is closed */
export function pipelining(handle: Handle, onCut: () => void): Pipelining {
  const queues = new Map<Socket, Queue>();
  let count = 0;
  /** Connections of which a request began in this turn as it came. */
  const begun = new Set<Socket>();
  /** Requests of connections that were closed in this turn: they are still in memory. */
  let cutCount = 0;
  const due: (() => void)[] = [];
  let isPlanned = false;

  function plan(): void {
    if (isPlanned) return;
    isPlanned = true;
    setImmediate(endTurn);
  }

  function endTurn(): void {
    isPlanned = false;
    begun.clear();
    cutCount = 0;
    for (const step of due.splice(0, begunInTurn)) step();
    if (due.length > 0) plan();
  }

  function forgetClosed(this: Socket): void {
    forget(this);
  }

  function forget(socket: Socket): void {
    count -= queues.get(socket)?.waiting.length ?? 0;
    queues.delete(socket);
    socket.off('close', forgetClosed);
  }

  function awaitTurn(socket: Socket, queue: Queue): void {
    const { current } = queue;
    const step = () => {
      due.push(() => handleNext(socket, queue));
      plan();
    };
    if (current.closed) step();
    else current.once('close', step);
  }

  function queueOf(socket: Socket, current: ServerResponse): Queue {
    const known = queues.get(socket);
    if (known !== undefined) return known;
    const queue: Queue = { current, waiting: [] };
    queues.set(socket, queue);
    socket.once('close', forgetClosed);
    awaitTurn(socket, queue);
    return queue;
  }

  function handleNext(socket: Socket, queue: Queue): void {
    const following = queue.waiting.shift();
    if (following === undefined || queues.get(socket) !== queue) return;
    count -= 1;
    const [request, response] = following;
    queue.current = response;
    if (queue.waiting.length > 0) awaitTurn(socket, queue);
    else forget(socket);
    // A request that turned out to be broken has been refused meanwhile.
    if (!response.headersSent) handle(request, response);
  }

  function cut(socket: Socket): void {
    onCut();
    cutCount += queues.get(socket)?.waiting.length ?? 0;
    forget(socket);
    stopParser(socket);
    socket.resetAndDestroy();
  }

  return {
    submit(request, response, previous) {
      const { socket } = request;
      if (previous === undefined || (previous.closed && !queues.has(socket) && !begun.has(socket))) {
        begun.add(socket);
        plan();
        return void handle(request, response);
      }
      const { waiting } = queueOf(socket, previous);
      waiting.push([request, response]);
      count += 1;
      if (waiting.length > mostWaiting.ofOne || count + cutCount > mostWaiting.ofAll) cut(socket);
    },
    currentOf: (socket) => queues.get(socket as Socket)?.current,
  };
}
