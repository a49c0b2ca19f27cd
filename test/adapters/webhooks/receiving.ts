/** A receiver of webhooks on a socket, which answers as told and keeps what arrived; and a clock that stands until it is moved. */
import { createHmac } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createSecureServer, type ServerOptions } from 'node:https';
import type { AddressInfo } from 'node:net';
import { expect } from 'chai';

interface Arrived {
  /** `webhook-id` */
  readonly message: string;
  readonly type: string;
  readonly data: Readonly<Record<string, unknown>> & { readonly id: string };
}

/** A status, with fields of the head; or anything that a receiver does to the connection. */
export type Reply =
  | number
  | readonly [number, Readonly<Record<string, string>>]
  | ((request: IncomingMessage, response: ServerResponse) => void);

export interface Receiving {
  readonly url: string;
  /** Every message, in the order of the requests, whatever the reply. */
  readonly arrived: Arrived[];
  /** Requests that are open now, and the most that were. */
  readonly open: { now: number; most: number };
  close(): Promise<void>;
}

const key = Buffer.alloc(32, 1);

/** @param reply is asked for each message @param tls left out: HTTP @throws AssertionError in the receiver, shown as status 499, for a wrong signature */
export async function startReceiving(
  reply: (message: Arrived) => Reply | Promise<Reply>,
  tls?: ServerOptions,
): Promise<Receiving> {
  const arrived: Arrived[] = [];
  const open = { now: 0, most: 0 };
  async function take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    open.now += 1;
    open.most = Math.max(open.most, open.now);
    response.once('close', () => {
      open.now -= 1;
    });
    const pieces: Buffer[] = [];
    for await (const piece of request) pieces.push(piece);
    const body = Buffer.concat(pieces).toString();
    const { headers } = request;
    const signed = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`;
    const signature = `v1,${createHmac('sha256', key).update(signed).digest('base64')}`;
    expect(headers['webhook-signature']).to.equal(signature);
    const message = { message: String(headers['webhook-id']), ...JSON.parse(body) };
    arrived.push(message);
    const answer = await reply(message);
    if (typeof answer === 'function') return answer(request, response);
    const [status, fields] = typeof answer === 'number' ? [answer, {}] : answer;
    response.writeHead(status, fields).end();
  }
  const listen = (request: IncomingMessage, response: ServerResponse): void => {
    take(request, response).catch((error) => {
      if (!request.destroyed) response.writeHead(499).end(String(error));
    });
  };
  const server = tls ? createSecureServer(tls, listen) : createServer(listen);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: tls ? `https://localhost:${port}/` : `http://127.0.0.1:${port}/`,
    arrived,
    open,
    close: () => {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      server.closeAllConnections();
      return closed;
    },
  };
}

export class StandingClock {
  time = Date.UTC(2026, 0, 1);
  #timers: { readonly at: number; readonly run: () => void }[] = [];

  readonly now = (): number => this.time;

  readonly later = (run: () => void, ms: number): void => {
    this.#timers.push({ at: this.time + ms, run });
  };

  /** Runs what is due by then. */
  pass(ms: number): void {
    this.time += ms;
    const due = this.#timers.filter(({ at }) => at <= this.time);
    this.#timers = this.#timers.filter(({ at }) => at > this.time);
    for (const { run } of due.sort((one, other) => one.at - other.at)) run();
  }
}
