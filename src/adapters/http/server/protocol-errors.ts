/**
 * Responses to input that doesn't reach the application, or only in part: bytes that aren't HTTP, and requests that are too large or take too long.
 * Nothing was negotiated, so they have the default format.
 */

import { randomUUID } from 'node:crypto';
import { METHODS, type Server, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Logger } from 'pino';
import { findFormat } from '../../formats/index.ts';
import { varyOf } from '../pipeline/respond.ts';
import { type UrlSettings, urls } from '../pipeline/urls.ts';
import { HttpProblem, problemOf, problemPrinter } from '../problems/problems.ts';
import { type Connections, resetUnfinished } from './connections.ts';
import { endLingering, tooManyChunks } from './large-bodies.ts';
import { isStopped } from './parser.ts';

export interface ProtocolErrorSettings extends UrlSettings {
  readonly defaultFormat: string;
  readonly connections: { readonly maxHeaderSize: number };
}

/** The error of Node's `clientError` event. */
interface ParserError extends NodeJS.ErrnoException {
  /** The bytes being read, and how many of them were understood. */
  readonly rawPacket?: Buffer;
  readonly bytesParsed?: number;
}

/** Codes of errors in the request line. The second one is for methods of other protocols, such as RTSP's, that the parser knows. */
const requestLineCodes: ReadonlySet<unknown> = new Set([
  'HPE_INVALID_METHOD',
  'HPE_INVALID_CONSTANT',
  'HPE_INVALID_URL',
]);

/**
 * The request line with the error; empty for bytes that aren't HTTP. The body of another request may precede it, without a line end
 * between them.
 */
function requestLineOf({ rawPacket, bytesParsed = 0, code }: ParserError): string {
  if (rawPacket === undefined || !requestLineCodes.has(code)) return '';
  const start = rawPacket.subarray(0, bytesParsed).lastIndexOf('\n') + 1;
  const line = rawPacket.toString('latin1', start, Math.max(start, rawPacket.indexOf('\r\n', start)));
  return / HTTP\/1\.[01]$/.test(line) ? line : '';
}

/** True for a URL with a space or a character beyond ASCII, which the client has not encoded. */
function hasRawTarget(line: string): boolean {
  const [, method = '', target = ''] = /(?<![A-Z-])([A-Z-]+) (\S*\/.*) HTTP/.exec(line) ?? [];
  return METHODS.includes(method) && /[^!-~]/.test(target);
}

