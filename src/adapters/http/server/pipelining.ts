/**
 * Pipelining: handles one request at a time on each connection (RFC 9112 §9.3.2 lets the others wait), each in its own turn of the event loop. If
 * they began together, they would hold their responses until their turn; if they were all answered in one turn, other connections would wait.
 *
 * Requests without a body begin at the end of their turn or later; clients take turns (`scheduler/arrivals.ts`). A request with a body begins at
 * once: if its head is enough to refuse it, none of the body is parsed.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { arrivals } from '../../scheduler/arrivals.ts';
import { senderOf } from '../pipeline/context.ts';
import { stopParser } from './parser.ts';

/**
 * The maximum number of waiting requests of one connection, their maximum memory in bytes, and that of all connections together. A connection with
 * one request more is closed. Beyond the memory, only a connection with other waiting requests is closed: in a long turn of the event loop, a client
 * may have read a response and sent its next request.
 */
const mostWaiting = { ofOne: 32, memoryOfOne: 128 * 1024, memory: 20 * 1024 * 1024 };

/** In bytes, measured on Node 24: a request with its response, and each name and value of its header fields, besides their text. */
const memoryOf = { request: 2000, text: 50 };

type Handle = (request: IncomingMessage, response: ServerResponse) => unknown;

const estimate = ({ rawHeaders, url = '' }: IncomingMessage): number =>
  rawHeaders.reduce((sum, text) => sum + memoryOf.text + text.length, memoryOf.request + url.length);

/** Judged by its head: a body of no bytes counts. */
export const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined;

interface Queue {
  /** The response in progress; undefined if it has already been sent. */
  current: ServerResponse | undefined;
  readonly waiting: Waiting[];
}

interface Waiting {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** Estimated, in bytes, without the body. */
  readonly memory: number;
}

interface Pipelining {
  /**
   * Handles the request in this turn, or when the responses before it have been sent.
   * @param previous the response to the previous request on its connection, if one is in progress
   */
  submit(request: IncomingMessage, response: ServerResponse, previous: ServerResponse | undefined): void;
  /** The response in progress that the requests of this connection wait for. */
  currentOf(socket: Duplex): ServerResponse | undefined;
}

/** @param onCut called for each connection that is closed */
export function pipelining(handle: Handle, onCut: () => void): Pipelining {
  const queues = new Map<Socket, Queue>();
  /** The bytes of all waiting requests. */
  let memory = 0;
  /** Connections on which a request with a body began in this turn. */
  const begun = new Set<Socket>();
  /** Requests whose connections were closed in this turn: they are not released yet. */
  let cutMemory = 0;
  let isPlanned = false;

  function plan(): void {
    if (isPlanned) return;
    isPlanned = true;
    setImmediate(endTurn);
  }

  function endTurn(): void {
    isPlanned = false;
    begun.clear();
    cutMemory = 0;
  }

  function forgetClosed(this: Socket): void {
    forget(this);
  }

  function memoryOfQueue(socket: Socket): number {
    return queues.get(socket)?.waiting.reduce((sum, request) => sum + request.memory, 0) ?? 0;
  }

  function forget(socket: Socket): void {
    memory -= memoryOfQueue(socket);
    queues.delete(socket);
    socket.off('close', forgetClosed);
  }

  function awaitTurn(socket: Socket, queue: Queue): void {
    const { current, waiting } = queue;
    const step = () => {
      const [first] = waiting;
      if (first !== undefined) arrivals.add(senderOf(first.request), () => handleNext(socket, queue));
    };
    if (current === undefined || current.closed) step();
    else current.once('close', step);
  }

  function enqueue(socket: Socket, current: ServerResponse | undefined, following: Waiting): Queue {
    memory += following.memory;
    const known = queues.get(socket);
    const queue = known ?? { current, waiting: [] };
    queue.waiting.push(following);
    if (known !== undefined) return known;
    queues.set(socket, queue);
    socket.once('close', forgetClosed);
    awaitTurn(socket, queue);
    return queue;
  }

  function handleNext(socket: Socket, queue: Queue): void {
    const following = queue.waiting.shift();
    if (following === undefined || queues.get(socket) !== queue) return;
    memory -= following.memory;
    queue.current = following.response;
    if (queue.waiting.length > 0) awaitTurn(socket, queue);
    else forget(socket);
    begin(following);
  }

  function begin({ request, response }: Pick<Waiting, 'request' | 'response'>): void {
    // Meanwhile, a request that turned out to be broken has been refused, its client has left, or the response before it has ended the
    // connection (RFC 9112 §9.6).
    const isOver = response.headersSent || response.closed || request.socket.writableEnded;
    if (!isOver) handle(request, response);
  }

  function cut(socket: Socket): void {
    onCut();
    cutMemory += memoryOfQueue(socket);
    plan();
    forget(socket);
    stopParser(socket);
    socket.resetAndDestroy();
  }

  return {
    submit(request, response, previous) {
      const { socket } = request;
      const isFree = previous === undefined || previous.closed;
      if (isFree && !queues.has(socket) && !begun.has(socket)) {
        if (!hasBody(request)) return arrivals.add(senderOf(request), () => begin({ request, response }));
        begun.add(socket);
        plan();
        return void handle(request, response);
      }
      const { waiting } = enqueue(socket, previous, { request, response, memory: estimate(request) });
      const isFull =
        memory + cutMemory > mostWaiting.memory || memoryOfQueue(socket) > mostWaiting.memoryOfOne;
      if ((isFull && waiting.length > 1) || waiting.length > mostWaiting.ofOne) cut(socket);
    },
    currentOf: (socket) => queues.get(socket as Socket)?.current,
  };
}
