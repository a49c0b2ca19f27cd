/**
 * Answers to what the application never sees, or not to its end: what isn't HTTP, is too large or takes too long. Nothing was
 * negotiated, so they come in the default format.
 */
import { randomUUID } from 'node:crypto';
import { METHODS, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Logger } from 'pino';
import { formatNamed } from '../formats/index.ts';
import { printProblem } from './failures.ts';
import { HttpProblem, meaningOf, problems } from './problems.ts';
import { varyOf } from './respond.ts';
import { type UrlSettings, urls } from './urls.ts';

export interface RefusalSettings extends UrlSettings {
  readonly defaultFormat: string;
  readonly connections: { readonly maxHeaderSize: number };
}

/** How long a client that is still sending has to read why it is refused, in ms: closing at once would reset the connection. */
const lingering = 1000;

/** What Node's parser tells of what it couldn't read. */
export interface Unread extends NodeJS.ErrnoException {
  /** What was being read, and how far it was understood. */
  readonly rawPacket?: Buffer;
  readonly bytesParsed?: number;
}

/** Of some methods, RTSP's, the parser knows that they go with another protocol. */
const unknownMethod: ReadonlySet<unknown> = new Set(['HPE_INVALID_METHOD', 'HPE_INVALID_CONSTANT']);

/** Tells a method that nobody here knows, in a request line that is one all the same (RFC 9110 §9.1), from what is no HTTP. */
function namesMethod({ rawPacket, bytesParsed = 0 }: Unread): boolean {
  if (rawPacket === undefined) return false;
  const start = rawPacket.subarray(0, bytesParsed).lastIndexOf('\n') + 1;
  const end = rawPacket.indexOf('\r\n', start);
  // What comes before it may be the body of another request, which ends without a line end.
  const [, method] =
    /([!#$%&'*+.^_`|~0-9A-Za-z-]+) [!-~]+ HTTP\/1\.[01]$/.exec(
      rawPacket.toString('latin1', start, Math.max(start, end)),
    ) ?? [];
  return method !== undefined && !METHODS.includes(method);
}

function problemOf(error: Unread, maxHeaderSize: number): HttpProblem {
  const { code } = error;
  if (unknownMethod.has(code) && namesMethod(error))
    return new HttpProblem('not-implemented', 'There is no such method here. Upper and lower case count.');
  switch (code) {
    case 'HPE_HEADER_OVERFLOW':
      return new HttpProblem(
        'headers-too-large',
        `The request line and the header fields have at most ${maxHeaderSize} bytes together.`,
      );
    case 'HPE_CHUNK_EXTENSIONS_OVERFLOW':
      return new HttpProblem('body-too-large', 'The extensions of a chunk are too large.');
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return new HttpProblem('request-timeout', 'The request was not whole in time.');
    default:
      return new HttpProblem('malformed-request', 'This is no request of HTTP/1.1 (RFC 9112).');
  }
}

/** CONNECT is for proxies: its target is a host and port, at which nothing is allowed here. */
const tunnel = new HttpProblem('method-not-allowed', 'This is no proxy.', { Allow: '' });

function write(
  socket: Duplex,
  status: number,
  fields: Readonly<Record<string, string | number>>,
  body: string,
) {
  const lines = Object.entries({ Date: new Date().toUTCString(), ...fields }).map((field) =>
    field.join(': '),
  );
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('\r\n')}\r\n\r\n${body}`);
  const cut = setTimeout(() => socket.destroy(), lingering);
  socket.once('close', () => clearTimeout(cut));
}

/** A response that knows its request's name, for when the answer is given here. */
export interface NamedResponse extends ServerResponse {
  requestId?: string;
}

export interface Refusals {
  /**
   * Ends the connection with an answer, where one can still be given.
   * @param error Node's; its code is all that is logged of it, since the rest holds what was sent
   * @param unfinished the answer to the request that the error stands in, if its head had arrived
   */
  broken(error: Unread, socket: Duplex, unfinished?: NamedResponse): void;
  tunnel(socket: Duplex): void;
}

export function refusals(settings: RefusalSettings, log: Logger): Refusals {
  const url = urls(settings);
  const format = formatNamed(settings.defaultFormat);

  function refuse(
    problem: HttpProblem,
    code: string | undefined,
    socket: Duplex,
    unfinished?: NamedResponse,
  ) {
    const id = unfinished?.requestId ?? randomUUID();
    const { status } = problems[problem.code];
    log.info({ id, status, problem: problem.code, code }, 'refused');
    const body = printProblem(meaningOf(problem), url, id, format);
    const fields = {
      ...problem.headers,
      'Cache-Control': 'no-store',
      Connection: 'close',
      'Content-Length': Buffer.byteLength(body),
      'Content-Type': format.problemType,
      'X-Content-Type-Options': 'nosniff',
      'X-Request-Id': id,
    };
    // What Node knows as an answer waits for those before it.
    if (unfinished === undefined) write(socket, status, fields, body);
    else {
      // Node forgets the request with its answer: whoever still reads its body would wait for ever.
      unfinished.once('close', () => unfinished.req.destroy());
      unfinished.writeHead(status, { ...fields, Vary: varyOf(unfinished) }).end(body);
    }
  }

  return {
    broken(error, socket, unfinished) {
      const { code } = error;
      if (code === 'ECONNRESET' || !socket.writable || unfinished?.headersSent) socket.destroy();
      else refuse(problemOf(error, settings.connections.maxHeaderSize), code, socket, unfinished);
    },
    tunnel: (socket) => refuse(tunnel, undefined, socket),
  };
}