/** True for a request line that is well-formed and has a method unknown here (RFC 9110 §9.1). */
function hasUnknownMethod(line: string): boolean {
  // Without the lookbehind a line of 64 KiB would take seconds.
  const [, method] =
    /(?<![!#$%&'*+.^_`|~0-9A-Za-z-])([!#$%&'*+.^_`|~0-9A-Za-z-]+) [!-~]+ HTTP\/1\.[01]$/.exec(line) ?? [];
  return method !== undefined && !METHODS.includes(method);
}

function problemOfParserError(error: ParserError, maxHeaderSize: number): HttpProblem {
  const { code } = error;
  const line = requestLineOf(error);
  if (hasRawTarget(line))
    return new HttpProblem(
      'malformed-request',
      'The URL has a space or a character beyond ASCII: write it percent-encoded (a space as %20).',
    );
  if (hasUnknownMethod(line))
    return new HttpProblem('not-implemented', 'Unknown method; method names are case-sensitive.');
  switch (code) {
    case 'HPE_HEADER_OVERFLOW':
      return new HttpProblem(
        'headers-too-large',
        `The request line and the header fields may have at most ${maxHeaderSize} bytes together.`,
      );
    case 'HPE_CHUNK_EXTENSIONS_OVERFLOW':
      return new HttpProblem('body-too-large', 'The extensions of a chunk are too large.');
    case tooManyChunks.code:
      return new HttpProblem('body-too-large', 'The body consists of too many small chunks.');
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return new HttpProblem('request-timeout', 'The request did not arrive completely in time.');
    default:
      return new HttpProblem('malformed-request', 'This is not an HTTP/1.1 request (RFC 9112).');
  }
}

/** CONNECT is for proxies: its target is a host and port, which allow no method here. */
const noTunnel = new HttpProblem('method-not-allowed', 'The service is not a proxy.', { Allow: '' });

/** Bypasses Node's HTTP: the socket has no response object. */
function writeAnswer(
  socket: Duplex,
  status: number,
  fields: Readonly<Record<string, string | number>>,
  body: string,
) {
  const lines = Object.entries({ Date: new Date().toUTCString(), ...fields }).map((field) =>
    field.join(': '),
  );
  socket.write(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('\r\n')}\r\n\r\n${body}`);
  endLingering(socket);
}

/** The application stores the request's ids here, for an answer that bypasses it. */
export interface IdentifiedResponse extends ServerResponse {
  requestId?: string;
  trace?: string;
}

interface ProtocolErrors {
  /**
   * Ends the connection with a response, if it can still be sent.
   * @param error only its code is logged: the rest contains bytes that were sent
   * @param unfinished the answer to the request with the error, if its head had arrived
   */
  refuseBroken(error: ParserError, socket: Duplex, unfinished?: IdentifiedResponse): void;
  /** For CONNECT: 405. */
  refuseTunnel(socket: Duplex): void;
}

/** @param onRefusal called with the problem's code */
export function protocolErrors(
  settings: ProtocolErrorSettings,
  log: Logger,
  onRefusal: (code: string) => void,
): ProtocolErrors {
  const print = problemPrinter(urls(settings));
  const format = findFormat(settings.defaultFormat);

  function refuse(
    problem: HttpProblem,
    code: string | undefined,
    socket: Duplex,
    unfinished?: IdentifiedResponse,
  ) {
    const id = unfinished?.requestId ?? randomUUID();
    const printed = problemOf(problem, {});
    const { status } = printed.type;
    const trace = unfinished?.trace;
    onRefusal(problem.code);
    log.info({ id, status, problem: problem.code, code, trace }, 'refused');
    const { content, contentType } = print(printed, id, format, trace);
    const fields = {
      ...problem.headers,
      'Cache-Control': 'no-store',
      Connection: 'close',
      'Content-Length': Buffer.byteLength(content),
      'Content-Type': contentType,
      'X-Content-Type-Options': 'nosniff',
      'X-Request-Id': id,
    };
    // Node's own response waits for earlier ones.
    if (unfinished === undefined) writeAnswer(socket, status, fields, content);
    else {
      // Node drops the request with its answer: a handler that still reads its body would wait for ever.
      unfinished.once('close', () => unfinished.req.destroy());
      unfinished.writeHead(status, { ...fields, Vary: varyOf(unfinished) }).end(content);
    }
  }

  return {
    refuseBroken(error, socket, unfinished) {
      const { code } = error;
      if (code === 'ECONNRESET' || !socket.writable || unfinished?.headersSent) socket.destroy();
      else refuse(problemOfParserError(error, settings.connections.maxHeaderSize), code, socket, unfinished);
    },
    refuseTunnel: (socket) => refuse(noTunnel, undefined, socket),
  };
}

/** The current or latest answer on a connection; others may wait behind it. */
export type FindCurrentAnswer = (socket: Duplex) => ServerResponse | undefined;

interface ServerEventParts {
  readonly connections: Connections;
  readonly findCurrentAnswer: FindCurrentAnswer;
  readonly errors: ProtocolErrors;
}

/** Node's events beside `request`: bytes that aren't a request, connections that stall, and CONNECT. */
export function handleServerEvents(server: Server, parts: ServerEventParts): void {
  const { connections, findCurrentAnswer, errors } = parts;
  const { refuseBroken, refuseTunnel } = errors;
  // The parser repeats its error for all later bytes, and keeps them each time.
  const failed = new WeakSet<Duplex>();
  server.on('clientError', (error: ParserError, socket) => {
    if (failed.has(socket) || isStopped(socket)) return;
    failed.add(socket);
    const latest = connections.get(socket);
    if (latest?.req.complete === false) refuseBroken(error, socket, latest);
    else if (latest?.closed === false) {
      // The answers to earlier requests come first; until then nothing more is read.
      socket.pause();
      latest.once('close', () => refuseBroken(error, socket.resume()));
    } else refuseBroken(error, socket);
  });
  server.on('timeout', (socket) => {
    const response = findCurrentAnswer(socket);
    // The client waits for the service, not the service for the client.
    if (response?.req.complete && !response.headersSent && !response.closed) return;
    if (!resetUnfinished(response)) socket.destroy();
  });
  server.on('connect', (_request, socket) => {
    // Node removes its own listeners. A reset without a listener would end the process; earlier answers are still on their way.
    socket.on('error', () => socket.destroy());
    socket.on('timeout', () => socket.destroy());
    socket.on('drain', () => findCurrentAnswer(socket)?.emit('drain'));
    const latest = connections.get(socket);
    if (latest?.closed === false) latest.once('close', () => refuseTunnel(socket));
    else refuseTunnel(socket);
  });
}
