/**
 * Every answer of the application is sent from here. Head and body are handed to Node whole: field by field, each looked at by
 * Koa and Node on its own, the same fields are a tenth of what reading a user costs.
 */
import type { ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { type Coding, setBody } from './codings.ts';
import type { Context } from './context.ts';

export interface Response {
  readonly status: number;
  /**
   * Names and values by turns, without those of every answer and those that follow from the content. No name twice: what stands
   * several times has a list of values.
   */
  readonly fields: readonly (string | string[])[];
  /** RFC 9110 §6.4. Left out, the answer has none. */
  readonly content?: string | Buffer | Readable;
  /** Of the content, which is still to be brought into it. */
  readonly coding?: Coding;
  /** What of the request chose the answer, errors and 304 included (RFC 9110 §12.5.5). */
  readonly vary?: string;
}

const negotiated = 'Accept, Accept-Encoding';

/** What an answer varies by: beside `vary`, what CORS has set already. */
export function varyOf(response: ServerResponse, vary = negotiated): string {
  const more = response.getHeader('Vary');
  return more === undefined ? vary : `${vary}, ${more}`;
}

function fieldsOfEvery({ state, res }: Context, vary: string | undefined): string[] {
  return ['X-Request-Id', state.requestId, 'X-Content-Type-Options', 'nosniff', 'Vary', varyOf(res, vary)];
}

/** Statuses whose answers end with their head (RFC 9110 §6.4.1). */
const hasNoContent = (status: number): boolean => status === 204 || status === 304;

/**
 * Sends what can be sent at once; what comes in pieces or is to be compressed is left to Koa, which sends it when the middleware
 * are through.
 */
export function respond(ctx: Context, response: Response): Promise<void> | undefined {
  const { status, fields, content = '', coding = 'identity', vary } = response;
  // A request that turned out to be broken has been refused by the server meanwhile.
  if (ctx.res.headersSent) {
    if (content instanceof Readable) content.destroy();
    return undefined;
  }
  const all: (string | string[])[] = [...fieldsOfEvery(ctx, vary), ...fields];
  if (content instanceof Readable || coding !== 'identity') {
    ctx.status = status;
    for (let at = 0; at < all.length; at += 2) ctx.set(String(all[at]), all[at + 1] ?? '');
    if (!(content instanceof Readable)) ctx.state.load?.answers.holdCoded(ctx.res, content.length, coding);
    return setBody(ctx, content, coding);
  }
  if (!hasNoContent(status)) all.push('Content-Length', String(Buffer.byteLength(content)));
  // To a HEAD Node sends no content, whatever it is given.
  ctx.res.writeHead(status, all).end(content);
  // Bytes are of what is published, and there once for all.
  if (typeof content === 'string') ctx.state.load?.answers.holdRest(ctx.res);
  return undefined;
}
