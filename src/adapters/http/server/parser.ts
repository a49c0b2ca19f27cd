/**
 * Stops Node's HTTP parser. Node parses all that it has read from a connection, up to 64 KiB, even after the connection is destroyed:
 * some thousand requests, or twice as many pieces of a body, each with its objects and events. No public API stops it.
 *
 * Two internals of `socket.parser` do, the same from Node 22 to 26: a result of -1 from `onIncoming`, called for each head, fails the
 * parser, and without the callback named `parserOnBody` it discards bodies. In a release of Node without these two, requests and pieces
 * still arrive and are dropped, at the cost of the time to make them. test/adapters/http/floods.test.ts fails then.
 */
import type { Duplex } from 'node:stream';

const stopped = new WeakSet<Duplex>();

/** True if nothing more is read from this connection. */
export const isStopped = (socket: Duplex): boolean => stopped.has(socket);

/** Discards everything that was read or will be read from this connection. Responses are still sent. */
export function stopParser(socket: Duplex): void {
  if (stopped.has(socket)) return;
  stopped.add(socket);
  const { parser } = socket as Duplex & { parser?: Record<string, unknown> | null };
  if (!parser) return;
  if (typeof parser.onIncoming === 'function') parser.onIncoming = () => -1;
  const onBody = Object.entries(parser).find(
    ([, value]) => typeof value === 'function' && value.name === 'parserOnBody',
  );
  if (onBody === undefined) return;
  parser[onBody[0]] = undefined;
  // Node reuses the parser for other connections, but not before this one is closed.
  socket.prependOnceListener('close', () => {
    parser[onBody[0]] = onBody[1];
  });
}
