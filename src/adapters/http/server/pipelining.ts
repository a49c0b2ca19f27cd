/**
 * Pipelining: handles one request at a time on each connection (RFC 9112 §9.3.2 lets the others wait). Node passes on all requests that
 * have arrived; begun together, they would hold their responses until their turn.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { clock } from '../../scheduler/clock.ts';
import { repeatInTurns } from './repeat-in-turns.ts';

/**
 * Waiting requests over all connections, at two or three KiB each. One connection may have some thousand, since Node reads 64 KiB and
 * parses all of it. Beyond the limit the connection with the most is closed.
 */
const mostWaiting = 10_000;

/** In ms, over all connections: waiting requests run for so long in one turn of the event loop. Then others come, probes among them. */
const turnTime = 4;

type Handle = (request: IncomingMessage, response: ServerResponse) => unknown;

interface Queue {
  /** The answer under way. */
  current: ServerResponse;
  readonly waiting: [IncomingMessage, ServerResponse][];
}

export interface Pipelining {
  /**
   * Handles the request at once, or when the responses before it have been sent. Until then its connection is not read.
   * @param previous the response to the previous request on its connection, if any
   */
  submit(request: IncomingMessage, response: ServerResponse, previous: ServerResponse | undefined): void;
  /** The response in progress that requests of this connection wait for. */
  currentOf(socket: Duplex): ServerResponse | undefined;
}

/** A response without a wait is sent at once, and so would be the next: all requests of a connection in one turn. */
function runInShortTurns(): (step: () => void) => void {
  const due: (() => void)[] = [];
  let end = 0;
  const plan = repeatInTurns(() => {
    end = clock.now() + turnTime;
    for (let step = due.shift(); step !== undefined; step = due.shift()) {
      step();
      if (clock.now() >= end) break;
    }
    return due.length > 0;
  });

  return (step) => {
    if (due.length === 0 && clock.now() < end) step();
    else {
      due.push(step);
      plan();
    }
  };
}

/** @param onCut called for each connection that is closed */
export function pipelining(handle: Handle, onCut: () => void): Pipelining {
  const queues = new Map<Socket, Queue>();
  let count = 0;
  const runSoon = runInShortTurns();

  /** Node itself would continue to read after each complete request. */
  function keepPaused(this: Socket): void {
    this.pause();
  }

  function forgetClosed(this: Socket): void {
    forget(this);
  }

  function forget(socket: Socket): void {
    count -= queues.get(socket)?.waiting.length ?? 0;
    queues.delete(socket);
    socket.off('resume', keepPaused).off('close', forgetClosed);
  }

  function queueOf(socket: Socket, current: ServerResponse): Queue {
    const known = queues.get(socket);
    if (known !== undefined) return known;
    const queue: Queue = { current, waiting: [] };
    queues.set(socket, queue);
    socket.on('resume', keepPaused).once('close', forgetClosed).pause();
    current.once('close', () => runSoon(() => handleNext(socket, queue)));
    return queue;
  }

  function handleNext(socket: Socket, queue: Queue): void {
    const following = queue.waiting.shift();
    if (following === undefined || queues.get(socket) !== queue) return;
    count -= 1;
    const [request, response] = following;
    queue.current = response;
    if (queue.waiting.length > 0) response.once('close', () => runSoon(() => handleNext(socket, queue)));
    else {
      forget(socket);
      socket.resume();
    }
    // A request that turned out to be broken has been refused meanwhile.
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
    submit(request, response, previous) {
      const { socket } = request;
      if (socket.destroyed) return;
      if (previous === undefined || previous.closed) handle(request, response);
      else {
        queueOf(socket, previous).waiting.push([request, response]);
        count += 1;
        if (count > mostWaiting) cutLongest();
      }
    },
    currentOf: (socket) => queues.get(socket as Socket)?.current,
  };
}
