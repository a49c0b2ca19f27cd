/**
 * Bodies that are long, or of an unknown length. Such a body isn't drained when it is refused unread (without credentials, for example):
 * its connection ends with the response. A body in very many small chunks is refused (413): Node makes a buffer and an event of each chunk.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { stopParser } from './parser.ts';

/** In bytes: an unread body up to this length is drained, so that its connection can be used again. */
const mostDrained = 65_536;

/** The number of chunks that any body may have, and the number of bytes that allow one chunk more: 2 MiB may come in chunks of 128 bytes. */
const chunkLimits = { count: 512, bytesEach: 128 };

/** Replaces an error of Node's parser. */
export const tooManyChunks = Object.assign(new Error('too many chunks'), { code: 'ERR_TOO_MANY_CHUNKS' });

/** In ms: the time for a client that is still sending to read the response. Closing at once would reset the connection. */
const lingerTime = 1000;

/** Ends the connection once all written bytes are sent; input that arrives meanwhile is read and dropped. */
export function endLingering(socket: Duplex): void {
  socket.end();
  const cut = setTimeout(() => socket.destroy(), lingerTime);
  socket.once('close', () => clearTimeout(cut));
}

function keepPaused(this: Duplex): void {
  this.pause();
}

/**
 * Closes the connection with the response, unless the body is read before it. A client that waits for `100 (Continue)` gets it when its body is about
 * to be read. If the body is refused unread, the client may send it or not (RFC 9110 §10.1.1), so the connection ends.
 */
function closeUnlessRead(request: IncomingMessage, response: ServerResponse, isAwaited: boolean): void {
  const { socket } = request;
  const keepAlive = response.shouldKeepAlive;
  response.shouldKeepAlive = false;
  request.once('resume', () => {
    if (response.headersSent) return;
    response.shouldKeepAlive = keepAlive;
    if (isAwaited) response.writeContinue();
  });
  response.once('prefinish', () => {
    if (request.complete) return;
    if (response.shouldKeepAlive) return void request.resume();
    stopParser(socket);
    // Node calls it when the response is sent, and then continues to read.
    socket.destroySoon = () => {
      socket.on('resume', keepPaused).pause();
      endLingering(socket);
    };
  });
}

/** @param onTooMany called at the first chunk beyond the limits */
function limitChunks(request: IncomingMessage, onTooMany: () => void): void {
  const push = request.push.bind(request);
  let [count, bytes, isOver] = [0, 0, false];
  request.push = (chunk, encoding) => {
    if (isOver) return false;
    count += 1;
    bytes += chunk?.length ?? 0;
    isOver = count > chunkLimits.count + bytes / chunkLimits.bytesEach;
    if (!isOver) return push(chunk, encoding);
    stopParser(request.socket);
    onTooMany();
    return false;
  };
}

/**
 * To be called for each request, before it is handled.
 * @param isAwaited whether the client waits for `100 (Continue)`
 * @param onTooManyChunks called when its body is to be refused
 */
export function limitBody(
  request: IncomingMessage,
  response: ServerResponse,
  isAwaited: boolean,
  onTooManyChunks: () => void,
): void {
  const { headers } = request;
  const isChunked = headers['transfer-encoding'] !== undefined;
  if (isChunked)
    limitChunks(request, () => {
      response.shouldKeepAlive = false;
      onTooManyChunks();
    });
  const isLarge = isChunked || Number(headers['content-length'] ?? 0) > mostDrained;
  if (isLarge || isAwaited) closeUnlessRead(request, response, isAwaited);
}
