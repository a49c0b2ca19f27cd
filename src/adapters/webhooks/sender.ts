/** Sends messages over HTTP, by Node's own client: it follows no redirects, and lets the addresses of a name be checked before it connects. */
import { type LookupAddress, lookup } from 'node:dns';
import * as http from 'node:http';
import * as https from 'node:https';
import type { LookupFunction } from 'node:net';
import { clock } from '../scheduler/clock.ts';
import { eventLoop } from '../scheduler/event-loop.ts';
import { codeOf } from '../system/errors.ts';
import { describeAddressFault } from './addresses.ts';
import { headersOf, type Message } from './message.ts';
import type { Receiver } from './receivers.ts';

/** How an attempt ended. */
export interface Answer {
  /** A status, such as `204`; or `timeout`, or a code of Node, such as ECONNREFUSED. Never a text of the receiver. */
  readonly outcome: string;
  /** In ms: the receiver wants no attempt before. */
  readonly retryAfter?: number | undefined;
}

export const isSuccess = (outcome: string): boolean => /^2\d\d$/.test(outcome);

/** In bytes of a body, which is read only because the connection can be used again afterwards. */
const maxRead = 4096;

/** In ms: the longest time that a receiver can ask for. */
const longestRetryAfter = 24 * 60 * 60 * 1000;

/** The scheduler's name for all receivers: their work counts as that of one client. */
export const worker = 'webhooks';

/** In ms: while clients write, one message is sent in this time, to all receivers: messages can be late, as none is lost. */
const pace = 5;

/** The turn of the message that is to be sent last. */
let lastTurn: Promise<void> = Promise.resolve();

async function takeTurn(before: Promise<void>): Promise<void> {
  await before;
  await eventLoop.next(worker);
  const isBusy = eventLoop.hasBegunOther(worker, clock.now() - pace);
  if (isBusy) await new Promise<void>((resolve) => clock.later(resolve, pace));
}

/** To be awaited before a message is made. */
export function awaitTurn(): Promise<void> {
  lastTurn = takeTurn(lastTurn);
  return lastTurn;
}

/** In ms: how long an idle connection stays open. */
const idleTime = 30_000;

/** Seconds or a date (RFC 9110 §10.2.3). */
function readRetryAfter(field: string | undefined, now: number): number | undefined {
  if (field === undefined) return undefined;
  const ms = /^\d+$/.test(field) ? Number(field) * 1000 : Date.parse(field) - now;
  return ms > 0 ? Math.min(ms, longestRetryAfter) : undefined;
}

/** The addresses that the rules allow. Node connects only to these, without a second lookup that could differ. */
const checkedLookup =
  (protocol: string): LookupFunction =>
  (name, options, done) =>
    lookup(name, { ...options, all: true }, (error, found: LookupAddress[] = []) => {
      const [first, ...more] = found.filter(({ address }) => !describeAddressFault(protocol, address));
      if (error !== null) done(error, '');
      else if (first === undefined)
        done(Object.assign(new Error(`no address of ${name} may be used`), { code: 'EADDRNOTALLOWED' }), '');
      else if (options.all) done(null, [first, ...more]);
      else done(null, first.address, first.family);
    });

/** The connections to one receiver. */
export class Sender {
  readonly #agents: readonly [http.Agent, https.Agent];
  #isClosed = false;

  constructor() {
    const options = { keepAlive: true, timeout: idleTime };
    this.#agents = [new http.Agent(options), new https.Agent(options)];
  }

  /** Ends all attempts. */
  close(): void {
    this.#isClosed = true;
    for (const agent of this.#agents) agent.destroy();
  }

  /** @param now in ms since 1970 Never rejects */
  async send(receiver: Receiver, message: Message, now: number): Promise<Answer> {
    const url = new URL(receiver.url);
    const isSecure = url.protocol === 'https:';
    const options = {
      method: 'POST',
      agent: this.#agents[isSecure ? 1 : 0],
      headers: headersOf(message, receiver, now),
      lookup: checkedLookup(url.protocol),
      signal: AbortSignal.timeout(receiver.timeout),
    };
    const begin = () => (isSecure ? https.request(url, options) : http.request(url, options));
    const answer = await attempt(begin(), message.body, now);
    // The receiver closed an idle connection while the message was on its way.
    return answer.isStale && !this.#isClosed ? await attempt(begin(), message.body, now) : answer;
  }
}

function attempt(
  request: http.ClientRequest,
  body: string,
  now: number,
): Promise<Answer & { isStale?: boolean }> {
  return new Promise((resolve) => {
    let answer: (Answer & { isStale?: boolean }) | undefined;
    request.once('response', (response) => {
      const { statusCode, headers } = response;
      answer = { outcome: String(statusCode), retryAfter: readRetryAfter(headers['retry-after'], now) };
      let read = 0;
      response.on('data', (piece: Buffer) => {
        read += piece.length;
        if (read > maxRead) request.destroy();
      });
      response.on('error', () => undefined);
    });
    request.once('error', (error) => {
      const { reusedSocket } = request;
      const outcome = error.name === 'AbortError' ? 'timeout' : String(codeOf(error) ?? 'failed');
      answer ??= { outcome, isStale: reusedSocket && outcome === 'ECONNRESET' };
    });
    // After the end of the response, or an error.
    request.once('close', () => resolve(answer ?? { outcome: 'failed' }));
    request.end(body);
  });
}
