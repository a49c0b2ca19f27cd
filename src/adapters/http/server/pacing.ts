/**
 * Bodies in tiny pieces, such as chunks of one byte, are expensive: Node makes a buffer and an event of each piece, tens of thousands
 * from one read, and reads up to 32 times before other connections get their turn.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { repeatInTurns } from './repeat-in-turns.ts';

/** Pieces of one body in a turn of the event loop before its connection has to queue. */
const mostPieces = 512;

function keepPaused(this: Socket): void {
  this.pause();
}

/**
 * Reads connections with bodies in very many pieces one after the other, one in each turn of the event loop. The rest of a body that
 * has been answered is read and dropped likewise: a client may read the response only after it has sent everything.
 */
export function pacing(): (request: IncomingMessage, response: ServerResponse) => void {
  const resting = new Set<Socket>();
  const plan = repeatInTurns(() => {
    const [first] = resting;
    if (first !== undefined) wake(first);
    return resting.size > 0;
  });

  function wake(socket: Socket): void {
    resting.delete(socket);
    socket.off('resume', keepPaused).resume();
  }

  /** Node reads on when it has handed a piece on. */
  function rest(socket: Socket): void {
    resting.add(socket);
    socket.on('resume', keepPaused).pause();
    plan();
  }

  return (request, response) => {
    // Others come as they are read.
    if (request.headers['transfer-encoding'] === undefined) return;
    const { socket } = request;
    let pieces = 0;
    const count = () => {
      pieces += 1;
      if (pieces < mostPieces || resting.has(socket)) return;
      pieces = 0;
      rest(socket);
    };
    // An earlier listener would start the flow before a handler reads the body.
    request.once('resume', () => request.on('data', count));
    response.once('prefinish', () => {
      if (!request.complete) request.resume();
    });
  };
}
