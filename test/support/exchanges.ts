/** Requests and answers as they cross the wire, for tests that look at them beside the one that sent them. */
import { type Agent, request } from 'node:http';

/** Header fields in their order and spelling, repeated ones apart. */
export type Fields = readonly (readonly [name: string, value: string])[];

/** A request, and the answer as it was received: nothing decoded, nothing merged. */
export interface Exchange {
  readonly method: string;
  readonly target: string;
  readonly requestHeaders: Fields;
  readonly httpVersion: string;
  readonly status: number;
  readonly reason: string;
  readonly headers: Fields;
  /** Without its transfer coding, with its content coding. */
  readonly body: Buffer;
}

const observers = new Set<(exchange: Exchange) => void>();

/** Calls `observe` with every exchange from now on that came to its end. */
export function onExchange(observe: (exchange: Exchange) => void): void {
  observers.add(observe);
}

/** For senders of their own, such as those over plain sockets. */
export function report(exchange: Exchange): void {
  for (const observe of observers) observe(exchange);
}

const pairs = (raw: readonly string[]): Fields =>
  raw.flatMap((name, index) => (index % 2 === 0 ? [[name, raw[index + 1] ?? ''] as const] : []));

export interface Sent {
  readonly method?: string;
  /** As pairs where one is repeated or the order counts. */
  readonly headers?: Readonly<Record<string, string>> | Fields;
  readonly body?: string | Uint8Array;
  /** Keeps connections open from one request to the next; without one, each has its own. */
  readonly agent?: Agent;
  /** For answers that a test has made break the contract: `onExchange` isn't told of them. */
  readonly unreported?: boolean;
}

export const fieldsOf = (headers: NonNullable<Sent['headers']>): Fields =>
  Array.isArray(headers) ? headers : Object.entries(headers);

/** The request as it will be sent: `Host` and the body's length are added, nothing else. */
function fieldsSent(url: URL, { headers = {}, body }: Sent): Fields {
  const given = fieldsOf(headers);
  const has = (name: string) => given.some(([other]) => other.toLowerCase() === name);
  const host = has('host') ? [] : [['Host', url.host] as const];
  const measured = body === undefined || has('content-length') || has('transfer-encoding');
  const length = measured ? [] : [['Content-Length', String(Buffer.byteLength(body))] as const];
  return [...host, ...given, ...length];
}

/**
 * Sends exactly these fields (and `Host`, and the body's length) and resolves with the answer as it came. Rejects when the
 * connection breaks off before the answer is whole.
 */
export function exchange(address: string, sent: Sent = {}): Promise<Exchange> {
  const url = new URL(address);
  // As it was written: URL would tidy up what a test means to send.
  const target = address.slice(url.origin.length) || '/';
  const method = sent.method ?? 'GET';
  const requestHeaders = fieldsSent(url, sent);
  const to = { hostname: url.hostname, port: url.port, method, path: target, setHost: false };
  return new Promise((resolve, reject) => {
    const asked = request({ ...to, headers: requestHeaders.flat(), agent: sent.agent ?? false }, (answer) => {
      const pieces: Buffer[] = [];
      answer.on('error', reject).on('data', (piece: Buffer) => pieces.push(piece));
      answer.on('end', () => {
        const { httpVersion, statusCode: status = 0, statusMessage: reason = '' } = answer;
        const headers = pairs(answer.rawHeaders);
        const body = Buffer.concat(pieces);
        const whole = { method, target, requestHeaders, httpVersion, status, reason, headers, body };
        if (!sent.unreported) report(whole);
        resolve(whole);
      });
    });
    asked.on('error', reject).end(sent.body);
  });
}
