/**
 * One request at a time on each connection: Node hands on all that has arrived at once, and begun together they would hold
 * their answers until it is their turn (RFC 9112 §9.3.2 lets the others wait).
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';

/**
 * How many requests wait over all connections at most, at two or three KiB each. A connection may have some thousand of them: Node
 * reads 64 KiB and parses all that is in it. Beyond it, whoever has the most is cut.
 */
const mostWaiting = 10_000;

/** How long those that waited go on in one turn of the event loop, in ms, over all connections: then others come, probes among them. */
const turnTime = 4;

type Handle = (request: IncomingMessage, response: ServerResponse) => unknown;

interface Queue {
  /** The answer that the others wait for. */
  current: ServerResponse;
  readonly waiting: [IncomingMessage, ServerResponse][];
}

export interface Pipelining {
  /**
   * Has the request handled: at once, or when the answers before it have left. Meanwhile nothing more is read of its connection.
   * @param before the answer to the request before it on its connection, if there was one
   */
  take(request: IncomingMessage, response: ServerResponse, before: ServerResponse | undefined): void;
  /** The answer under way on a connection that others wait for. */
  current(socket: Duplex): ServerResponse | undefined;
}

/** An answer that has nothing to wait for leaves at once, and with it would come the next: one turn for all that a connection sent. */
function inShortTurns(): (step: () => void) => void {
  const due: (() => void)[] = [];
  let end = 0;
  let planned = false;

  function plan(): void {
    if (planned) return;
    planned = true;
    setImmediate(() => {
      planned = false;
      end = performance.now() + turnTime;
      for (let step = due.shift(); step !== undefined; step = due.shift()) {
        step();
        if (performance.now() >= end) break;
      }
      if (due.length > 0) plan();
    });
  }

  return (step) => {
    if (due.length === 0 && performance.now() < end) step();
    else {
      due.push(step);
      plan();
    }
  };
}

/** @param onCut called for each connection that is cut */
export function pipelining(handle: Handle, onCut: () => void): Pipelining {
  const queues = new Map<Socket, Queue>();
  let count = 0;
  const soon = inShortTurns();

  /** Node reads on after each request that was whole. */
  function keepPaused(this: Socket): void {
    this.pause();
  }

  function closed(this: Socket): void {
    forget(this);
  }

  function forget(socket: Socket): void {
    count -= queues.get(socket)?.waiting.length ?? 0;
    queues.delete(socket);
    socket.off('resume', keepPaused).off('close', closed);
  }

  function queueOf(socket: Socket, current: ServerResponse): Queue {
    const known = queues.get(socket);
    if (known !== undefined) return known;
    const queue: Queue = { current, waiting: [] };
    queues.set(socket, queue);
    socket.on('resume', keepPaused).once('close', closed).pause();
    current.once('close', () => soon(() => next(socket, queue)));
    return queue;
  }

  function next(socket: Socket, queue: Queue): void {
    const following = queue.waiting.shift();
    if (following === undefined || queues.get(socket) !== queue) return;
    count -= 1;
    const [request, response] = following;
    queue.current = response;
    if (queue.waiting.length > 0) response.once('close', () => soon(() => next(socket, queue)));
    else {
      forget(socket);
      socket.resume();
    }
    // What turned out to be broken has been refused meanwhile.
    if (!response.headersSent) handle(request, response);
  }

  function cutLongest(): void {
    let longest: Socket | undefined;
    let most = 0;
    for (const [socket, { waiting }] of queues) {
      if (waiting.length > most) [longest, most] = [socket, waiting.length];
    }
    if (longest === undefined) return;
    onCut();
    forget(longest);
    longest.resetAndDestroy();
  }

  return {
    take(request, response, before) {
      const { socket } = request;
      if (socket.destroyed) return;
      if (before === undefined || before.closed) handle(request, response);
      else {
        queueOf(socket, before).waiting.push([request, response]);
        count += 1;
        if (count > mostWaiting) cutLongest();
      }
    },
    current: (socket) => queues.get(socket as Socket)?.current,
  };
}
