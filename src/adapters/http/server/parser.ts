/**
 * Stops Node's HTTP parser. Node parses all that it has read from a connection, up to 64 KiB, even after the connection is destroyed:
 * some thousand requests, or twice as many pieces of a body, each with its objects and events. No public API stops it.
 *
 * Two internals of `socket.parser` do, the same from Node 22 to 26: a result of -1 from `onIncoming`, called for each head, fails the
 * parser, and without the callback named `parserOnBody` it makes nothing of a body. Where a release has neither, requests and pieces still
 * arrive, are dropped, and cost the time that it takes to make them. test/adapters/http/floods.test.ts shows which it is.
 */
import type { Duplex } from 'node:stream';

type Parser = Record<string, unknown>;

const stopped = new WeakSet<Duplex>();

/** Whether nothing more is taken from this connection. */
export const isStopped = (socket: Duplex): boolean => stopped.has(socket);

/** Makes nothing of what was read, and of what will be. What was written, and is being written, is still sent. */
export function stopParser(socket: Duplex): void {
  if (stopped.has(socket)) return;
  stopped.add(socket);
  const { parser } = socket as Duplex & { parser?: Parser | null };
  if (!parser) return;
  if (typeof parser.onIncoming === 'function') parser.onIncoming = () => -1;
  const onBody = Object.entries(parser).find(
    ([, value]) => typeof value === 'function' && value.name === 'parserOnBody',
  );
  if (onBody === undefined) return;
  parser[onBody[0]] = undefined;
  // Other connections use the parser after this one. It isn't given back before.
  socket.prependOnceListener('close', () => {
    parser[onBody[0]] = onBody[1];
  });
}
