/**
 * Bodies in tiny pieces, a byte in a chunk of its own, cost by the piece: Node makes a buffer and an event of each, tens of
 * thousands for what it reads at once, and reads up to 32 times before others have their turn.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { repeatInTurns } from './repeat-in-turns.ts';

/** How many pieces of one body come in a turn of the event loop before its connection waits for others of its kind. */
const mostPieces = 512;

function keepPaused(this: Socket): void {
  this.pause();
}

/**
 * Has the connections whose bodies come in very many pieces read one after the other, one in each turn of the event loop. What of
 * a body is left over when it has been answered is read so as well, and dropped: a client may look for the answer only then.
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
    // A listener from the beginning would have the body flow before anybody takes it.
    request.once('resume', () => request.on('data', count));
    response.once('prefinish', () => {
      if (!request.complete) request.resume();
    });
  };
}
